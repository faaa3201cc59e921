import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FrameRow } from '../../../../src/chat/frameRowProtocol';
import { FrameBook } from '../../../../src/conversation/wire/frameBook';
import { SecretsSeen } from '../../../../src/conversation/wire/secretsSeen';
import type { WireLog } from '../../../../src/conversation/wire/wireLog';
import { add, answer, createLog, mcp, mcpAnswer, request } from './frames';

function createBook(log: WireLog): FrameBook {
  return new FrameBook(log, new SecretsSeen());
}

function named({ kind, label, detail, role }: FrameRow): string {
  return [kind, label, detail, role].filter((part) => part !== undefined).join(' | ');
}

test('each frame is called by its type, subtype or method, and what it is about', () => {
  const log = createLog();
  add(
    log,
    'in',
    { type: 'system', subtype: 'init' },
    { type: 'stream_event', event: { type: 'content_block_delta', delta: { type: 'text_delta' } } },
    {
      type: 'assistant',
      message: { content: [{ type: 'text' }, { type: 'tool_use', name: 'Bash' }] },
    },
    { type: 'result', subtype: 'success', is_error: true },
    { type: 'command_lifecycle', state: 'started' },
    request('1', { subtype: 'can_use_tool', tool_name: 'Write' }),
    request('2', {
      subtype: 'hook_callback',
      input: { hook_event_name: 'PreToolUse', tool_name: 'Edit' },
    }),
    mcp('3', 'tools/call', { name: 'echo' }),
    mcp('4', 'tools/list'),
    'a banner',
    '[1,2]',
    '{"no":"type"}',
  );
  add(log, 'out', { type: 'user', message: { role: 'user', content: 'hello' } });
  add(log, 'out', request('host-1', { subtype: 'set_permission_mode', mode: 'plan' }));
  log.lost({ kind: 'lineTooLong', bytes: 9, maxBytes: 1 });
  const rows = createBook(log).all();
  assert.deepEqual(rows.map(named), [
    'message | system | init',
    'stream | stream_event | content_block_delta text_delta',
    'message | assistant | text, tool_use Bash',
    'message | result | success',
    'message | command_lifecycle | started',
    'control | can_use_tool | Write | request',
    'control | hook_callback | PreToolUse Edit | request',
    'mcp | tools/call | probe · echo | request',
    'mcp | tools/list | probe | request',
    'noise | no message | a banner',
    'noise | no message | [1,2]',
    'noise | no message | no type',
    'message | user | prompt',
    'control | set_permission_mode | plan | request',
    'noise | lost | A line of 9 bytes was left out (at most 1)',
  ]);
  assert.deepEqual(
    rows.map(({ isError }) => isError === true),
    rows.map(({ label }) => label === 'result'),
  );
});

test('a request and its answer name each other, with the time between', () => {
  const log = createLog();
  add(log, 'in', mcp('a', 'tools/call', { name: 'echo' }));
  add(log, 'in', { type: 'keep_alive' });
  add(log, 'out', mcpAnswer('a', { content: [], isError: true }));
  const [asked, , answered] = createBook(log).all();
  assert.deepEqual([asked?.state, asked?.ms, asked?.partner], ['answered', 2, 3]);
  assert.deepEqual([answered?.role, answered?.ms, answered?.partner], ['answer', 2, 1]);
  assert.equal(named(answered ?? fail()), 'mcp | tools/call | probe · echo | answer');
  assert.equal(answered?.isError, true);
});

test('the same id is another request where the other side asks, or where it is a number', () => {
  const log = createLog();
  add(log, 'out', request('1', { subtype: 'interrupt' }));
  add(log, 'in', request('1', { subtype: 'can_use_tool' }), request(1, { subtype: 'odd' }));
  add(log, 'in', answer('1'));
  add(log, 'out', answer(1));
  const rows = createBook(log).all();
  assert.deepEqual(
    rows.map(({ state, partner }) => [state, partner]),
    [
      ['answered', 4],
      ['waiting', undefined],
      ['answered', 5],
      [undefined, 1],
      [undefined, 3],
    ],
  );
});

test('what is answered after its row was handed out is told as a change of that row', () => {
  const log = createLog();
  const book = createBook(log);
  add(log, 'out', request('host-1', { subtype: 'interrupt' }));
  assert.deepEqual(
    book.take().rows.map(({ n, state }) => [n, state]),
    [[1, 'waiting']],
  );
  assert.deepEqual(book.take(), { rows: [], updates: [] });
  add(log, 'in', answer('host-1', { still_queued: [] }));
  const { rows, updates } = book.take();
  assert.deepEqual(
    rows.map(({ n, partner }) => [n, partner]),
    [[2, 1]],
  );
  assert.deepEqual(updates, [{ n: 1, state: 'answered', ms: 1, partner: 2 }]);
  assert.deepEqual(
    book.all().map(({ state }) => state),
    ['answered', undefined],
  );
});

test('requests that were taken back, or whose process ended, are marked so', () => {
  const log = createLog();
  add(
    log,
    'in',
    request('a', { subtype: 'can_use_tool' }),
    request('b', { subtype: 'elicitation' }),
  );
  add(log, 'in', { type: 'control_cancel_request', request_id: 'a' });
  log.ended({ code: 1, signal: null });
  // Ids begin anew with the next process.
  add(log, 'in', request('b', { subtype: 'can_use_tool' }));
  add(log, 'out', answer('b'));
  const rows = createBook(log).all();
  assert.deepEqual(
    rows.map(({ label, state }) => [label, state]),
    [
      ['can_use_tool', 'ended'],
      ['elicitation', 'ended'],
      ['can_use_tool', undefined],
      ['ended', undefined],
      ['can_use_tool', 'answered'],
      ['can_use_tool', undefined],
    ],
  );
});

test('an answer whose request is dropped is still called what it answers', () => {
  const log = createLog({ maxFrames: 2 });
  const book = createBook(log);
  add(log, 'out', request('host-1', { subtype: 'mcp_status' }));
  book.take();
  add(log, 'in', 'x', 'y', 'z', answer('host-1'));
  const { rows } = book.take();
  assert.deepEqual(
    rows.map(({ n, label }) => [n, label]),
    [
      [4, 'no message'],
      [5, 'mcp_status'],
    ],
  );
  assert.deepEqual(book.all().length, 2);
});

test('rows up to a number are handed out now, the others with the next news', () => {
  const log = createLog();
  const book = createBook(log);
  add(log, 'in', 'a', 'b', 'c');
  assert.deepEqual(
    book.all(2).map(({ n }) => n),
    [1, 2],
  );
  assert.deepEqual(
    book.take().rows.map(({ n }) => n),
    [3],
  );
});

test('frames of any kind and depth are rows with bounded texts', () => {
  const log = createLog();
  const long = 'n'.repeat(100_000);
  add(
    log,
    'in',
    `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    { type: long, subtype: long },
    mcp(long, long, { name: long }, long),
    { type: 'assistant', message: { content: Array.from({ length: 9_999 }, () => null) } },
    { type: 'control_request' },
    { type: 'control_response', response: null },
    `sk-ant-api03-abcdefghijklmnop ${long}`,
  );
  const rows = createBook(log).all();
  assert.equal(rows.length, 7);
  assert.ok(JSON.stringify(rows).length < 4_000);
  assert.ok(!JSON.stringify(rows).includes('sk-ant'));
});

test('no row shows a known secret, wherever it stands and however long it is', () => {
  const long = `s3cr3t${'x'.repeat(1_000)}`;
  const known = [long, 'quo"ted\\s3cr3t'];
  const log = createLog();
  for (const secret of known) {
    add(log, 'in', mcp('a', 'resources/read', { uri: `db://me?key=${secret}` }));
    add(log, 'in', { type: 'system', subtype: secret });
    add(log, 'out', request(secret, { subtype: 'set_model', model: secret }));
    log.received(`warning: ${secret} is old`);
    log.received(`${' '.repeat(100)}warning: ${secret} is old`);
  }
  const book = new FrameBook(log, new SecretsSeen(), () => known);
  const shown = book.all().flatMap(({ label, detail, id }) => [label, detail ?? '', id ?? '']);
  assert.equal(shown.length, 30);
  for (const text of shown) assert.ok(!text.includes('s3cr3t'), text);
  assert.ok(shown.includes('warning: ••• is old'));
  assert.ok(shown.includes('resources/read'));
});

test('the version of the CLI is known once it has told it', () => {
  const log = createLog();
  const book = createBook(log);
  assert.equal(book.cliVersion, undefined);
  add(log, 'in', { type: 'system', subtype: 'init', claude_code_version: '2.1.9' });
  book.read();
  assert.equal(book.cliVersion, '2.1.9');
});

function fail(): never {
  throw new Error('there is no such row');
}
