import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import type { ViewState } from '../../src/chat/viewStateProtocol';
import { message, pause, say, type Script, text } from '../harness/model/script';
import { type ConversationBench, createBench, isIdle, saidIn } from './conversationBench';

/** What is selected in the editor, on its way to the real CLI. */

const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

const allowed = new Set(['/w/src/cart.ts']);

async function bench(script: Script): Promise<ConversationBench> {
  const made = await createBench({
    model: { script },
    maySelect: ({ file }) => Promise.resolve(file !== undefined && allowed.has(file)),
  });
  benches.push(made);
  return made;
}

const selection = {
  ...{ file: '/w/src/cart.ts', path: 'src/cart.ts', from: 3, to: 4, text: 'let total = 0;\n}' },
};

/** All that the model was sent by now. */
const sentTo = ({ model }: ConversationBench): string =>
  JSON.stringify(model.requests.filter(({ isSide }) => !isSide).map(({ body }) => body.messages));

test('a selection goes before the words with its place, is shown as sent, and not as said', async () => {
  const made = await bench([say('It adds up.')]);
  await made.conversation.submit(randomUUID(), 'explain this, see @src/a.ts', { selection });
  await made.until('the answer', (view) => saidIn(view).includes('adds up') && isIdle(view));
  const sent = sentTo(made);
  assert.ok(sent.includes('<attached selection_in=\\"src/cart.ts\\" lines=\\"3-4\\">'));
  assert.ok(sent.includes('let total = 0;'));
  assert.ok(sent.includes('export const one'), 'mentions in the words still count');
  const [item] = made.view.items;
  assert.ok(item?.kind === 'user');
  assert.equal(item.text, 'explain this, see @src/a.ts');
  assert.deepEqual(item.expansion, [
    { title: 'Selection src/cart.ts:3-4', text: 'let total = 0;\n}' },
  ]);
  const kept = made.kept();
  await made.conversation.dispose();
  const next = made.again(kept);
  await next.until('the transcript', (view) => saidIn(view).includes('adds up'));
  const [again] = next.view.items;
  assert.equal(again?.kind === 'user' && again.text, 'explain this, see @src/a.ts');
});

test('one that a rule has forbidden meanwhile stays behind, and so it does for a command', async () => {
  const made = await bench([say('Fine.')]);
  const secret = { ...selection, file: '/w/.env', path: '.env', text: 'TOKEN=abc' };
  await made.conversation.submit(randomUUID(), 'explain', { selection: secret });
  await made.until('the answer', (view) => saidIn(view).includes('Fine.') && isIdle(view));
  await made.conversation.submit(randomUUID(), '/cost', { selection });
  await made.until('the costs', (view) => saidIn(view).includes('cost') && isIdle(view));
  assert.ok(!sentTo(made).includes('TOKEN'));
  assert.ok(!JSON.stringify(made.view.items).includes('let total'));
  assert.equal(made.model.requests.filter(({ isSide }) => !isSide).length, 1);
});

test('a message that is sent once more, after a fault or from the disk, has its selection', async () => {
  const settings = { cliPath: '/nowhere/claude' };
  const maySelect = (): Promise<boolean> => Promise.resolve(true);
  const made = await createBench({ model: { script: [say('Read.')] }, settings, maySelect });
  benches.push(made);
  await made.conversation.submit('first', 'explain this', { selection });
  const alert = ({ items }: ViewState): string =>
    items.at(-1)?.kind === 'error' ? (items.at(-1)?.id ?? '') : '';
  await made.until('the alert', (view) => alert(view) !== '');
  const first = alert(made.view);
  made.conversation.retry(first);
  await made.until('the next alert', (view) => !['', first].includes(alert(view)));
  settings.cliPath = made.sandbox.command;
  made.conversation.retry(alert(made.view));
  await made.until('the answer', (view) => saidIn(view).includes('Read.') && isIdle(view));
  assert.ok(sentTo(made).includes('let total = 0;'));
  const [item] = made.view.items;
  assert.ok(item?.kind === 'user' && item.expansion?.[0]?.title === 'Selection src/cart.ts:3-4');
  assert.deepEqual(made.conversation.selection('first'), selection);
  await made.conversation.dispose();
  const next = made.again(made.kept());
  await next.until('the transcript', (view) => saidIn(view).includes('Read.'));
  const told = next.conversation.selection(next.view.items[0]?.id ?? '');
  assert.deepEqual(told, { ...selection, file: `${made.sandbox.workspace}/src/cart.ts` });
});

test('a selection waits with its message, over a restart too', async () => {
  const never = new Promise<void>(() => undefined);
  const made = await bench([message([text('busy'), pause(never)]), say('Read.')]);
  await made.prompt('first');
  await made.until('the stream', (view) => saidIn(view).includes('busy'));
  await made.conversation.submit('waiting', 'then this', { selection });
  await made.until('the queue', (view) => view.queue.length === 1);
  const kept = made.kept();
  await made.conversation.dispose();
  const next = made.again(kept);
  await next.until('the queue', (view) => view.queue.some(({ id }) => id === 'waiting'));
  next.conversation.queueAction('waiting', 'sendNow');
  await next.until('the answer', (view) => saidIn(view).includes('Read.') && isIdle(view));
  assert.ok(sentTo(made).includes('let total = 0;'));
});
