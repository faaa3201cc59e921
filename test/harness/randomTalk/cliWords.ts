/** Moves of the CLI; where one does not fit it makes the next that does. */
export const CLI_MOVES = [
  'go on',
  'say',
  'ask',
  'ask again',
  'ask questions',
  'ask a form',
  'ask unheard',
  'take back a question',
  'end the turn',
  'fail the turn',
  'begin unasked',
] as const;
export type CliMove = (typeof CLI_MOVES)[number];

/** What it asks with. */
export const TOOLS = { tool: 'Bash', questions: 'AskUserQuestion', form: 'mcp__ext__ask' } as const;
export const FORM = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] };
export const QUESTIONS = {
  questions: [
    {
      ...{ question: 'Which?', header: 'Which', multiSelect: false },
      options: ['One', 'Two'].map((label) => ({ label, description: label })),
    },
  ],
};
export const INITIALIZED = {
  commands: [],
  agents: [],
  models: [{ value: 'default', displayName: 'Default', description: 'Scripted' }],
  account: { tokenSource: 'none', apiKeySource: 'ANTHROPIC_API_KEY' },
  claude_code_version: '2.1.332',
  current_permission_mode: 'default',
  sdk_mcp_manifests_parked: {},
};

/** A deny with `interrupt` stops the turn. */
export function isInterrupting(response: object): boolean {
  const { response: body } = response as { readonly response?: { readonly interrupt?: unknown } };
  return body?.interrupt === true;
}
