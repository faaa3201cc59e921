import assert from 'node:assert/strict';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { listConversations } from '../../../src/sessions/conversationList';
import {
  deleteConversation,
  KEPT_MS,
  purgeDeleted,
  undeleteConversation,
} from '../../../src/sessions/deletedConversations';
import { answer, CWD, prompt, session, SESSION } from './sessionFixture';

const AT = 1_000_000;

async function setUp(t: TestContext) {
  const made = await session(t, [prompt('u1', null, 'one'), answer('a1', 'u1', 'first')]);
  const agent = path.join(made.file.replace('.jsonl', ''), 'subagents', 'agent-1.jsonl');
  await mkdir(path.dirname(agent), { recursive: true });
  await writeFile(agent, 'what it did\n');
  const { configFolder } = made;
  const listed = async () => (await listConversations({ configFolder, cwd: CWD })).length;
  return { ...made, agent, listed };
}

const isGone = (file: string) =>
  access(file).then(
    () => false,
    () => true,
  );

test('a deleted conversation is in no list, and comes back as it was with its subagents', async (t) => {
  const { configFolder, file, agent, listed } = await setUp(t);
  const before = await readFile(file, 'utf8');
  await deleteConversation(configFolder, file, AT);
  assert.equal(await listed(), 0);
  assert.ok((await isGone(file)) && (await isGone(agent)));
  assert.equal(await undeleteConversation(configFolder, SESSION), true);
  assert.equal(await readFile(file, 'utf8'), before);
  assert.equal(await readFile(agent, 'utf8'), 'what it did\n');
  assert.equal(await listed(), 1);
  assert.equal(await undeleteConversation(configFolder, SESSION), false, 'it is back already');
});

test('what came into its place meanwhile is not overwritten', async (t) => {
  const { configFolder, file } = await setUp(t);
  await deleteConversation(configFolder, file, AT);
  await writeFile(file, 'another\n');
  await assert.rejects(undeleteConversation(configFolder, SESSION), /there already/);
  assert.equal(await readFile(file, 'utf8'), 'another\n');
});

test('after a day it is gone for good, and not before', async (t) => {
  const { configFolder, file } = await setUp(t);
  await deleteConversation(configFolder, file, AT);
  await purgeDeleted(configFolder, AT + KEPT_MS - 1);
  assert.equal(await undeleteConversation(configFolder, SESSION), true);
  await deleteConversation(configFolder, file, AT);
  await purgeDeleted(configFolder, AT + KEPT_MS);
  assert.equal(await undeleteConversation(configFolder, SESSION), false);
});

test('a place outside of the conversations that somebody wrote there is not followed', async (t) => {
  const { configFolder, file } = await setUp(t);
  await deleteConversation(configFolder, file, AT);
  const outside = path.join(configFolder, 'elsewhere.jsonl');
  const origin = path.join(configFolder, 'patchbay-deleted', SESSION, 'origin.json');
  await writeFile(origin, JSON.stringify({ file: outside, at: AT }));
  assert.equal(await undeleteConversation(configFolder, SESSION), false);
  assert.ok(await isGone(outside));
  assert.equal(await undeleteConversation(configFolder, '../../etc'), false);
});
