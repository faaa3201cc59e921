import assert from 'node:assert/strict';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import type { FakeScript, FakeStep } from '../harness/fakeCli/fakeCliScript';
import { message, say, toolUse } from '../harness/model/script';
import { createBench, createFakeBench, isIdle, toolsOf } from './conversationBench';

const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

async function bench(script: FakeScript) {
  const made = await createFakeBench(script);
  benches.push(made);
  return made;
}

const edit = (file: string) => ({ file_path: file, content: 'x' });
const permission = (id: string, file: string): FakeStep => ({
  id,
  ask: { subtype: 'can_use_tool', tool_name: 'Write', input: edit(file), tool_use_id: 'call' },
});
const hook = (id: string, file: string): FakeStep => ({
  id,
  ask: {
    subtype: 'hook_callback',
    callback_id: 'patchbay-edit-guard',
    tool_use_id: 'call',
    input: {
      hook_event_name: 'PreToolUse',
      cwd: '.',
      tool_name: 'Write',
      tool_input: edit(file),
      tool_use_id: 'call',
    },
  },
});
const done = (...ids: string[]): FakeStep[] => [
  ...ids.map((id): FakeStep => ({ answerTo: id })),
  { result: {} },
];

const orders: readonly (readonly [what: string, steps: FakeStep[], cards: number])[] = [
  [
    'the hook, then the question',
    [hook('h', '/o/x'), { answerTo: 'h' }, permission('p', '/o/x'), ...done('p')],
    1,
  ],
  ['both at once', [hook('h', '/o/x'), permission('p', '/o/x'), ...done('h', 'p')], 2],
  [
    'the question, then the hook',
    [permission('p', '/o/x'), { answerTo: 'p' }, hook('h', '/o/x'), ...done('h')],
    2,
  ],
  ['the question alone', [permission('p', '/o/x'), ...done('p')], 2],
  ['the hook twice', [hook('h', '/o/x'), { answerTo: 'h' }, hook('i', '/o/x'), ...done('i')], 1],
  [
    'a question about another file than the hook',
    [hook('h', '/o/x'), { answerTo: 'h' }, permission('p', '/o/y'), ...done('p')],
    3,
  ],
];

for (const [what, steps, expected] of orders) {
  test(`a write outside is asked about in whatever order the CLI comes: ${what}`, async () => {
    const made = await bench({ turns: [steps] });
    const seen = new Set<string>();
    made.conversation.onDidChange(() => {
      setImmediate(() => {
        for (const { id } of made.view.permissions) {
          seen.add(id);
          made.conversation.answerPermission(id, 'allowOnce');
        }
      });
    });
    await made.prompt('go');
    await made.until('the end', isIdle);
    assert.ok(seen.size >= 1 && seen.size <= expected, `${seen.size} cards`);
    const answers = await made.fake.records('answer');
    assert.equal(answers.length, steps.filter((step) => 'ask' in step).length);
    assert.ok(answers.every(({ response }) => response.subtype === 'success'));
  });
}

test('a question of the guard that the CLI takes back leaves no card, and is not asked further', async () => {
  const made = await bench({
    turns: [[hook('h', '/o/x'), { gate: 'seen' }, { cancel: 'h' }, { wait: 50 }, { result: {} }]],
  });
  await made.prompt('go');
  await made.until('the card', (view) => view.permissions.length === 1);
  await made.fake.open('seen');
  await made.until('the end', isIdle);
  assert.equal(made.view.permissions.length, 0);
  made.conversation.answerPermission('h', 'allowOnce');
  assert.deepEqual(await made.fake.records('answer'), []);
});

const write = (ws: string) => message([toolUse('Write', edit(path.join(ws, 'src/new/x.json')))]);

test('unsaved changes that come while the card is open refuse the write', async () => {
  const made = await createBench({
    model: { script: (turn) => (turn.step === 0 ? write(made.sandbox.workspace) : say('ok')) },
  });
  benches.push(made);
  await made.prompt('go');
  await made.until('the card', (view) => view.permissions.length === 1);
  const file = path.join(made.sandbox.workspace, 'src/new/x.json');
  made.buffers.dirty.set(file, 'mine');
  made.conversation.answerPermission(made.view.permissions[0]?.id ?? '', 'allowOnce');
  await made.until('the end', isIdle);
  const [call] = toolsOf(made.view);
  assert.match(call?.result?.text ?? '', /unsaved changes/);
  assert.deepEqual(call?.actions, ['saveAndRetry', 'discardAndRetry']);
  await assert.rejects(readFile(file));
  // Pressed twice it asks the agent once.
  await Promise.all([
    made.conversation.toolAction(call.id, 'saveAndRetry'),
    made.conversation.toolAction(call.id, 'saveAndRetry'),
  ]);
  assert.equal(made.view.queue.length, 0);
  assert.deepEqual(made.buffers.saved, [file]);
});

test('a folder that becomes a link while the card is open is asked about anew, and not written when denied', async () => {
  const made = await createBench({
    model: { script: (turn) => (turn.step === 0 ? write(made.sandbox.workspace) : say('ok')) },
  });
  benches.push(made);
  const ws = made.sandbox.workspace;
  await mkdir(path.join(ws, '.vscode'));
  await writeFile(path.join(ws, '.vscode/x.json'), 'old');
  await made.prompt('go');
  await made.until('the card', (view) => view.permissions.length === 1);
  const first = made.view.permissions[0]?.id ?? '';
  await rm(path.join(ws, 'src/new'), { recursive: true, force: true });
  await symlink(path.join(ws, '.vscode'), path.join(ws, 'src/new'));
  made.conversation.answerPermission(first, 'allowOnce');
  await made.until('a new card', (view) => view.permissions.some(({ id }) => id !== first));
  const [card] = made.view.permissions;
  assert.match(card?.reason ?? '', /\.vscode/);
  made.conversation.answerPermission(card?.id ?? '', 'deny', 'no');
  await made.until('the end', isIdle);
  assert.equal(await readFile(path.join(ws, '.vscode/x.json'), 'utf8'), 'old');
});
