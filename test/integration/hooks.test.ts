import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { HookBook, hookEntry } from '../../src/conversation/hookBook';
import { hookDeclaration } from '../../src/conversation/hookDesk';
import { HOOK_EVENTS } from '../../src/conversation/hookEvents';
import type { HookEvent } from '../../src/conversation/hookTypes';
import { runCli } from '../harness/fakeCli/cliHarness';
import { startModel } from '../harness/model/modelServer';
import { createRealCliSandbox } from '../harness/model/realCli';
import { message, say, toolUse, type Turn } from '../harness/model/script';
import {
  calculatorRegistry,
  type ConversationBench,
  createBench,
  isIdle,
  saidIn,
  toolsOf,
} from './conversationBench';

/** What the model does after the prompt of that name. */
const plays: Readonly<Record<string, () => ReturnType<typeof message>>> = {
  ours: () =>
    message([
      toolUse('mcp__probe__echo', { value: 'secret' }),
      toolUse('mcp__probe__echo', { value: 'plain' }),
    ]),
  shell: () => message([toolUse('Bash', { command: 'touch first.txt' })]),
  read: () => message([toolUse('Read', { file_path: inWorkspace('src/a.ts') })]),
  settings: () =>
    message([toolUse('Write', { file_path: inWorkspace('.vscode/settings.json'), content: '{}' })]),
  write: () => message([toolUse('Write', { file_path: inWorkspace('src/b.ts'), content: '1' })]),
};

const book = new HookBook();
let bench: ConversationBench;
const inWorkspace = (name: string): string => path.join(bench.sandbox.workspace, name);

before(async () => {
  const script = (turn: Turn) =>
    turn.step === 0 ? (plays[turn.prompt]?.() ?? say(`Heard ${turn.prompt}.`)) : say('Done.');
  bench = await createBench({
    hooks: book,
    registry: calculatorRegistry(),
    mode: 'acceptEdits',
    settings: { allowedTools: ['mcp__probe__echo', 'mcp__probe__store', 'Bash'] },
    model: { script },
  });
});
after(() => bench.dispose());

type Handler = (input: Readonly<Record<string, unknown>>) => unknown;

/** A hook of an extension that is there for the time of the work. */
async function withHook(
  event: HookEvent,
  run: Handler,
  work: () => Promise<void>,
  matcher?: string,
): Promise<void> {
  const registered = book.add(hookEntry('acme.sample', { event, matcher, run }));
  // Answered behind what the CLI was told of the hook.
  await bench.conversation.serverStatus();
  try {
    await work();
  } finally {
    await registered.dispose();
  }
}

/** Plays a prompt to its end, denying each card; returns how many there were. */
async function play(prompt: string): Promise<number> {
  const items = bench.view.items.length;
  const seen = new Set<string>();
  await bench.prompt(prompt);
  for (;;) {
    await bench.until(
      'a card or the end',
      (view) =>
        view.permissions.some(({ id }) => !seen.has(id)) ||
        (view.items.length > items + 1 && isIdle(view)),
    );
    const card = bench.view.permissions.find(({ id }) => !seen.has(id));
    if (card === undefined) return seen.size;
    seen.add(card.id);
    bench.conversation.answerPermission(card.id, 'deny');
  }
}

const lastTools = (count: number) => toolsOf(bench.view).slice(-count);
const lastRequest = (): string =>
  JSON.stringify(bench.model.requests.filter(({ isSide }) => !isSide).at(-1)?.body);

test('a hook of an extension that comes while the conversation runs counts at once, and no more when it is gone', async () => {
  await play('hello');
  const seen: unknown[] = [];
  const look = (input: Readonly<Record<string, unknown>>): void => void seen.push(input.tool_name);
  await withHook('PreToolUse', look, async () => {
    await play('read');
    assert.deepEqual(seen, ['Read'], 'also a tool that our own guard does not look at');
  });
  await play('read');
  assert.equal(seen.length, 1);
  assert.match(saidIn(bench.view), /Heard hello/);
});

test('a hook denies calls of our own tools by their whole name, and the model reads why (M17)', async () => {
  const deny: Handler = ({ tool_input: input }) =>
    JSON.stringify(input).includes('secret') ? { deny: 'That is a secret.' } : undefined;
  await withHook('PreToolUse', deny, () => play('ours').then(() => undefined), 'mcp__probe__.*');
  const [first, second] = lastTools(2);
  assert.match(first?.result?.text ?? '', /That is a secret\./);
  assert.equal(second?.state, 'done');
  await withHook('PreToolUse', deny, () => play('ours').then(() => undefined), 'mcp__probe');
  assert.deepEqual(
    lastTools(2).map(({ state }) => state),
    ['done', 'done'],
    'half a name is none',
  );
});

test('a hook that asks brings a card although a rule allows the call; so does one that fails', async () => {
  assert.equal(await play('shell'), 0);
  await withHook(
    'PreToolUse',
    () => ({ ask: 'Is that wise?' }),
    async () => assert.equal(await play('shell'), 1),
    'Bash',
  );
  await withHook(
    'PreToolUse',
    () => {
      throw new Error('broken');
    },
    async () => assert.equal(await play('shell'), 1),
    'Bash',
  );
});

test('arguments that a hook changes are those that run, and the guard on writes judges them', async () => {
  const elsewhere = { command: 'touch second.txt' };
  await withHook(
    'PreToolUse',
    () => ({ updatedInput: elsewhere }),
    () => play('shell').then(() => undefined),
    'Bash',
  );
  await access(inWorkspace('second.txt'));
  const protectedPath = { file_path: inWorkspace('.vscode/tasks.json'), content: '{}' };
  await withHook(
    'PreToolUse',
    () => ({ updatedInput: protectedPath }),
    async () => assert.equal(await play('write'), 1),
    'Write',
  );
  await assert.rejects(access(inWorkspace('.vscode/tasks.json')));
  await assert.rejects(access(inWorkspace('src/b.ts')));
});

test('where the guard and a hook both ask there is one card, and it says both reasons', async () => {
  const reasons: (string | undefined)[] = [];
  await withHook(
    'PreToolUse',
    () => ({ ask: 'A freeze is on until Monday.' }),
    async () => {
      await bench.prompt('settings');
      await bench.until('the card', ({ permissions }) => permissions.length === 1);
      const [card] = bench.view.permissions;
      reasons.push(card?.reason);
      bench.conversation.answerPermission(card?.id ?? '', 'allowOnce');
      await bench.until(
        'the end',
        (view) =>
          view.permissions.some(({ id }) => id !== card?.id) ||
          (isIdle(view) && view.permissions.length === 0),
      );
    },
    'Write',
  );
  assert.deepEqual(bench.view.permissions, [], 'asked once');
  assert.match(reasons.join(), /\.vscode.*A freeze is on until Monday\./);
  await access(inWorkspace('.vscode/settings.json'));
});

test('what a hook adds after a tool reaches the model; one that fails there changes nothing', async () => {
  const inputs: Readonly<Record<string, unknown>>[] = [];
  const add: Handler = (input) => {
    inputs.push(input);
    return { additionalContext: 'The formatter has run.' };
  };
  await withHook('PostToolUse', add, () => play('read').then(() => undefined));
  assert.match(lastRequest(), /The formatter has run\./);
  assert.deepEqual(Object.keys(inputs[0] ?? {}).includes('tool_response'), true);
  await withHook(
    'PostToolUse',
    () => Promise.reject(new Error('broken')),
    () => play('read').then(() => undefined),
  );
  assert.equal(lastTools(1)[0]?.state, 'done');
});

test('a message that a hook holds back does not reach the model', async () => {
  const before = bench.model.requests.length;
  const deny: Handler = ({ prompt }) => (prompt === 'blocked' ? { deny: 'Not that.' } : undefined);
  await withHook('UserPromptSubmit', deny, () => play('blocked').then(() => undefined));
  assert.equal(bench.model.requests.slice(before).filter(({ isSide }) => !isSide).length, 0);
  assert.match(JSON.stringify(bench.view.items.at(-1)), /Not that\./);
});

test('the table of hook events is the catalogue of the CLI, and it takes what we declare', async () => {
  const model = await startModel({ script: () => say('ok') });
  const sandbox = await createRealCliSandbox({ modelUrl: model.url });
  const all = new HookBook();
  for (const event of Object.keys(HOOK_EVENTS) as HookEvent[]) {
    if (HOOK_EVENTS[event].closed !== undefined) continue;
    all.add(hookEntry('acme.sample', { event, run: () => undefined }));
  }
  const { session } = await runCli({
    command: sandbox.command,
    cwd: sandbox.workspace,
    env: sandbox.env,
  });
  await session.initialize({ hooks: hookDeclaration(all) });
  const listing = (await session.request('get_hooks_listing', {})) as {
    readonly eventCatalog: readonly { readonly name: string }[];
  };
  await session.dispose();
  await sandbox.cleanup();
  await model.close();
  assert.deepEqual(
    listing.eventCatalog.map(({ name }) => name).sort(),
    Object.keys(HOOK_EVENTS).sort(),
  );
});
