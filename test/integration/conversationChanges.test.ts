import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { object, string } from 'zod/mini';
import { Emitter } from '../../src/base/event';
import type { ChangedFile } from '../../src/chat/changesProtocol';
import type { ViewState } from '../../src/chat/viewStateProtocol';
import type { ChangedFilesPort } from '../../src/conversation/changeDesk';
import { defineTool } from '../../src/mcp/defineTool';
import { createServer } from '../../src/mcp/mcpServer';
import { ServerRegistry } from '../../src/mcp/registry';
import { diskHand } from '../harness/diskHand';
import { message, say, type Script, toolUse } from '../harness/model/script';
import { type BenchOptions, createBench, isIdle, saidIn, toolsOf } from './conversationBench';

const cleanUp: (() => Promise<void>)[] = [];
after(async () => {
  for (const clean of cleanUp.reverse()) await clean();
});

async function bench(script: Script, options: BenchOptions = {}) {
  const kept = await mkdtemp(path.join(tmpdir(), 'kept changes '));
  cleanUp.push(() => rm(kept, { recursive: true, force: true }));
  const changedFiles: ChangedFilesPort = {
    hand: diskHand,
    onDidMove: new Emitter<readonly { readonly from: string; readonly to: string }[]>().event,
    folderOf: (sessionId) => Promise.resolve(path.join(kept, sessionId)),
  };
  const made = await createBench({
    ...{ model: { script }, mode: 'acceptEdits', changedFiles },
    ...options,
  });
  cleanUp.push(() => made.dispose());
  const at = (name: string): string => path.join(made.sandbox.workspace, name);
  return { ...made, at, read: (name: string) => readFile(at(name), 'utf8') };
}

const files = ({ changes }: ViewState): readonly ChangedFile[] => changes?.files ?? [];
const rows = (view: ViewState): readonly string[] =>
  files(view).map(
    ({ path: name, kind, added, removed }) => `${name} ${kind} +${added} -${removed}`,
  );
const ids = (view: ViewState): readonly string[] => files(view).map(({ id }) => id);
const edit = (file: string, from: string, to: string) =>
  toolUse('Edit', { file_path: file, old_string: from, new_string: to });
const write = (file: string, content: string) => toolUse('Write', { file_path: file, content });

test('what Edit and Write change is listed, what fails is not; undone it is as before', async () => {
  const made = await bench([
    message([
      toolUse('Read', { file_path: 'src/a.ts' }),
      edit('src/a.ts', 'one = 1', 'one = 2'),
      write('src/new.ts', 'export const two = 2;\n'),
      edit('src/gone.ts', 'nothing', 'something'),
    ]),
    message([edit('src/a.ts', 'not in the file', 'x')]),
    say('Done.'),
  ]);
  await made.prompt('change it');
  await made.until('the end', (view) => isIdle(view) && files(view).length === 2);
  assert.deepEqual(rows(made.view), ['src/a.ts edited +1 -1', 'src/new.ts created +1 -0']);
  // The person goes on in the same file.
  await writeFile(made.at('src/a.ts'), `${await made.read('src/a.ts')}export const mine = 3;\n`);
  await made.conversation.changes.undo(ids(made.view));
  await made.until('nothing is left', (view) => files(view).length === 0);
  assert.equal(await made.read('src/a.ts'), 'export const one = 1;\nexport const mine = 3;\n');
  await assert.rejects(made.read('src/new.ts'));
  await made.conversation.changes.redo(made.view.changes?.undone?.id ?? '');
  await made.until('it is back', (view) => files(view).length === 2);
  assert.equal(await made.read('src/a.ts'), 'export const one = 2;\nexport const mine = 3;\n');
});

test('a call that the person denies leaves no row; one that they allow does, without what they typed before', async () => {
  const made = await bench(
    [
      message([write('src/no.ts', 'x\n'), toolUse('Read', { file_path: 'src/a.ts' })]),
      message([write('src/a.ts', 'export const one = 2;\n')]),
      say('Done.'),
    ],
    { mode: 'default' },
  );
  await made.prompt('change it');
  await made.until('the first card', (view) => view.permissions.length === 1);
  made.conversation.answerPermission(made.view.permissions[0]?.id ?? '', 'deny');
  const isSecond = (view: ViewState): boolean =>
    view.permissions.some(({ body }) => body.includes('a.ts'));
  await made.until('the second card', isSecond);
  made.conversation.answerPermission(made.view.permissions[0]?.id ?? '', 'allowOnce');
  await made.until('the end', (view) => isIdle(view) && saidIn(view).includes('Done.'));
  await made.until('the row', (view) => files(view).length === 1);
  assert.deepEqual(rows(made.view), ['src/a.ts edited +1 -1']);
});

test('the edits of a sub-agent are listed as the others are', async () => {
  const made = await bench([
    message([
      toolUse('Agent', {
        description: 'a helper',
        prompt: 'Do it',
        subagent_type: 'general-purpose',
        run_in_background: false,
      }),
    ]),
    message([write('src/sub.ts', 'export const sub = 1;\n')]),
    say('The helper is done.'),
    say('After the helper.'),
  ]);
  await made.prompt('Use a helper');
  await made.until('the end', (view) => saidIn(view).includes('After') && isIdle(view));
  await made.until('the row', (view) => files(view).length === 1);
  assert.deepEqual(rows(made.view), ['src/sub.ts created +1 -0']);
});

test('so are those of one that goes on in the background when the turn is over', async () => {
  let isOver = (): void => undefined;
  const over = new Promise<void>((resolve) => (isOver = resolve));
  const made = await bench(async (turn) => {
    if (turn.prompt !== 'Do it') {
      const given = { description: 'a helper', prompt: 'Do it', subagent_type: 'general-purpose' };
      return turn.step === 0
        ? message([toolUse('Agent', { ...given, run_in_background: true })])
        : say('It goes on.');
    }
    await over;
    return turn.step === 0 ? message([write('src/late.ts', 'x\n')]) : say('The helper is done.');
  });
  await made.prompt('Use a helper');
  await made.until('the end', (view) => saidIn(view).includes('It goes on') && isIdle(view));
  isOver();
  await made.until('the row', (view) => files(view).length === 1);
  assert.deepEqual(rows(made.view), ['src/late.ts created +1 -0']);
});

/** A tool of this process that says which file it writes. */
function writingServer(fails = false): ServerRegistry {
  const server = createServer({ name: 'probe' });
  server.registerTool(
    defineTool({
      name: 'put',
      title: 'Put',
      description: 'Writes a file.',
      input: object({ path: string(), text: string() }),
      alwaysLoad: true,
      edits: ({ path: file }) => [file],
      run: async ({ path: file, text }) => {
        if (fails) throw new Error('not today');
        await writeFile(file, text);
        return 'written';
      },
    }),
  );
  const registry = new ServerRegistry();
  registry.add(server);
  return registry;
}

for (const fails of [false, true]) {
  test(`a tool of ours that says what it edits is followed, and ${fails ? 'leaves no row where it fails' : 'its row is there with its answer'}`, async () => {
    const listed: number[] = [];
    const made = await bench(
      (turn) => {
        if (turn.step > 0) {
          listed.push(files(made.conversation.snapshot()).length);
          return say('Done.');
        }
        const folder = /working directory: (.+)/i.exec(turn.context)?.[1] ?? '';
        return message([
          toolUse('mcp__probe__put', { path: path.join(folder, 'src/a.ts'), text: 'x\n' }),
        ]);
      },
      { registry: writingServer(fails) },
    );
    await made.prompt('put it');
    await made.until('the end', (now) => isIdle(now) && saidIn(now).includes('Done.'));
    assert.deepEqual(
      toolsOf(made.view).map(({ state }) => state),
      [fails ? 'failed' : 'done'],
    );
    assert.deepEqual(rows(made.view), fails ? [] : ['src/a.ts edited +1 -1']);
    assert.deepEqual(listed, [fails ? 0 : 1], 'before the model has the answer');
  });
}

test('the list is there again after a restart of the window, and Undo with it', async () => {
  const made = await bench([
    message([
      toolUse('Read', { file_path: 'src/a.ts' }),
      edit('src/a.ts', 'one = 1', 'one = 2'),
      write('src/new.ts', 'x\n'),
    ]),
    say('Done.'),
  ]);
  await made.prompt('change it');
  await made.until('the end', (view) => isIdle(view) && files(view).length === 2);
  await made.conversation.dispose();
  const next = made.again(made.kept());
  await next.until('the list', (view) => files(view).length === 2);
  assert.deepEqual(rows(next.view), rows(made.view));
  const [first, second] = ids(next.view);
  await next.conversation.changes.keep([second ?? '']);
  await next.conversation.changes.undo([first ?? '']);
  await next.until('nothing is left', (view) => files(view).length === 0);
  assert.deepEqual(
    [await made.read('src/a.ts'), await made.read('src/new.ts')],
    ['export const one = 1;\n', 'x\n'],
  );
});
