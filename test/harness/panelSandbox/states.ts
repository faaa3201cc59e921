import type {
  AssistantItem,
  Block,
  PermissionCard,
  ToolBlock,
  ViewState,
} from '../../../src/chat/viewStateProtocol';

/** States of the panel to look at and to test with. Every call makes fresh ones. */
export function emptyState(): ViewState {
  return {
    items: [],
    title: '',
    status: { kind: 'idle' },
    permissions: [],
    asks: [],
    queue: [],
    folder: { name: 'shop', path: '/home/me/shop' },
    model: 'opus',
    models: [
      { id: 'default', label: 'Default', description: 'What the CLI recommends' },
      { id: 'opus', label: 'Opus', description: 'For hard work' },
      { id: 'haiku', label: 'Haiku', description: 'Quick answers' },
    ],
    mode: 'default',
    modes: [
      { id: 'default', label: 'Ask', description: 'Asks before it changes anything' },
      { id: 'acceptEdits', label: 'Edit', description: 'Edits files without asking' },
      { id: 'plan', label: 'Plan', description: 'Reads and plans, changes nothing' },
      {
        id: 'bypassPermissions',
        label: 'Bypass',
        description: 'Never asks',
        disabledReason: 'Not available: the session was not started with it',
      },
    ],
    usage: undefined,
    notice: undefined,
    suggestions: [
      {
        id: 's1',
        icon: 'warning',
        title: 'Fix 3 problems in pricing.ts',
        detail: '2 errors, 1 warning from TypeScript',
        prompt: 'Fix the 3 problems in src/pricing.ts.',
      },
      {
        id: 'tests',
        icon: 'beaker',
        title: 'Fix the failing test run: npm test',
        detail: 'exit code 1',
        prompt: 'Fix the failing test run: npm test (exit code 1).',
      },
      {
        id: 's2',
        icon: 'git-commit',
        title: 'Review my changes',
        detail: '4 files changed on feature/totals',
        prompt: 'Review my uncommitted changes.',
      },
    ],
    toolCount: 4,
    sendKey: 'enter',
  };
}

export function tool(id: string, over: Partial<ToolBlock>): ToolBlock {
  return {
    kind: 'tool',
    id,
    name: 'mcp__code__diagnostics',
    title: 'Problems',
    summary: '',
    state: 'done',
    input: '{\n  "scope": "open"\n}',
    ...over,
  };
}

export function text(id: string, words: string, streaming = false): Block {
  return { kind: 'text', id, text: words, streaming };
}

export function permission(over: Partial<PermissionCard> = {}): PermissionCard {
  return {
    id: 'p1',
    toolName: 'Bash',
    title: 'Run a command',
    body: 'npm test -- --update report',
    bodyKind: 'command',
    reason: 'Runs in shop.',
    conversationRule: 'Bash(npm test *)',
    ...over,
  };
}

export const LONG_COMMAND =
  'find . -name "*.test.ts" -not -path "./node_modules/*" -print0 | xargs -0 node --test --test-reporter=spec --experimental-test-coverage && git diff --stat';

function workBlocks(): Block[] {
  return [
    {
      kind: 'thinking',
      id: 'k1',
      text: 'The name is exported.',
      streaming: false,
      durationMs: 4100,
    },
    text(
      'x1',
      'The language server knows all uses, so I rename through it and then read the problems it leaves.',
    ),
    tool('t1', {
      title: 'Find references',
      summary: 'calcTotal in pricing.ts',
      figure: '12 in 5 files',
    }),
    tool('t2', {
      title: 'Rename symbol',
      summary: 'calcTotal → orderTotal',
      figure: '5 files · 0.2 s',
    }),
    tool('t3', {
      summary: '2 new, 0 fixed',
      figure: '48 tok',
      result: {
        text: "2 errors since the rename\nsrc/report.ts\n 14:9 error Cannot find name 'calcTotal'. [ts 2304]\n 31:22 error Property 'calcTotal' does not exist. [ts 2339]",
        size: 151,
        isError: false,
      },
    }),
    tool('t4', {
      name: 'Edit',
      title: 'Edit',
      summary: 'src/report.ts',
      diff: {
        path: 'src/report.ts',
        added: 1,
        removed: 1,
        hunks: [
          {
            oldStart: 13,
            newStart: 13,
            lines: [
              ' export function summary(o: Order) {',
              '-  const t = calcTotal(o);',
              '+  const t = orderTotal(o);',
              '   return format(t);',
            ],
          },
        ],
      },
    }),
    tool('t5', {
      name: 'Bash',
      title: 'Run a command',
      summary: 'exit 1: no such script "lint"',
      state: 'failed',
      durationMs: 840,
      result: { text: 'npm error Missing script: "lint"', size: 32, isError: true },
    }),
    tool('t6', { title: 'Symbols', summary: 'orderTotal', state: 'running' }),
    text('x2', 'Both are mended. One test snapshot holds the old name; shall I run the tests?'),
  ];
}

/** A conversation at work: a rail with every kind of row, a decision, a queue. */
export function workState(): ViewState {
  const turn: AssistantItem = { kind: 'assistant', id: 'a1', blocks: workBlocks() };
  return {
    ...emptyState(),
    title: 'Rename calcTotal to orderTotal',
    items: [
      {
        kind: 'user',
        id: 'u1',
        text: 'Rename calcTotal to orderTotal everywhere and fix what breaks.',
      },
      turn,
    ],
    status: { kind: 'waitingForPermission' },
    permissions: [permission()],
    queue: [{ id: 'q1', text: 'then update the changelog' }],
    usage: {
      costUsd: 0.18,
      inputTokens: 51_200,
      outputTokens: 640,
      turns: 6,
      contextFill: 0.31,
      contextTokens: 62_000,
    },
  };
}

export function errorState(): ViewState {
  const state = workState();
  return {
    ...state,
    status: { kind: 'failed' },
    permissions: [],
    queue: [],
    items: [
      ...state.items.slice(0, 1),
      {
        kind: 'assistant',
        id: 'a1',
        blocks: [
          tool('t7', {
            name: 'Edit',
            title: 'Edit',
            summary: 'src/report.ts has unsaved changes',
            state: 'denied',
            actions: ['saveAndRetry', 'discardAndRetry'],
          }),
        ],
        stopped: true,
      },
      {
        kind: 'error',
        id: 'e1',
        message: 'The model could not be reached: the service is overloaded.',
        kept: 'Your message and everything above are kept.',
        next: 'Try again in a minute, or choose another model.',
        details: 'API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}',
        actions: ['retry', 'showLog'],
      },
    ],
  };
}

export const ANSWER = [
  '## What I found',
  '',
  'Three files still use `calcTotal`, and the **old name** stands in one snapshot. See [report.ts](src/report.ts) or <https://example.com/docs>.',
  '',
  '1. `src/report.ts` calls it twice',
  '2. `src/cart.ts` re-exports it',
  '   - under its old name',
  '',
  '```ts',
  'export function summary(o: Order): string {',
  '  return format(orderTotal(o), { currency: o.currency, locale: o.customer.locale ?? "en" });',
  '}',
  '```',
  '',
  '| file | uses |',
  '|---|---|',
  '| report.ts | 2 |',
  '| cart.ts | 1 |',
  '',
  '> The snapshot is generated.',
  '',
  'مرحبا بالعالم، هذا النص من اليمين إلى اليسار.',
  '',
  'Shall I go on',
].join('\n');

/** In the middle of an answer. */
export function streamingState(words = ANSWER): ViewState {
  const state = workState();
  return {
    ...state,
    status: { kind: 'working' },
    permissions: [],
    queue: [],
    items: [
      ...state.items.slice(0, 1),
      {
        kind: 'assistant',
        id: 'a1',
        blocks: [
          { kind: 'thinking', id: 'k1', text: 'Hm.', streaming: false, durationMs: 2300 },
          tool('t1', {
            title: 'Find references',
            summary: 'calcTotal in pricing.ts',
            figure: '12 in 5 files',
          }),
          text('x1', words, true),
        ],
      },
    ],
  };
}

/** Long words everywhere, to see that nothing scrolls sideways. */
export function longState(): ViewState {
  const state = workState();
  const long = 'A'.repeat(400);
  return {
    ...state,
    title: `Rename ${long}`,
    notice:
      'No login: answers come from a scripted model on this machine. Tool calls and permissions are real.',
    items: [
      { kind: 'user', id: 'u1', text: `Look at ${long}` },
      {
        kind: 'assistant',
        id: 'a1',
        blocks: [...workBlocks(), text('x9', `${long}\n\n${ANSWER}`)],
      },
      { kind: 'notice', id: 'n1', tone: 'info', text: 'The conversation was compacted.' },
    ],
    permissions: [permission({ body: LONG_COMMAND, reason: long.slice(0, 120) })],
    folder: { name: `folder-${long}`, path: `/${long}` },
  };
}

/** A sub-agent with calls of its own, and a decision about a file. */
export function agentState(): ViewState {
  const state = workState();
  const diff = {
    path: 'src/report.ts',
    added: 1,
    removed: 0,
    hunks: [{ oldStart: 2, newStart: 2, lines: [' const a = 1;', '+const b = 2;'] }],
  };
  const inside = { parentToolUseId: 'g1' };
  return {
    ...state,
    items: [
      ...state.items.slice(0, 1),
      {
        kind: 'assistant',
        id: 'a1',
        blocks: [
          tool('g1', {
            name: 'Agent',
            title: 'Agent',
            summary: 'Find all callers',
            state: 'running',
          }),
          tool('g2', { title: 'Find references', summary: 'calcTotal', ...inside }),
          tool('g3', { title: 'Symbols', summary: 'orderTotal', state: 'cancelled', ...inside }),
          { kind: 'text', id: 'g4', text: 'Twelve callers.', streaming: false, ...inside },
          text('x1', 'The agent looks for the callers.'),
        ],
      },
    ],
    permissions: [
      permission({
        title: 'Edit',
        toolName: 'Edit',
        body: 'src/report.ts',
        bodyKind: 'path',
        diff,
      }),
    ],
  };
}
