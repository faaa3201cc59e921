import assert from 'node:assert/strict';
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
