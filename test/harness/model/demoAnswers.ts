/** Said when no rule of the demo fits, and to a greeting. */
export const WHAT_TO_ASK = `This is the offline scripted model: it knows a few answers by heart, but its tool calls, permissions and files are real.

You can ask:

- which errors are in my open files?
- which files are open?
- where is \`calcTotal\` defined?
- read \`src/report.ts\`
- fix the type error
- run the tests
- explain the shop at length
- ask me something
- plan the dates of the report
- write a tool that counts the problems

To get real answers, log in with the CLI and start a new conversation.`;

/** Asked by the CLI's own tool: one choice with previews, and several choices. */
export const QUESTIONS = {
  questions: [
    {
      question: 'How should the report write its dates?',
      header: 'Dates',
      multiSelect: false,
      options: [
        { label: 'ISO', description: 'Sorts by itself', preview: '2026-03-31' },
        { label: 'In words', description: 'For people', preview: '31 March 2026' },
      ],
    },
    {
      question: 'Which formats should the export have?',
      header: 'Formats',
      multiSelect: true,
      options: [
        { label: 'CSV', description: 'For spreadsheets' },
        { label: 'JSON', description: 'For other programs' },
      ],
    },
  ],
};

/** What it proposes in plan mode. */
export const PLAN = `# Dates in the report

1. Add \`formatDay\` to \`src/format.ts\`
2. Use it in \`dailyReport\`
3. Run the tests
`;

/** A long answer with headings, a list, a table and code: something to watch and to stop. */
export const LONG_ANSWER = `# How the shop adds up

A cart goes through four small steps before the customer sees a figure. Each step lives in a file of its own, and none of them knows more than it must.

## The steps

1. **Catalog.** \`Catalog.find\` turns an id into a product, or throws with the id in its message. Nothing else looks products up.
2. **Cart.** \`addToCart\` never changes the cart that it is given. It returns a new one, so that an earlier total stays true.
3. **Pricing.** \`lineCents\` adds the tax of one line, and \`calcTotal\` sums the lines and takes the discount off.
4. **Report.** \`dailyReport\` writes a line for each cart and the sum under them.

## Where money is rounded

Amounts are whole cents from the first step to the last. Only two places may produce a fraction, and both go through \`percentOf\`:

| place | what is taken | rounded |
| --- | --- | --- |
| \`lineCents\` | the tax of a line | to a cent, halves away from zero |
| \`calcTotal\` | the discount of the cart | to a cent, halves away from zero |

A line is rounded before the sum, not after it. That is what the till does, and it is why a receipt can be checked by hand.

## The heart of it

\`\`\`ts
export function calcTotal(cart: Cart): number {
  const full = cart.lines.reduce((sum, line) => sum + lineCents(line), 0);
  return full - percentOf(full, discountPercent(cart));
}
\`\`\`

The discount depends on the number of items, not on their price: ten plain cups are cheaper by the piece than nine.

## What to watch for

- A product that changes its tax band changes old carts too, because a line holds the product itself.
- \`formatMoney\` returns text. Whoever wants to calculate must keep the cents.
- The day of a report is taken in universal time. A shop that closes after midnight may see a cart on the wrong day.

## What could come next

The discount is a constant inside the code. A table of steps, read from the same place as the products, would let the shop change it without a release. The tests for rounding would not have to change, since the table would only choose the percentage and \`percentOf\` would still do the arithmetic.

That is the whole path: four files, one rule for rounding, and no figure that cannot be checked with a pencil.`;
