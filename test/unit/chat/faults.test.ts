import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chat, assistantRow, resultRow, streamOf, toolUse, turnResult } from './chatHarness';

test('Stop while text streams keeps the text, marks the answer and shows no diagnostic', () => {
  const chat = new Chat().prompt('x');
  const stream = streamOf('m1');
  chat.cli(stream.start(), stream.text(0, 'w0 w1 '));
  chat.apply({ type: 'stopRequested' });
  assert.equal(chat.status, 'stopping');
  chat.cli(
    assistantRow('m1', [{ type: 'text', text: 'w0 w1 w2 ' }], { aborted: true }),
    {
      type: 'user',
      message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] },
    },
    turnResult({
      subtype: 'error_during_execution',
      is_error: true,
      terminal_reason: 'aborted_streaming',
      errors: ['[ede_diagnostic] result_type=user'],
    }),
  );
  assert.deepEqual(chat.texts, ['w0 w1 w2 ']);
  assert.equal(chat.assistants[0]?.stopped, true);
  assert.equal(chat.status, 'idle');
  assert.equal(chat.items.length, 2);
});

test('Stop before anything was shown leaves a quiet line', () => {
  const chat = new Chat().prompt('x').apply({ type: 'stopRequested' });
  chat.cli(
    turnResult({
      is_error: true,
      subtype: 'error_during_execution',
      terminal_reason: 'aborted_streaming',
    }),
  );
  assert.deepEqual(
    chat.notices.map(({ text }) => text),
    ['Stopped.'],
  );
});

test('a turn that is cut for a prompt sent now is marked, not the new one', () => {
  const chat = new Chat().prompt('old');
  const stream = streamOf('m1');
  chat.cli(stream.start(), stream.text(0, 'old text'));
  chat.prompt('new');
  chat.cli(
    assistantRow('m1', [{ type: 'text', text: 'old text' }], { aborted: true }),
    turnResult({ terminal_reason: 'aborted_streaming', result: 'old text' }),
    { type: 'system', subtype: 'init' },
    assistantRow('m2', [{ type: 'text', text: 'new text' }]),
    turnResult({ result: 'new text' }),
  );
  assert.deepEqual(
    chat.assistants.map((item) => [item.stopped ?? false, item.blocks.length]),
    [
      [true, 1],
      [false, 1],
    ],
  );
});

test('a running call is cancelled by Stop', () => {
  const chat = new Chat()
    .prompt('x')
    .cli(assistantRow('m1', [toolUse('t1', 'Bash', { command: 'sleep' })]));
  chat.cli(
    resultRow('t1', 'The user does not want to proceed', {
      is_error: true,
      tool_use_result: 'User rejected tool use',
      tool_result_meta: [{ id: 't1', non_execution_kind: 'user-rejected' }],
    }),
    turnResult({
      is_error: true,
      subtype: 'error_during_execution',
      terminal_reason: 'aborted_tools',
    }),
  );
  assert.equal(chat.tool('t1').state, 'cancelled');
  assert.equal(chat.assistants[0]?.stopped, true);
  assert.equal(chat.errors.length, 0);
});

test('an answer that only the result brings is shown, local output is not doubled', () => {
  const unseen = new Chat().prompt('x').cli(turnResult({ result: 'only here' }));
  assert.deepEqual(unseen.texts, ['only here']);
  const local = new Chat()
    .prompt('/cost')
    .cli(turnResult({ result: 'cost', local_command: 'cost' }));
  assert.deepEqual(local.texts, []);
});

test('costs add up over processes, tokens are those of the last turn', () => {
  const chat = new Chat().prompt('x');
  const usage = { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 5 };
  const row = assistantRow('m1', [], {
    message: { id: 'm1', model: 'opus', content: [{ type: 'text', text: 'a' }], usage },
  });
  const modelUsage = { opus: { contextWindow: 1000 } };
  chat.cli(row, turnResult({ total_cost_usd: 0.5, usage, num_turns: 2, modelUsage }));
  assert.deepEqual(chat.state.usage, {
    costUsd: 0.5,
    inputTokens: 100,
    outputTokens: 5,
    turns: 2,
    contextTokens: 105,
    contextFill: 0.105,
  });
  chat.cli(turnResult({ total_cost_usd: 0.75, usage, num_turns: 1 }));
  assert.equal(chat.state.usage.costUsd, 0.75);
  chat.apply({ type: 'cliExited' });
  chat.cli(turnResult({ total_cost_usd: 0.25, usage, num_turns: 1 }));
  assert.equal(chat.state.usage.costUsd, 1);
  chat.cli(turnResult({ total_cost_usd: 0.25, num_turns: 0, local_command: 'cost' }));
  assert.deepEqual([chat.state.usage.costUsd, chat.state.usage.turns], [1, 1]);
});

test('local commands, compaction, modes and limits are quiet lines or fields', () => {
  const chat = new Chat().prompt('x');
  const local = (text: string, extra = {}) =>
    assistantRow('l', [], {
      message: { id: `l-${text}`, model: '<synthetic>', content: [{ type: 'text', text }] },
      local_command_source: text,
      ...extra,
    });
  chat.cli(local('Session renamed'), local('long\noutput'), turnResult({ local_command: 'x' }));
  chat.cli(local('/help is not here', { local_command_outcome: { kind: 'unavailable_headless' } }));
  assert.deepEqual(chat.texts, ['long\noutput']);
  assert.deepEqual(
    chat.notices.map(({ text }) => text),
    ['Session renamed', '/help is not available in this panel.'],
  );
  chat.cli(
    { type: 'system', subtype: 'status', status: 'compacting' },
    {
      type: 'system',
      subtype: 'compact_boundary',
      compact_metadata: { pre_tokens: 201, post_tokens: 67 },
    },
    local('long\noutput'),
    turnResult({ local_command: 'compact' }),
  );
  assert.deepEqual(chat.texts, ['long\noutput']);
  assert.match(chat.notices.at(-1)?.text ?? '', /from 201 to 67 tokens/);
  chat.cli({ type: 'system', subtype: 'status', status: null, permissionMode: 'plan' });
  assert.deepEqual([chat.state.mode, chat.status], ['plan', 'idle']);
  chat.cli({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected' } });
  assert.match(chat.notices.at(-1)?.text ?? '', /limit of your plan/);
  chat.cli({ type: 'conversation_reset', trigger: 'clear' });
  assert.deepEqual([chat.items.length, chat.state.title, chat.state.usage], [0, '', undefined]);
});
