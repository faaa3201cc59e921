import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RestoredMessage } from '../../../src/chat/chatEvent';
import { interpretMessage } from '../../../src/protocol/messages';
import { assistantRow, Chat, toolUse } from './chatHarness';

type Json = Record<string, unknown>;

function messages(...rows: (Json | 'interrupted')[]): RestoredMessage[] {
  return rows.map((row) => {
    if (row === 'interrupted') return { type: 'interrupted' };
    const parsed = interpretMessage(row);
    assert.ok(parsed.ok);
    return parsed.message;
  });
}

const prompt = (uuid: string, content: string): Json => ({
  type: 'user',
  uuid,
  message: { role: 'user', content },
});

const restored = (
  rows: RestoredMessage[],
  extra: { isInterrupted?: boolean; title?: string } = {},
) => ({ type: 'restored', messages: rows, isInterrupted: false, isCut: false, ...extra }) as const;

test('a restored conversation is one batch, with its prompts, answers and title, and idle', () => {
  const chat = new Chat();
  const rows = messages(
    prompt('u1', 'What is this?'),
    assistantRow('m1', [{ type: 'text', text: 'A shop.' }], { uuid: 'a1' }),
    prompt('u2', 'And that?'),
    assistantRow('m2', [{ type: 'text', text: 'A cart.' }], { uuid: 'a2' }),
  );
  chat.apply(restored(rows));
  assert.deepEqual(
    chat.items.map((item) => [item.kind, item.kind === 'user' ? [item.id, item.text] : '']),
    [
      ['user', ['u1', 'What is this?']],
      ['assistant', ''],
      ['user', ['u2', 'And that?']],
      ['assistant', ''],
    ],
  );
  assert.deepEqual(chat.texts, ['A shop.', 'A cart.']);
  assert.deepEqual([chat.state.title, chat.status], ['What is this?', 'idle']);
  assert.equal(new Chat().apply(restored(rows, { title: 'Shop talk' })).state.title, 'Shop talk');
});

test('a call that was running when its process was killed is cancelled, and the turn says why', () => {
  const chat = new Chat();
  const row = assistantRow('m1', [toolUse('t1', 'Bash', { command: 'make' })], { uuid: 'a1' });
  chat.apply(restored(messages(prompt('u1', 'go'), row), { isInterrupted: true }));
  assert.equal(chat.tool('t1').state, 'cancelled');
  assert.match(chat.notices[0]?.text ?? '', /^Interrupted/);
  assert.equal(chat.status, 'idle');
});

test('how long a call took is told by the times of its rows', () => {
  const chat = new Chat();
  const result = {
    type: 'user',
    timestamp: '2026-01-01T00:00:03.500Z',
    message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] },
  };
  const row = assistantRow('m1', [toolUse('t1', 'Bash')], {
    timestamp: '2026-01-01T00:00:01.000Z',
  });
  chat.apply(restored(messages(prompt('u1', 'go'), row, result)));
  assert.equal(chat.tool('t1').durationMs, 2500);
  assert.equal(chat.tool('t1').state, 'done');
});

test('a stop is drawn as a stop, a failed turn as an alert, a killed one in the middle as a line', () => {
  const chat = new Chat();
  const failed = assistantRow('m3', [{ type: 'text', text: 'Invalid key' }], {
    uuid: 'a3',
    error: 'authentication_failed',
    is_api_error_message: true,
  });
  chat.apply(
    restored(
      messages(
        prompt('u1', 'one'),
        assistantRow('m1', [{ type: 'text', text: 'half' }], { uuid: 'a1' }),
        prompt('u2', '[Request interrupted by user]'),
        prompt('u3', 'two'),
        'interrupted',
        prompt('u4', 'three'),
        failed,
      ),
    ),
  );
  assert.deepEqual(
    chat.items.map((item) => item.kind),
    ['user', 'assistant', 'user', 'notice', 'user', 'error'],
  );
  assert.equal(chat.assistants[0]?.stopped, true);
  assert.equal(chat.errors[0]?.details, 'Invalid key');
});

test('what was said before the history was read stands below it', () => {
  const chat = new Chat();
  chat.prompt('later');
  chat.apply(restored(messages(prompt('u1', 'earlier'))));
  assert.deepEqual(
    chat.items.map((item) => (item.kind === 'user' ? item.text : item.kind)),
    ['earlier', 'later'],
  );
});
