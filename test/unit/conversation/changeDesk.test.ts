import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { Emitter } from '../../../src/base/event';
import { silentLogger } from '../../../src/base/logger';
import type { Changes } from '../../../src/chat/changesProtocol';
import { ChangeDesk, type ChangedFilesPort } from '../../../src/conversation/changeDesk';
import type { ConversationMessage } from '../../../src/protocol/messages';
import { diskHand } from '../../harness/diskHand';

const SESSION = '11111111-2222-3333-4444-555555555555';

async function world(t: TestContext) {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'change desk ')));
  t.after(() => rm(base, { recursive: true, force: true }));
  const folder = path.join(base, 'shop');
  await mkdir(path.join(base, 'plans'), { recursive: true });
  await mkdir(folder);
  const moved = new Emitter<readonly { readonly from: string; readonly to: string }[]>();
  const files: ChangedFilesPort = {
    hand: diskHand,
    onDidMove: moved.event,
    folderOf: (sessionId) => Promise.resolve(path.join(base, 'kept', sessionId)),
  };
  const start = (hand = diskHand, lookWithinMs?: number) => {
    let shown: Changes | undefined;
    const desk = new ChangeDesk({
      files: { ...files, hand },
      ...{ folder, planFolder: path.join(base, 'plans'), log: silentLogger },
      ...(lookWithinMs === undefined ? {} : { lookWithinMs }),
      apply: (event) => {
        if (event.type === 'fields') shown = event.fields.changes;
      },
    });
    return { desk, shown: () => shown };
  };
  return { base, folder, at: (name: string) => path.join(folder, name), start };
}

const toolResult = (id: string): ConversationMessage => ({
  type: 'user',
  message: {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content: 'done', is_error: false }],
  },
});

test('a call ends with its result, and its row names the file as the panel does', async (t) => {
  const { at, start } = await world(t);
  const { desk, shown } = start();
  await writeFile(at('a.ts'), '1\n');
  await desk.willWrite('t1', [at('a.ts')]);
  await writeFile(at('a.ts'), '2\n');
  desk.receive(toolResult('other'));
  desk.receive(toolResult('t1'));
  await desk.keep([]);
  const [row] = shown()?.files ?? [];
  assert.deepEqual(
    { ...row, id: '' },
    { id: '', path: 'a.ts', kind: 'edited', added: 1, removed: 1 },
  );
});

test('calls whose results never come end with the turn', async (t) => {
  const { at, start } = await world(t);
  const { desk, shown } = start();
  await desk.willWrite('t1', [at('a.ts')]);
  await writeFile(at('a.ts'), '2\n');
  desk.settle();
  await desk.keep([]);
  assert.deepEqual(
    shown()?.files.map(({ path: name, kind }) => [name, kind]),
    [['a.ts', 'created']],
  );
});

test('a call of an agent in the background goes on when the turn is over, and ends with its result', async (t) => {
  const { at, start } = await world(t);
  const { desk, shown } = start();
  const tasks = (...types: string[]): ConversationMessage => ({
    ...{ type: 'system', subtype: 'background_tasks_changed' },
    tasks: types.map((task_type) => ({ task_id: task_type, task_type })),
  });
  const result: ConversationMessage = { type: 'result', subtype: 'success' };
  desk.receive(tasks('local_bash', 'local_agent'));
  await desk.willWrite('t1', [at('a.ts')]);
  desk.receive(result);
  await desk.keep([]);
  await writeFile(at('a.ts'), 'late\n');
  desk.receive(toolResult('t1'));
  await desk.keep([]);
  const names = () => shown()?.files.map(({ path: name }) => name);
  assert.deepEqual(names(), ['a.ts']);
  // A command in the background makes no calls.
  desk.receive(tasks('local_bash'));
  await desk.willWrite('t2', [at('b.ts')]);
  await writeFile(at('b.ts'), 'x\n');
  desk.receive(result);
  await desk.keep([]);
  assert.deepEqual(names(), ['a.ts', 'b.ts']);
});

test("the CLI's own plan files are none of the person's", async (t) => {
  const { base, start } = await world(t);
  const { desk, shown } = start();
  const plan = path.join(base, 'plans', 'one.md');
  await desk.willWrite('t1', [plan]);
  await writeFile(plan, 'plan');
  await desk.didWrite('t1');
  assert.equal(shown(), undefined);
});

test('names that pretend are shown as what they are', async (t) => {
  const { at, start } = await world(t);
  const { desk, shown } = start();
  const name = 'a\u202Egnp.ts';
  await desk.willWrite('t1', [at(name)]);
  await writeFile(at(name), 'x');
  await desk.didWrite('t1');
  assert.equal(shown()?.files[0]?.path, 'a\\u202Egnp.ts');
});

test('what is listed is there again in the next window, and can be undone', async (t) => {
  const { at, start } = await world(t);
  const { desk } = start();
  await writeFile(at('a.ts'), '1\n');
  await desk.willWrite('t1', [at('a.ts')]);
  await writeFile(at('a.ts'), '2\n');
  await desk.didWrite('t1');
  // The CLI names the session with its first message, after the conversation has begun.
  desk.settleIn(SESSION);
  await desk.willWrite('t2', [at('b.ts')]);
  await writeFile(at('b.ts'), 'new\n');
  // The window goes while the call runs.
  await desk.dispose();
  const next = start();
  await next.desk.restore(SESSION);
  const files = next.shown()?.files ?? [];
  assert.deepEqual(
    files.map(({ path: name, kind }) => [name, kind]),
    [
      ['a.ts', 'edited'],
      ['b.ts', 'created'],
    ],
  );
  await next.desk.undo(files.map(({ id }) => id));
  assert.equal(await readFile(at('a.ts'), 'utf8'), '1\n');
  assert.deepEqual(next.shown()?.files, []);
  assert.deepEqual([next.shown()?.undone?.count, next.shown()?.undone?.path], [2, 'a.ts']);
  await next.desk.forgetUndone();
  assert.equal(next.shown(), undefined);
});

test('every reason why something is not undone says what to do or what is the matter', async (t) => {
  const { at, start } = await world(t);
  const { desk, shown } = start();
  await writeFile(at('a.ts'), '1\n2\n3\n');
  await desk.willWrite('t1', [at('a.ts'), at('new.ts')]);
  await writeFile(at('a.ts'), '1\ntwo\n3\n');
  await writeFile(at('new.ts'), 'x\n');
  await desk.didWrite('t1');
  await writeFile(at('a.ts'), '1\nmine\n3\n');
  await writeFile(at('new.ts'), 'x\nmine\n');
  await desk.undo((shown()?.files ?? []).map(({ id }) => id));
  const problems = shown()?.files.map(({ problem }) => problem) ?? [];
  assert.match(problems[0] ?? '', /same lines.*Review/);
  assert.match(problems[1] ?? '', /new file.*keep it/);
});

test('where nobody keeps track nothing is shown and nothing fails', async () => {
  const desk = new ChangeDesk({
    ...{ files: undefined, folder: undefined, planFolder: '', log: silentLogger },
    apply: () => assert.fail('nothing is shown'),
  });
  await desk.willWrite('t1', ['/a.ts']);
  await desk.didWrite('t1');
  desk.settle();
  await desk.undo(['x']);
  await desk.restore(SESSION);
  assert.equal(await desk.change('x'), undefined);
  await desk.dispose();
});

test('a file that never answers holds neither the calls that follow nor Undo', async (t) => {
  const { at, start } = await world(t);
  const see = (file: string) =>
    file.endsWith('dead') ? new Promise<never>(() => undefined) : diskHand.see(file);
  const { desk, shown } = start({ ...diskHand, see }, 50);
  await writeFile(at('a.ts'), '1\n');
  await desk.willWrite('t1', [at('dead')]);
  await desk.willWrite('t2', [at('a.ts')]);
  await writeFile(at('a.ts'), '2\n');
  await desk.didWrite('t2');
  await desk.didWrite('t1');
  await desk.undo((shown()?.files ?? []).map(({ id }) => id));
  assert.equal(await readFile(at('a.ts'), 'utf8'), '1\n');
  assert.deepEqual(shown()?.files ?? [], []);
});
