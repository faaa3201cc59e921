import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConversationRow, searchConversations } from '../../../src/chat/conversationsProtocol';

const row = (sessionId: string, title: string, about?: string): ConversationRow => ({
  ...{ sessionId, title, changedAt: 0 },
  ...(about === undefined ? {} : { about }),
});

const ROWS = [
  row('1', 'Rounding of prices', 'why is the total off by a cent?'),
  row('2', 'Straße nach Köln'),
  row('3', 'Add a test for the total'),
];
const found = (search: string): readonly string[] =>
  searchConversations(ROWS, search).map(({ sessionId }) => sessionId);

test('a search wants all its words, in the title or in what was said first, whatever their case', () => {
  assert.deepEqual(found('  '), ['1', '2', '3']);
  assert.deepEqual(found('TOTAL'), ['1', '3']);
  assert.deepEqual(found('total test'), ['3']);
  assert.deepEqual(found('prices cent'), ['1']);
  assert.deepEqual(found('KÖLN'), ['2']);
  assert.deepEqual(found('.*'), []);
});
