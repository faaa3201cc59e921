import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chat, assistantRow, resultRow, streamOf, toolUse, turnResult } from './chatHarness';

interface Fault {
  readonly name: string;
  readonly error?: string;
  readonly status?: number | null;
  readonly reason?: string;
  readonly text: string;
  readonly says: RegExp;
  readonly login?: boolean;
}

/** One row for each fault that was seen, in the form in which it comes. */
const FAULTS: readonly Fault[] = [
  {
    name: '401',
    error: 'authentication_failed',
    status: 401,
    text: 'Invalid API key',
    says: /did not accept your login or key/,
    login: true,
  },
  {
    name: '403',
    error: 'authentication_failed',
    status: 403,
    text: 'Failed to authenticate. API Error: 403 forbidden',
    says: /status 403/,
    login: true,
  },
  {
    name: '404',
    error: 'model_not_found',
    status: 404,
    text: 'No model',
    says: /model does not exist/,
  },
  { name: '400', error: 'unknown', status: 400, text: 'API Error: 400', says: /refused.*400/ },
  {
    name: 'prompt too long',
    error: 'invalid_request',
    status: 400,
    reason: 'prompt_too_long',
    text: 'Prompt is too long',
    says: /conversation is too long/,
  },
  {
    name: '413',
    error: 'invalid_request',
    status: 413,
    reason: 'image_error',
    text: 'Request too large',
    says: /too large/,
  },
  {
    name: 'credit',
    error: 'billing_error',
    status: 400,
    text: 'Credit',
    says: /no credit/,
    login: true,
  },
  { name: '429', error: 'rate_limit', status: 429, text: 'slow down', says: /no more requests/ },
  {
    name: '500',
    error: 'server_error',
    status: 500,
    text: 'x',
    says: /error of its own \(status 500\)/,
  },
  { name: '529', error: 'server_error', status: 529, text: 'x', says: /overloaded/ },
  { name: 'socket cut', error: 'server_error', status: null, text: 'x', says: /connection.*lost/ },
  {
    name: 'max tokens',
    error: 'max_output_tokens',
    status: null,
    text: 'x',
    says: /longer than the model/,
  },
  {
    name: 'no login',
    error: 'authentication_failed',
    status: null,
    text: 'Not logged in · Please run /login',
    says: /not logged in/,
    login: true,
  },
];

for (const fault of FAULTS) {
  test(`an API failure is one alert with a way on: ${fault.name}`, () => {
    const chat = new Chat().prompt('my words');
    chat.cli(
      assistantRow('x', [{ type: 'text', text: fault.text }], {
        message: { id: 'x', model: '<synthetic>', content: [{ type: 'text', text: fault.text }] },
        is_api_error_message: true,
        error: fault.error,
        api_error_status: fault.status,
      }),
      turnResult({
        is_error: true,
        result: fault.text,
        terminal_reason: fault.reason ?? 'api_error',
        api_error_status: fault.status,
      }),
    );
    assert.deepEqual(
      chat.items.map((item) => item.kind),
      ['user', 'error'],
    );
    const [alert] = chat.errors;
    assert.match(alert?.message ?? '', fault.says);
    assert.equal(alert?.details, fault.text);
    assert.ok(alert.kept && alert.next);
    assert.ok(alert.actions.includes('retry'));
    assert.equal(alert.actions.includes('login'), fault.login === true);
    assert.equal(chat.status, 'failed');
    chat.prompt('again').cli(assistantRow('m9', [{ type: 'text', text: 'fine' }]), turnResult());
    assert.deepEqual([chat.status, chat.texts], ['idle', ['fine']]);
  });
}

test('a model that declines is said in words', () => {
  const chat = new Chat().prompt('x');
  chat.cli(
    { type: 'system', subtype: 'informational', content: 'retrying', level: 'notice' },
    { type: 'system', subtype: 'model_refusal_no_fallback', content: 'no' },
    turnResult({ is_error: true, result: 'safeguards', terminal_reason: 'api_error' }),
  );
  assert.match(chat.errors[0]?.message ?? '', /declined/);
  assert.equal(chat.items.length, 2);
});

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

test('limits are told in words and are no failure', () => {
  for (const subtype of ['error_max_turns', 'error_max_budget_usd']) {
    const chat = new Chat()
      .prompt('x')
      .cli(turnResult({ subtype, is_error: true, errors: ['Reached'] }));
    assert.match(chat.notices[0]?.text ?? '', /^Stopped at the (?:limit of steps|cost limit)/);
    assert.deepEqual([chat.status, chat.notices[0]?.tone], ['idle', 'warning']);
  }
});

test('a turn that ends in an unknown error shows the CLI words without its diagnostics', () => {
  const chat = new Chat().prompt('x').cli(
    turnResult({
      subtype: 'error_during_execution',
      is_error: true,
      errors: ['[ede_diagnostic] x', 'No conversation found'],
    }),
  );
  assert.equal(chat.errors[0]?.details, 'No conversation found');
  assert.equal(chat.status, 'failed');
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
