import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';
import { listConversations } from '../../src/sessions/conversationList';
import { deleteConversation, undeleteConversation } from '../../src/sessions/deletedConversations';
import { renameConversation } from '../../src/sessions/renameConversation';
import { say } from '../harness/model/script';
import { createBench, type ConversationBench, isIdle, saidIn } from './conversationBench';

const benches: ConversationBench[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

async function talk(): Promise<ConversationBench> {
  const made = await createBench({ model: { script: [say('One.'), say('Two.'), say('Three.')] } });
  benches.push(made);
  await made.prompt('first');
  await made.until('the answer', isIdle);
  return made;
}

const configFolder = (made: ConversationBench): string => path.join(made.sandbox.home, '.claude');

async function listed(made: ConversationBench) {
  const where = { configFolder: configFolder(made), cwd: made.sandbox.workspace };
  const [one] = await listConversations(where);
  return one;
}

test('a running CLI takes the title, shows it and writes it', async () => {
  const made = await talk();
  assert.equal(await made.conversation.rename('By the person'), true);
  await made.until('the title', (view) => view.title === 'By the person');
  await made.conversation.dispose();
  assert.equal((await listed(made))?.title, 'By the person');
  assert.equal(await made.conversation.rename('Too late'), false);
});

test('a title in the file is the CLI’s own from then on, and no sign that somebody went on', async () => {
  const made = await talk();
  await made.conversation.rename('Before');
  await made.conversation.dispose();
  const next = made.again(made.kept());
  await next.until('the transcript', (view) => view.items.length > 0);
  assert.equal(next.view.title, 'Before');
  await renameConversation((await listed(made))?.file ?? '', 'After');
  await next.prompt('second');
  await next.until('the answer', (view) => saidIn(view) === 'One.Two.' && isIdle(view));
  assert.equal(next.view.title, 'After', 'the CLI says so as it starts');
  assert.deepEqual(
    next.view.items.filter(({ kind }) => kind === 'notice'),
    [],
  );
  await next.conversation.dispose();
  assert.equal((await listed(made))?.title, 'After');
});

test('a conversation that was deleted and brought back goes on', async () => {
  const made = await talk();
  await made.conversation.dispose();
  const { file = '' } = (await listed(made)) ?? {};
  await deleteConversation(configFolder(made), file, Date.now());
  assert.equal(await listed(made), undefined);
  const sessionId = made.kept()?.sessionId ?? '';
  assert.equal(await undeleteConversation(configFolder(made), sessionId), true);
  const next = made.again(made.kept());
  await next.prompt('second');
  await next.until('the answer', (view) => saidIn(view) === 'One.Two.' && isIdle(view));
  assert.equal(next.kept()?.sessionId, sessionId);
});
