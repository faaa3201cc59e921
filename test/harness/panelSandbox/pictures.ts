// Draws the panel's states into test/.artifacts/panel. Usage: node test/harness/runTs.mjs THIS_FILE
// With PATCHBAY_PICTURES=ask only those whose names hold it.
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { inRoot } from '../paths';
import { eventually } from './eventually';
import { PanelSandbox, type PanelOptions } from './sandbox';
import {
  cardState,
  commandCard,
  editCard,
  fetchCard,
  longCommandCard,
  manyCards,
  outsideCard,
  ownToolCard,
} from './cardStates';
import { approvalState, filesCards } from './approvalStates';
import { askState, bigForm, oneQuestion, pageCard, smallForm, twoQuestions } from './askStates';
import { decidedPlans, fullPlan, planCard, planState } from './planStates';
import { agentState, emptyState, errorState, longState, streamingState, workState } from './states';
import { COMMANDS, MENTIONS, saidState } from './suggestRows';
import type { ViewState } from '../../../src/chat/viewStateProtocol';

const SHOTS: readonly (readonly [string, ViewState, PanelOptions])[] = [
  ['empty-dark-400', emptyState(), { theme: 'dark', height: 700 }],
  ['empty-light-300', emptyState(), { theme: 'light', width: 300, height: 700 }],
  ['work-dark-400', workState(), { theme: 'dark' }],
  ['work-light-300', workState(), { theme: 'light', width: 300, height: 1080 }],
  ['work-dark-1000', workState(), { theme: 'dark', width: 1000, height: 900, ground: 'editor' }],
  ['work-hc-400', workState(), { theme: 'hc' }],
  ['work-hcLight-400', workState(), { theme: 'hcLight' }],
  ['error-dark-400', errorState(), { theme: 'dark', height: 600 }],
  ['error-light-400', errorState(), { theme: 'light', height: 600 }],
  ['streaming-dark-400', streamingState(), { theme: 'dark' }],
  ['streaming-light-1000', streamingState(), { theme: 'light', width: 1000, height: 800 }],
  ['long-dark-300', longState(), { theme: 'dark', width: 300, height: 2000 }],
  ...askShots(),
  ...cardShots(),
  ...planShots(),
  ...approvalShots(),
];

/** Tool files that are new, changed, and many. */
function approvalShots(): (readonly [string, ViewState, PanelOptions])[] {
  return Object.entries(filesCards).flatMap(([name, card]) =>
    (['dark', 'light', 'hc', 'hcLight'] as const).flatMap((theme) =>
      [300, 560].map((width) => {
        const options = { theme, width, height: 1100 };
        return [`approval-${name}-${theme}-${width}`, approvalState(card()), options] as const;
      }),
    ),
  );
}

/** A plan: short, with all that it can hold, interrupted, without a text, and decided. */
function planShots(): (readonly [string, ViewState, PanelOptions])[] {
  const states: Readonly<Record<string, ViewState>> = {
    short: planState(planCard()),
    full: planState(fullPlan()),
    interrupted: planState(planCard({ interrupted: true })),
    none: planState(planCard({ plan: undefined })),
    decided: decidedPlans(),
  };
  return Object.entries(states).flatMap(([name, state]) =>
    (['dark', 'light', 'hc', 'hcLight'] as const).flatMap((theme) =>
      (theme === 'dark' || theme === 'light' ? [400, 300] : [400]).map((width) => {
        const height = name === 'full' ? 1000 : 700;
        return [`plan-${name}-${theme}-${width}`, state, { theme, width, height }] as const;
      }),
    ),
  );
}

/** Each kind of what is asked, in each kind of theme and in a narrow panel. */
function askShots(): (readonly [string, ViewState, PanelOptions])[] {
  const draft = { '1': 'x', '2': '12', '3': 'me@shop', '6': ['0', '2'] };
  const filled = { '0': ['1'], '1': ['0', '2'], '1/own': 'Parquet', '1/notes': 'no headers' };
  const states: Readonly<Record<string, ViewState>> = {
    form: askState(bigForm({ draft })),
    small: askState(smallForm(), pageCard()),
    question: askState(oneQuestion()),
    questions: askState({ ...twoQuestions(), draft: filled }),
    interrupted: askState(oneQuestion({ interrupted: true }), {
      ...pageCard(),
      url: 'file:///etc',
      host: undefined,
    }),
  };
  return Object.entries(states).flatMap(([name, state]) =>
    (['dark', 'light', 'hc', 'hcLight'] as const).flatMap((theme) =>
      (theme === 'dark' || theme === 'light' ? [400, 300] : [400]).map((width) => {
        const height = name === 'form' ? 1250 : 900;
        return [`ask-${name}-${theme}-${width}`, state, { theme, width, height }] as const;
      }),
    ),
  );
}

/** Each kind of permission request, in each kind of theme and in a narrow panel. */
function cardShots(): (readonly [string, ViewState, PanelOptions])[] {
  const states: Readonly<Record<string, ViewState>> = {
    change: cardState(commandCard(), editCard()),
    outside: cardState(outsideCard(), fetchCard()),
    tools: cardState(ownToolCard(), longCommandCard()),
    always: cardState(commandCard()),
    many: cardState(...manyCards(200)),
  };
  return Object.entries(states).flatMap(([name, state]) =>
    (['dark', 'light', 'hc', 'hcLight'] as const).flatMap((theme) =>
      (theme === 'dark' || theme === 'light' ? [400, 300] : [400]).map(
        (width) =>
          [`card-${name}-${theme}-${width}`, state, { theme, width, height: 980 }] as const,
      ),
    ),
  );
}

const wanted = process.env.PATCHBAY_PICTURES ?? '';

test('the states are drawn', async () => {
  const out = inRoot('test/.artifacts/panel');
  mkdirSync(out, { recursive: true });
  const sandbox = await PanelSandbox.start();
  try {
    for (const [name, state, options] of SHOTS.filter(([name]) => name.includes(wanted))) {
      const panel = await sandbox.open(state, {
        ...options,
        context: {
          deviceScaleFactor: 1.5,
          viewport: { width: options.width ?? 400, height: options.height ?? 980 },
        },
      });
      await panel.page.getByRole('textbox', { name: 'Message' }).waitFor();
      if (name.startsWith('work')) {
        await panel.page.getByRole('button', { name: 'Problems, done' }).click();
      }
      if (name.startsWith('plan-decided')) {
        for (const state of ['denied', 'done']) {
          await panel.page.getByRole('button', { name: `Propose a plan, ${state}` }).click();
        }
      }
      if (name.startsWith('ask-form'))
        await panel.page.getByRole('button', { name: 'Submit' }).click();
      if (name.startsWith('card-always'))
        await panel.page.getByRole('button', { name: 'Always allow…' }).click();
      await panel.page.evaluate(() => document.fonts.ready.then(() => undefined));
      await panel.page.mouse.move(0, 0);
      await panel.page.screenshot({ path: `${out}/${name}.png` });
      const wide = await panel.page.evaluate(
        () =>
          document.documentElement.scrollWidth > innerWidth ||
          (document.querySelector('.scroller')?.scrollWidth ?? 0) > innerWidth,
      );
      if (wide || panel.errors.length > 0) console.log(name, wide ? 'SIDEWAYS' : '', panel.errors);
      await panel.close();
    }
    if (wanted !== '') return;
    const panel = await sandbox.open(workState(), { height: 700 });
    await panel.page.getByRole('button', { name: 'Permission mode: Ask' }).click();
    await panel.page.screenshot({ path: `${out}/picker-dark-400.png` });
    await panel.page.keyboard.press('Escape');
    await panel.page.getByRole('button', { name: /^Usage: / }).click();
    await panel.page.screenshot({ path: `${out}/usage-dark-400.png` });
    await panel.close();
    await drawSuggestions(sandbox, out);
    const agent = await sandbox.open(agentState(), { height: 700, theme: 'light' });
    await agent.page.getByRole('button', { name: 'Agent, running' }).click();
    await agent.page.getByRole('textbox', { name: 'Message' }).fill('and then\nthe changelog');
    await agent.page.getByRole('article', { name: 'Claude' }).hover();
    await agent.page.screenshot({ path: `${out}/agent-light-400.png` });
    await agent.close();
  } finally {
    await sandbox.close();
  }
});

/** The lists over the message box, as they stand after a first letter. */
async function drawSuggestions(sandbox: PanelSandbox, out: string): Promise<void> {
  const shots = [
    ['commands-dark-400', '/', { theme: 'dark', height: 640 }],
    ['commands-hc-300', '/', { theme: 'hc', width: 300, height: 640 }],
    ['mentions-light-400', 'Look at @', { theme: 'light', height: 640 }],
    ['mentions-dark-300', 'Look at @', { theme: 'dark', width: 300, height: 640 }],
    ['mentions-hcLight-400', 'Look at @', { theme: 'hcLight', height: 640 }],
    [
      'mentions-dark-1000',
      'Look at @',
      { theme: 'dark', width: 1000, height: 640, ground: 'editor' },
    ],
  ] as const satisfies readonly (readonly [string, string, PanelOptions])[];
  for (const [name, typed, options] of shots) {
    const panel = await sandbox.open(saidState(), {
      ...options,
      context: {
        deviceScaleFactor: 1.5,
        viewport: { width: 'width' in options ? options.width : 400, height: options.height },
      },
    });
    const { page } = panel;
    await page.getByRole('textbox', { name: 'Message' }).focus();
    await page.getByRole('button', { name: 'Sent: Prompt plan of notes' }).click();
    await page.getByRole('textbox', { name: 'Message' }).focus();
    await page.keyboard.type(typed);
    const isMention = typed.endsWith('@');
    await eventually(() => panel.sent('suggest').length > 0);
    await panel.send({
      type: 'suggestions',
      queryId: panel.sent('suggest').at(-1)?.queryId ?? 0,
      answer: {
        rows: isMention ? MENTIONS : COMMANDS,
        notes: isMention ? ['deploy could not be asked: no answer within 5 s'] : [],
        isPending: false,
      },
    });
    await page.getByRole('listbox').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await page.screenshot({ path: `${out}/${name}.png` });
    await panel.close();
  }
  const hint = await sandbox.open(saidState(), { height: 640, theme: 'light' });
  await hint.page.getByRole('textbox', { name: 'Message' }).focus();
  await hint.page.keyboard.type('/notes:plan id=');
  await eventually(() => hint.sent('suggest').at(-1)?.query.text === 'id=');
  await hint.send({
    type: 'suggestions',
    queryId: hint.sent('suggest').at(-1)?.queryId ?? 0,
    answer: {
      rows: ['milk', 'tax'].map((label) => ({
        ...{ id: label, icon: 'symbol-constant', label, insert: `id=${label} ` },
      })),
      notes: [],
      isPending: false,
      hint: 'id: Which note',
    },
  });
  await hint.page.getByRole('listbox').waitFor();
  await hint.page.screenshot({ path: `${out}/arguments-light-400.png` });
  await hint.close();
}
