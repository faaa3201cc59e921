import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import { ConversationMentions } from '../../../src/host/conversationMentions';
import type { ListedConversation } from '../../../src/sessions/conversationList';

const listed = (
  id: string,
  title: string | undefined,
  firstPrompt?: string,
): ListedConversation => ({
  ...{
    sessionId: `${id}${'0'.repeat(7)}-2222-3333-4444-555555555555`,
    file: id,
    title,
    firstPrompt,
  },
  ...{ changedAt: 0, bytes: 1 },
});
const ALL = [
  listed('1', undefined, 'make the docs shine'),
  listed('2', 'The cart and its totals'),
  listed('3', 'Release notes'),
];

function mentions(list: () => Promise<readonly ListedConversation[]> = () => Promise.resolve(ALL)) {
  const clock = { now: 0, asked: 0 };
  const source = new ConversationMentions({
    log: silentLogger,
    now: () => clock.now,
    list: () => {
      clock.asked += 1;
      return list();
    },
  });
  const labels = async (text: string, here?: string) =>
    (await source.rows(text, '/ws', here)).rows.map(({ label }) => label);
  return { clock, source, labels };
}

test('conversations come by the words of their title or first prompt, and all by their kind', async () => {
  const { labels, source } = mentions();
  assert.deepEqual(await labels(''), []);
  assert.deepEqual(await labels('totals'), ['The cart and its totals']);
  assert.deepEqual(await labels('docs'), ['make the docs shine']);
  const names = ['make the docs shine', 'The cart and its totals', 'Release notes'];
  assert.deepEqual(await labels('conv'), names);
  assert.deepEqual(await labels('conversation:notes'), ['Release notes']);
  for (const text of ['c', 'on', 'mks']) assert.deepEqual(await labels(text), [], text);
  const [row] = (await source.rows('totals', '/ws', undefined)).rows;
  assert.equal(row?.insert, '@"conversation:The cart and its totals 20000000" ');
});

test('the conversation that asks is not among them', async () => {
  const { labels } = mentions();
  assert.deepEqual(await labels('conv', ALL[1]?.sessionId), [
    'make the docs shine',
    'Release notes',
  ]);
});

test('the disk is not asked for each letter, and a disk that fails keeps nothing else away', async () => {
  const { clock, labels } = mentions();
  for (const text of ['t', 'to', 'tot']) await labels(text);
  assert.equal(clock.asked, 1);
  clock.now += 10_000;
  await labels('tota');
  assert.equal(clock.asked, 2);
  assert.deepEqual(await mentions(() => Promise.reject(new Error('gone'))).labels('conv'), []);
});
