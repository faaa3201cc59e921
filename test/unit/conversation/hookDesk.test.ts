import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EditGuard } from '../../../src/conversation/editGuardHook';
import { HookBook, hookEntry } from '../../../src/conversation/hookBook';
import { createHookDesk, hookDeclaration } from '../../../src/conversation/hookDesk';
import type { HookEvent } from '../../../src/conversation/hookTypes';
import { listLogger } from '../../harness/fakeCli/cliHarness';

type Handler = (input: never, context: { readonly signal: AbortSignal }) => unknown;

function deskOf(guard: EditGuard = () => Promise.resolve({})) {
  const book = new HookBook();
  const log: string[] = [];
  const told: object[] = [];
  const desk = createHookDesk({
    ...{ book, guard, log: listLogger(log), conversation: { id: 'c', cwd: '/w' } },
    agent: () =>
      Promise.resolve({
        initialize: (options: object) => {
          told.push(options);
          return Promise.resolve({});
        },
      }),
    deadlineMs: () => 20,
  });
  const add = (event: HookEvent, run: Handler, matcher?: string) =>
    book.add(hookEntry('acme.sample', { event, run, matcher }));
  const ask = (event: string, input: object = {}) =>
    desk.answer(
      { subtype: 'hook_callback', callback_id: 'x', input: { hook_event_name: event, ...input } },
      { requestId: 'r', signal: new AbortController().signal },
    );
  return { book, log, told, desk, add, ask };
}

const bash = { tool_name: 'Bash', tool_input: { command: 'ls' } };
const output = (more: object): object => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', ...more },
});
const permission = (kind: string, reason: string, more: object = {}): object =>
  output({ ...more, permissionDecision: kind, permissionDecisionReason: reason });

test('of several hooks a denial goes before a question, and texts are joined', async () => {
  const { add, ask } = deskOf();
  add('PreToolUse', () => ({ additionalContext: 'one' }));
  add('PreToolUse', () => Promise.resolve({ ask: 'Sure?', additionalContext: 'two' }));
  assert.deepEqual(
    await ask('PreToolUse', bash),
    permission('ask', 'Sure?', { additionalContext: 'one\n\ntwo' }),
  );
  add('PreToolUse', () => ({ deny: 'No shell' }));
  add('PreToolUse', () => ({ deny: 'Not today' }));
  assert.deepEqual(
    await ask('PreToolUse', bash),
    permission('deny', 'No shell\nNot today', { additionalContext: 'one\n\ntwo' }),
  );
});

test('a matcher is held against the whole name of a tool, also of ours (M17)', async () => {
  const { add, ask } = deskOf();
  add('PreToolUse', () => ({ deny: 'x' }), 'mcp__git__.*|Bash');
  const isDenied = async (tool_name: string): Promise<boolean> =>
    JSON.stringify(await ask('PreToolUse', { tool_name })).includes('deny');
  assert.equal(await isDenied('mcp__git__commit'), true);
  assert.equal(await isDenied('Bash'), true);
  assert.equal(await isDenied('BashOutput'), false);
  assert.equal(await isDenied('mcp__github__commit'), false);
});

test('a hook that throws, or does not answer in time, asks the person where the event can, and is logged', async () => {
  for (const run of [
    () => {
      throw new Error('broken');
    },
    () => Promise.reject(new Error('broken')),
    () => new Promise(() => undefined),
  ]) {
    const { add, ask, log } = deskOf();
    add('PreToolUse', run);
    add('PostToolUse', run);
    add('UserPromptSubmit', run);
    assert.match(JSON.stringify(await ask('PreToolUse', bash)), /"ask".*acme\.sample/);
    assert.deepEqual(await ask('PostToolUse', bash), {});
    assert.deepEqual(await ask('UserPromptSubmit', { prompt: 'x' }), {});
    assert.equal(log.filter((line) => line.startsWith('error')).length, 3);
  }
});

test('what a handler writes into its input changes nothing of what others see and the guard judges', async () => {
  const judged: unknown[] = [];
  const { add, ask } = deskOf(({ input }) => {
    judged.push(input.tool_input);
    return Promise.resolve({});
  });
  const seen: unknown[] = [];
  add('PreToolUse', (input: { tool_input: Record<string, unknown> }) => {
    input.tool_input.file_path = '/w/other.ts';
    delete input.tool_input.content;
  });
  add('PreToolUse', (input: { tool_input: unknown }) => {
    seen.push(input.tool_input);
  });
  const given = { file_path: '/w/.env', content: 'x' };
  await ask('PreToolUse', { tool_name: 'Write', tool_input: { ...given } });
  assert.deepEqual([seen, judged], [[given], [given]]);
});

test('a handler is told when nobody waits for it any more', async () => {
  const { add, ask } = deskOf();
  const signals: AbortSignal[] = [];
  add('PreToolUse', (_input, { signal }) => {
    signals.push(signal);
    return new Promise(() => undefined);
  });
  await ask('PreToolUse', bash);
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true],
  );
});

test('what an event does not take is left out, also an allow: only the person allows', async () => {
  const { add, ask } = deskOf();
  const all = {
    ...{ allow: true, permissionDecision: 'allow', decision: 'approve', deny: 1 },
    ...{ ask: 'Sure?', updatedInput: { a: 1 }, additionalContext: 'text' },
  };
  for (const event of ['PostToolUse', 'UserPromptSubmit', 'Stop', 'PreCompact'] as const) {
    add(event, () => all);
  }
  const context = (event: string) => ({
    hookSpecificOutput: { hookEventName: event, additionalContext: 'text' },
  });
  assert.deepEqual(await ask('PostToolUse'), context('PostToolUse'));
  assert.deepEqual(await ask('UserPromptSubmit'), context('UserPromptSubmit'));
  assert.deepEqual(await ask('Stop'), {});
  assert.deepEqual(await ask('PreCompact'), {});
  assert.deepEqual(await ask('NeverHeardOf'), {});
});

test('each way of holding back goes over the wire as the CLI reads it', async () => {
  const { add, ask } = deskOf();
  for (const event of ['Stop', 'PermissionRequest', 'PreModelSwitch'] as const) {
    add(event, () => ({ deny: '' }));
  }
  const reason = 'An extension of the editor does not allow it.';
  assert.deepEqual(await ask('Stop'), { decision: 'block', reason });
  assert.deepEqual(await ask('PermissionRequest'), {
    hookSpecificOutput: {
      hookEventName: 'PermissionRequest',
      decision: { behavior: 'deny', message: reason },
    },
  });
  assert.match(JSON.stringify(await ask('PreModelSwitch')), /"permissionDecision":"deny"/);
});

test('the guard is asked about the input as a hook changed it, not at all where one denies; the first change counts', async () => {
  const seen: unknown[] = [];
  const { add, ask, log } = deskOf(({ input }) => {
    seen.push(input.tool_input);
    return Promise.resolve(permission('allow', 'checked') as Record<string, unknown>);
  });
  const write = { tool_name: 'Write', tool_input: { file_path: '/w/a', content: 'x' } };
  add('PreToolUse', () => ({ updatedInput: { file_path: '/etc/passwd' } }));
  add('PreToolUse', () => ({ updatedInput: { file_path: '/w/late' } }));
  assert.deepEqual(
    await ask('PreToolUse', write),
    permission('allow', 'checked', { updatedInput: { file_path: '/etc/passwd' } }),
  );
  assert.deepEqual(seen, [{ file_path: '/etc/passwd' }]);
  assert.match(log.join('\n'), /the first counts/);
  add('PreToolUse', () => ({ ask: 'Sure?' }));
  assert.match(JSON.stringify(await ask('PreToolUse', write)), /"permissionDecision":"ask"/);
  add('PreToolUse', () => ({ deny: 'no' }));
  await ask('PreToolUse', write);
  assert.equal(seen.length, 2);
});

test('a denial of the guard stands above what hooks ask', async () => {
  const { add, ask } = deskOf(() =>
    Promise.resolve(permission('deny', 'unsaved') as Record<string, unknown>),
  );
  add('PreToolUse', () => ({ ask: 'Sure?', additionalContext: 'text' }));
  assert.deepEqual(
    await ask('PreToolUse', { tool_name: 'Edit' }),
    permission('deny', 'unsaved', { additionalContext: 'text' }),
  );
});

test('only what somebody listens to is declared, and a running CLI is told of what comes and goes', async () => {
  const { book, told, add, desk } = deskOf();
  const before = hookDeclaration(book);
  assert.deepEqual(Object.keys(before), ['PreToolUse']);
  assert.match(before.PreToolUse?.[0]?.matcher ?? '', /NotebookEdit.*mcp__/);
  const registration = add('PreToolUse', () => undefined);
  add('Stop', () => undefined);
  const wide = hookDeclaration(book);
  assert.equal(wide.PreToolUse?.[0]?.matcher, undefined, 'an extension sees every tool');
  assert.deepEqual(Object.keys(wide).sort(), ['PreToolUse', 'Stop']);
  await Promise.resolve(registration.dispose());
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(told.length, 3);
  assert.deepEqual(told.at(-1), { hooks: hookDeclaration(book) });
  desk.dispose();
  add('Stop', () => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(told.length, 3, 'a conversation that has ended hears nothing');
});

test('what cannot be a hook is refused with what is wrong with it', () => {
  const run = () => undefined;
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /object/],
    [{ event: 'Nope', run }, /no hook event 'Nope'/],
    [{ event: 'constructor', run }, /no hook event/],
    [{ event: 'WorktreeCreate', run }, /not offered/],
    [{ event: 'MessageDisplay', run }, /not offered/],
    [{ event: 'Stop' }, /run must be a function/],
    [{ event: 'PreToolUse', run, matcher: '(' }, /regular expression/],
    [{ event: 'PreToolUse', run, matcher: 5 }, /matcher must be a text/],
  ];
  for (const [given, reason] of wrong) {
    assert.throws(() => hookEntry('acme.sample', given), reason);
  }
});
