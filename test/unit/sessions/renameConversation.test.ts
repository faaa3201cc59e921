import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFile, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { readConversationFile } from '../../../src/sessions/conversationFile';
import { listConversations } from '../../../src/sessions/conversationList';
import { renameConversation } from '../../../src/sessions/renameConversation';
import { answer, attachment, CWD, outline, prompt, session, SESSION } from './sessionFixture';

const TALK = [prompt('u1', null, 'one'), answer('a1', 'u1', 'first')];

test('a title that is given is the one that is listed and drawn, the last of several', async (t) => {
  const { configFolder, file } = await session(t, TALK);
  await renameConversation(file, 'First name');
  await renameConversation(file, 'Second name');
  const key = { configFolder, cwd: CWD, sessionId: SESSION };
  assert.equal((await readConversationFile(key))?.title, 'Second name');
  const [listed] = await listConversations({ configFolder, cwd: CWD });
  assert.equal(listed?.title, 'Second name');
});

test('behind a line that is torn the title has a line of its own, and nothing before it changes', async (t) => {
  const { configFolder, file } = await session(t, TALK, { end: '\n{"type":"assist' });
  const before = await readFile(file, 'utf8');
  await renameConversation(file, 'Torn');
  assert.ok((await readFile(file, 'utf8')).startsWith(`${before}\n`));
  const stored = await readConversationFile({ configFolder, cwd: CWD, sessionId: SESSION });
  assert.equal(stored?.title, 'Torn');
  assert.deepEqual(outline(stored), ['user: one', 'assistant: first']);
});

test('a title far before the end of a long conversation is listed too', async (t) => {
  const { configFolder, file } = await session(t, TALK);
  await renameConversation(file, 'Far back');
  const rows = [attachment('x1', 'a1', 200_000), prompt('u2', 'x1', 'two')];
  await appendFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const [listed] = await listConversations({ configFolder, cwd: CWD });
  assert.equal(listed?.title, 'Far back');
});

test('a title takes nothing from what a terminal writes at the same time', async (t) => {
  const { file } = await session(t, TALK);
  const writer = fork(
    `const fs = require('node:fs');
     const file = fs.openSync(${JSON.stringify(file)}, 'a');
     let count = 0;
     process.on('message', () => process.send(count, () => process.exit()));
     const write = () => {
       for (let n = 0; n < 20; n += 1) fs.writeSync(file, JSON.stringify({ count: (count += 1) }) + '\\n');
       setImmediate(write);
     };
     write();`,
  );
  for (let n = 0; n < 100; n += 1) await renameConversation(file, `Title ${n}`);
  const written = await writer.count();
  const records = (await readFile(file, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { count?: number });
  const counts = records.flatMap(({ count }) => count ?? []);
  assert.deepEqual([counts.length, counts.at(-1)], [written, written]);
});

/** A process of its own that runs this script. */
function fork(script: string) {
  const child = spawn(process.execPath, ['-e', script], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return {
    /** How much it has written; it ends. */
    count: () =>
      new Promise<unknown>((resolve) => {
        child.once('message', resolve);
        child.send('stop');
      }),
  };
}
