import type { PlanCard } from '../../../src/chat/askProtocol';
import type { ViewState } from '../../../src/chat/viewStateProtocol';
import { askState } from './askStates';
import { text, tool } from './states';

export const SHORT_PLAN = [
  '# Dates in the report',
  '',
  '1. Add `formatDay` to `src/format.ts`',
  '2. Use it in `dailyReport`',
  '3. Run the tests',
  '',
].join('\n');

export const LONG_PLAN = [
  '# Move the cart to whole cents',
  '',
  'Amounts are numbers with fractions today, and sums drift. They become whole cents from the first step to the last.',
  '',
  '## Steps',
  '',
  '1. **Types.** `Money` becomes `{ cents: number }`; `formatMoney` takes it.',
  '2. **Catalog.** Prices are read as cents:',
  '',
  '   ```ts',
  '   export const priceOf = (id: string): Money => ({ cents: Math.round(read(id).price * 100) });',
  '   ```',
  '',
  '3. **Cart.** `lineCents` rounds once per line, before the sum.',
  '4. **Report.** `dailyReport` adds cents and formats at the end.',
  '',
  '## What stays',
  '',
  '| part | why |',
  '| --- | --- |',
  '| `percentOf` | it rounds already |',
  '| the till’s import | it sends cents |',
  '',
  '## How it is checked',
  '',
  '- The tests of `pricing` with 10,000 random carts',
  '- The receipt of [March](docs/receipts.md)',
  '',
].join('\n');

export function planCard(over: Partial<PlanCard> = {}): PlanCard {
  return {
    kind: 'plan',
    id: 'pl1',
    toolUseId: 't9',
    title: 'Propose a plan',
    plan: SHORT_PLAN,
    comments: [],
    ...over,
  };
}

/** Long, edited, commented: all that a plan's card can hold. */
export function fullPlan(over: Partial<PlanCard> = {}): PlanCard {
  const quote = '3. **Cart.** `lineCents` rounds once per line, before the sum.';
  return planCard({
    plan: LONG_PLAN,
    edited: `${LONG_PLAN}- A receipt by hand\n`,
    comments: [
      {
        id: 'c1',
        from: 15,
        to: 15,
        quote,
        text: 'Per line or per item? The till does it per item.',
      },
      { id: 'c2', from: 5, to: 7, quote: '## Steps', text: 'Too many at once.', isGone: true },
    ],
    ...over,
  });
}

export function planState(...asks: readonly PlanCard[]): ViewState {
  const state = askState(...asks);
  const blocks = [
    text('x1', 'I have read the pricing code and know how to go about it.'),
    tool('t9', {
      ...{ name: 'ExitPlanMode', title: 'Propose a plan', summary: 'Dates in the report' },
      ...{ state: 'running', plan: { text: SHORT_PLAN } },
    }),
  ];
  const items = [...state.items.slice(0, 1), { kind: 'assistant', id: 'a1', blocks } as const];
  return { ...state, items: items.map((item) => ({ ...item })), mode: 'plan' };
}

/** After the answers: one was not approved, one was, with edits. */
export function decidedPlans(): ViewState {
  const state = planState();
  const plan = { text: SHORT_PLAN };
  const row = { name: 'ExitPlanMode', title: 'Propose a plan', plan };
  const blocks = [
    tool('t8', {
      ...{ ...row, summary: 'Dates', state: 'denied', figure: 'not approved' },
      result: { text: 'Shorter, please', size: 15, isError: true },
    }),
    tool('t9', { ...row, summary: 'Dates in the report', figure: 'approved with your edits' }),
    text('x2', 'I begin with the format.'),
  ];
  const items = [...state.items.slice(0, 1), { kind: 'assistant', id: 'a1', blocks } as const];
  return { ...state, items: items.map((item) => ({ ...item })), status: { kind: 'working' } };
}
