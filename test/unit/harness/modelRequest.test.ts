import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTurn, requestBodySchema, type RequestBody } from '../../harness/model/requestBody';
import { isSideRequest, sideReply } from '../../harness/model/sideRequest';

function body(messages: unknown[], more: object = {}): RequestBody {
  return requestBodySchema.parse({ model: 'm', messages, tools: [{ name: 'Bash' }], ...more });
}

const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } };

test('the prompt is the person’s text, without reminders and before a system message', () => {
  const turn = readTurn(
    body([
      {
        role: 'user',
        content: [
          { type: 'text', text: '<system-reminder>\nbe kind\n</system-reminder>' },
          { type: 'text', text: 'which files?' },
        ],
      },
      { role: 'system', content: '# Environment\nPrimary working directory: /w' },
    ]),
  );
  assert.equal(turn.prompt, 'which files?');
  assert.equal(turn.step, 0);
  assert.match(turn.context, /working directory: \/w/);
  assert.match(turn.context, /be kind/);
});

test('results since the prompt carry the name and input of their calls', () => {
  const turn = readTurn(
    body([
      { role: 'user', content: 'list' },
      { role: 'assistant', content: [call] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', is_error: true, content: 'gone' },
          { type: 'tool_result', tool_use_id: 't2', content: [{ type: 'text', text: 'b' }] },
        ],
      },
    ]),
  );
  assert.equal(turn.step, 1);
  assert.deepEqual(turn.results, [
    { id: 't1', name: 'Bash', input: { command: 'ls' }, text: 'gone', isError: true },
    { id: 't2', name: '', input: {}, text: 'b', isError: false },
  ]);
});

test('a prompt that follows an interrupted call begins a new turn', () => {
  const turn = readTurn(
    body([
      { role: 'user', content: 'list' },
      { role: 'assistant', content: [call] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: 'stopped' },
          { type: 'text', text: '[Request interrupted by user for tool use]' },
          { type: 'text', text: 'hello' },
        ],
      },
    ]),
  );
  assert.equal(turn.prompt, 'hello');
  assert.equal(turn.step, 0);
  assert.deepEqual(turn.results, []);
});

test('a prompt sent while a tool ran joins the turn instead of beginning one', () => {
  const aside = 'The user sent a new message while you were working:\nand be quick';
  const turn = readTurn(
    body([
      { role: 'user', content: 'list' },
      { role: 'assistant', content: [call] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: 'a' },
          { type: 'text', text: aside },
        ],
      },
    ]),
  );
  assert.equal(turn.prompt, 'list');
  assert.deepEqual(turn.asides, ['and be quick']);
});

test('local commands and the summary of a compacted conversation are not the person’s words', () => {
  const turn = readTurn(
    body([
      { role: 'user', content: 'This session is being continued from a previous conversation …' },
      {
        role: 'user',
        content: [
          { type: 'text', text: '<command-name>/compact</command-name>\n' },
          { type: 'text', text: '<local-command-stdout>Compacted </local-command-stdout>\n' },
          { type: 'text', text: 'go on' },
        ],
      },
    ]),
  );
  assert.equal(turn.prompt, 'go on');
});

test('a request for a title is a side request and gets one as JSON', () => {
  const title = body(
    [{ role: 'user', content: '<session>\nfix the report total now please\n</session>' }],
    {
      tools: [],
      system: 'Write the title.',
    },
  );
  const turn = readTurn(title);
  assert.equal(isSideRequest(title, turn), true);
  assert.deepEqual(sideReply(title, turn).steps, [
    { kind: 'text', text: '{"title":"fix the report total now"}' },
  ]);
});

test('a request to compact is a side request although it carries tools', () => {
  const ask = 'CRITICAL: Respond with TEXT ONLY.\nan <analysis> block, then a <summary> block';
  const compact = body([{ role: 'user', content: ask }]);
  assert.equal(isSideRequest(compact, readTurn(compact)), true);
  const plain = body([{ role: 'user', content: 'hello' }]);
  assert.equal(isSideRequest(plain, readTurn(plain)), false);
});
