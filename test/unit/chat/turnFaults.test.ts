import assert from 'node:assert/strict';
import { test } from 'node:test';
import { turnFaultKind, type TurnFaultKind } from '../../../src/chat/turnFaultKind';
import { turnFaultError, turnFaults } from '../../../src/chat/turnFaults';
import type { ErrorAction } from '../../../src/chat/viewStateProtocol';
import { Chat, assistantRow, resultRow, streamOf, toolUse, turnResult } from './chatHarness';

interface Row {
  readonly name: string;
  readonly kind: TurnFaultKind;
  /** Of the synthetic row that comes before the result. */
  readonly error?: string;
  readonly status?: number | null;
  readonly reason?: string;
  readonly subtype?: string;
  readonly text: string;
  readonly says: RegExp;
  /** The first action is the primary button. */
  readonly actions: readonly ErrorAction[];
}

/** One row for each way in which the API or a limit ends a turn, in the form in which it comes. */
const ROWS: readonly Row[] = [
  {
    name: '401',
    kind: 'keyRejected',
    error: 'authentication_failed',
    status: 401,
    text: 'Invalid API key · Fix external API key',
    says: /did not accept your login or key \(status 401\)/,
    actions: ['login', 'retry', 'openSettings', 'showLog'],
  },
  {
    name: '403',
    kind: 'accessDenied',
    error: 'authentication_failed',
    status: 403,
    text: 'Failed to authenticate. API Error: 403 forbidden',
    says: /may not use this API \(status 403\)/,
    actions: ['login', 'retry', 'showLog'],
  },
  {
    name: '404',
    kind: 'modelNotFound',
    error: 'model_not_found',
    status: 404,
    text: "There's an issue with the selected model",
    says: /model does not exist/,
    actions: ['chooseModel', 'retry', 'showLog'],
  },
  {
    name: '400 of another kind',
    kind: 'requestRefused',
    error: 'unknown',
    status: 400,
    text: 'API Error: 400 messages: bad thing',
    says: /refused the request \(status 400\)/,
    actions: ['retry', 'newConversation', 'showLog'],
  },
  {
    name: 'prompt too long',
    kind: 'promptTooLong',
    error: 'invalid_request',
    status: 400,
    reason: 'prompt_too_long',
    text: 'Prompt is too long · x',
    says: /conversation is too long/,
    actions: ['compact', 'retry', 'newConversation'],
  },
  {
    name: '413',
    kind: 'requestTooLarge',
    error: 'invalid_request',
    status: 413,
    reason: 'image_error',
    text: 'Request too large (max 32MB).',
    says: /too large for the API/,
    actions: ['newConversation', 'retry', 'showLog'],
  },
  {
    name: 'an image that is not accepted',
    kind: 'imageRejected',
    error: 'invalid_request',
    status: 400,
    reason: 'image_error',
    text: 'Could not process image',
    says: /image in the conversation/,
    actions: ['newConversation', 'retry', 'showLog'],
  },
  {
    name: '400 credit balance',
    kind: 'creditEmpty',
    error: 'billing_error',
    status: 400,
    text: 'Credit balance is too low',
    says: /no credit left/,
    actions: ['retry', 'login', 'showLog'],
  },
  {
    name: '429',
    kind: 'rateLimited',
    error: 'rate_limit',
    status: 429,
    text: 'API Error: Request rejected (429) · slow down',
    says: /no more requests.*status 429/,
    actions: ['retry', 'chooseModel', 'showLog'],
  },
  {
    name: '500',
    kind: 'serverFailed',
    error: 'server_error',
    status: 500,
    text: 'API Error: 500',
    says: /error of its own \(status 500\)/,
    actions: ['retry', 'showLog'],
  },
  {
    name: '529',
    kind: 'overloaded',
    error: 'server_error',
    status: 529,
    text: 'API Error: Repeated 529 Overloaded errors.',
    says: /overloaded/,
    actions: ['retry', 'chooseModel', 'showLog'],
  },
  {
    name: 'a cut socket',
    kind: 'connectionLost',
    error: 'server_error',
    status: null,
    text: 'API Error: Connection to the API was lost (ECONNRESET).',
    says: /connection to the API was lost/,
    actions: ['retry', 'doctor', 'showLog'],
  },
  {
    name: 'a name that is not found, as without a network',
    kind: 'offline',
    error: 'server_error',
    status: null,
    text: 'API Error: Connection to the API was lost (ENOTFOUND). This is usually temporary.',
    says: /cannot be reached. Is this machine offline/,
    actions: ['retry', 'doctor', 'showLog'],
  },
  {
    name: 'max_tokens for ever',
    kind: 'answerTooLong',
    error: 'max_output_tokens',
    status: null,
    text: "API Error: Claude's response exceeded the 128000 output token maximum.",
    says: /longer than the model can write/,
    actions: ['retry', 'chooseModel', 'showLog'],
  },
  {
    name: 'no key and no login',
    kind: 'notLoggedIn',
    error: 'authentication_failed',
    status: null,
    text: 'Not logged in · Please run /login',
    says: /not logged in/,
    actions: ['login', 'retry', 'doctor'],
  },
  {
    name: '--max-turns',
    kind: 'maxTurns',
    reason: 'max_turns',
    subtype: 'error_max_turns',
    text: 'Reached maximum number of turns (1)',
    says: /limit of steps/,
    actions: ['openSettings'],
  },
  {
    name: '--max-budget-usd',
    kind: 'maxBudget',
    reason: 'budget_exhausted',
    subtype: 'error_max_budget_usd',
    text: 'Reached maximum budget ($0.001)',
    says: /cost limit/,
    actions: ['openSettings', 'newConversation'],
  },
  {
    name: 'an error of the CLI itself',
    kind: 'unknown',
    subtype: 'error_during_execution',
    text: 'something broke',
    says: /ended with an error/,
    actions: ['retry', 'showLog'],
  },
];

function fail(chat: Chat, { error, status, reason, subtype, text }: Row): void {
  const isApi = subtype === undefined;
  if (isApi) {
    const content = [{ type: 'text', text }];
    chat.cli(
      assistantRow('x', [], {
        message: { id: 'x', model: '<synthetic>', content },
        is_api_error_message: true,
        error,
        api_error_status: status,
      }),
    );
  }
  chat.cli(
    turnResult({
      is_error: true,
      terminal_reason: reason ?? (isApi ? 'api_error' : undefined),
      api_error_status: status,
      ...(isApi ? { result: text } : { subtype, errors: ['[ede_diagnostic] x', text] }),
    }),
  );
}

for (const row of ROWS) {
  test(`a turn that fails is one alert with a way on: ${row.name}`, () => {
    const chat = new Chat().prompt('my words');
    fail(chat, row);
    assert.deepEqual(
      chat.items.map((item) => item.kind),
      ['user', 'error'],
    );
    const [alert] = chat.errors;
    assert.ok(alert?.kept && alert.next);
    assert.match(alert.message, row.says);
    assert.deepEqual([alert.details, alert.actions], [row.text, row.actions]);
    const isLimit = row.kind === 'maxTurns' || row.kind === 'maxBudget';
    assert.equal(chat.status, isLimit ? 'idle' : 'failed');
    chat.prompt('again').cli(assistantRow('m9', [{ type: 'text', text: 'fine' }]), turnResult());
    assert.deepEqual([chat.status, chat.texts], ['idle', ['fine']]);
  });
}

test('a model that declines is said in words, its retry notices are not', () => {
  const chat = new Chat().prompt('x');
  chat.cli(
    { type: 'system', subtype: 'informational', content: 'retrying', level: 'notice' },
    { type: 'system', subtype: 'model_refusal_no_fallback', content: 'no' },
    turnResult({ is_error: true, result: 'safeguards', terminal_reason: 'api_error' }),
  );
  const [alert] = chat.errors;
  assert.match(alert?.message ?? '', /declined/);
  assert.deepEqual(alert?.actions, ['chooseModel', 'retry', 'newConversation']);
  assert.equal(chat.items.length, 2);
});

test('no two kinds of fault have the same words, and each says what to do with a button', () => {
  const failure = { error: 'x', status: 400, reason: 'x', details: 'x', refused: false };
  const alerts = (Object.keys(turnFaults) as TurnFaultKind[]).map((kind) =>
    turnFaultError(failure, kind),
  );
  assert.equal(new Set(alerts.map(({ message }) => message)).size, alerts.length);
  for (const { message, kept, next, actions } of alerts) {
    assert.ok(kept && next, message);
    assert.ok(actions.length > 0, message);
    assert.equal(new Set(actions).size, actions.length, message);
  }
});

test('however the API cannot be reached, it is no fault of the service; a certificate is another thing', () => {
  const kindOf = (details: string) => {
    const failure = { error: 'unknown', status: undefined, reason: 'api_error', refused: false };
    return turnFaultKind({ ...failure, details });
  };
  for (const code of ['ConnectionRefused', 'FailedToOpenSocket', 'EAI_AGAIN', 'ENETUNREACH']) {
    assert.equal(kindOf(`API Error: Unable to connect to API (${code})`), 'offline', code);
  }
  assert.equal(
    kindOf('API Error: Unable to connect to API: SSL certificate has expired'),
    'unknown',
  );
  assert.equal(kindOf('API Error: the tool said ECONNREFUSEDLY'), 'unknown');
});

test('every row has a kind of its own', () => {
  const kinds = ROWS.map((row) =>
    turnFaultKind({
      error: row.error,
      status: row.status ?? undefined,
      reason: row.reason ?? 'api_error',
      subtype: row.subtype ?? 'success',
      details: row.text,
      refused: false,
    }),
  );
  assert.deepEqual(
    kinds,
    ROWS.map(({ kind }) => kind),
  );
  assert.equal(new Set(kinds).size, ROWS.length);
});

test('a failure read from the disk, which has no reason, is known by its words', () => {
  const kind = turnFaultKind({
    error: 'invalid_request',
    status: 400,
    reason: undefined,
    details: 'Prompt is too long',
    refused: false,
  });
  assert.equal(kind, 'promptTooLong');
});

test('an unknown kind of error still says its status and keeps the CLI words', () => {
  const of = (error: string | undefined, status: number | undefined) =>
    turnFaultKind({ error, status, reason: 'constructor', details: undefined, refused: false });
  assert.deepEqual(
    [of('brand_new', 418), of('brand_new', 503), of('toString', undefined), of(undefined, 413)],
    ['requestRefused', 'serverFailed', 'unknown', 'requestTooLarge'],
  );
});

const retries: readonly (readonly [string, object, RegExp])[] = [
  ['401', { error_status: 401, error: 'authentication_failed' }, /did not accept your login/],
  ['429', { error_status: 429, error: 'rate_limit' }, /no more requests/],
  ['500', { error_status: 500, error: 'server_error' }, /error \(status 500\)/],
  ['529', { error_status: 529, error: 'overloaded' }, /overloaded/],
  ['a cut socket', { error_status: null, error: 'unknown' }, /connection to the API was lost/],
  [
    'no answer',
    { error_status: null, error: 'unknown', no_response: { waited_ms: 60_000 } },
    /did not answer in time/,
  ],
];

for (const [name, fields, says] of retries) {
  test(`a retry says why, when and the how manieth it is: ${name}`, () => {
    const chat = new Chat().prompt('x');
    chat.cli({
      type: 'system',
      subtype: 'api_retry',
      attempt: 2,
      max_retries: 10,
      retry_delay_ms: 1200,
      ...fields,
    });
    const { kind, retry } = chat.state.status;
    assert.equal(kind, 'retrying');
    assert.match(retry?.reason ?? '', says);
    assert.deepEqual([retry?.at, retry?.attempt, retry?.most], [chat.time + 1200, 2, 10]);
    chat.cli(streamOf('m1').start());
    assert.deepEqual(chat.state.status, { kind: 'working' });
  });
}

test('what streamed before a cut goes with its empty article, and the whole answer stands once', () => {
  const chat = new Chat().prompt('x');
  const cut = streamOf('m1');
  chat.cli(cut.start(), cut.text(0, 'half an ans'), cut.stopBlock(0), cut.stop());
  assert.deepEqual(chat.texts, ['half an ans']);
  chat.cli({
    type: 'system',
    subtype: 'api_retry',
    attempt: 1,
    retry_delay_ms: 500,
    error: 'unknown',
  });
  assert.deepEqual(
    chat.items.map(({ kind }) => kind),
    ['user'],
  );
  const again = streamOf('m2');
  const text = 'half an answer, whole';
  chat.cli(again.start(), again.text(0, text), assistantRow('m2', [{ type: 'text', text }]));
  chat.cli(turnResult());
  assert.deepEqual(chat.texts, [text]);
});

test('what the last cut stream left goes too, and what whole rows brought stays', () => {
  const [row] = ROWS.filter(({ kind }) => kind === 'connectionLost');
  assert.ok(row);
  const chat = new Chat().prompt('x');
  const whole = [{ type: 'text', text: 'First I look.' }];
  const cut = streamOf('m2');
  chat.cli(assistantRow('m1', whole), cut.start(), cut.text(0, 'half an ans'));
  fail(chat, row);
  assert.deepEqual(chat.texts, ['First I look.']);
  assert.deepEqual(
    chat.items.map(({ kind }) => kind),
    ['user', 'assistant', 'error'],
  );
});

test('how long it waits counts from the first wait, not from each sign of it', () => {
  const chat = new Chat().prompt('x');
  chat.time += 4000;
  chat.cli({ type: 'system', subtype: 'init' });
  chat.cli({ type: 'system', subtype: 'status', status: 'requesting' });
  assert.deepEqual(chat.state.status, { kind: 'waitingForModel', since: chat.time - 4000 });
});

test('after a login the alerts that asked for it go, and what the last one kept can be sent', () => {
  const chat = new Chat().prompt('first');
  const [row] = ROWS.filter(({ kind }) => kind === 'notLoggedIn');
  assert.ok(row);
  fail(chat, row);
  chat.prompt('second');
  fail(chat, row);
  chat.apply({ type: 'setUpDone', what: 'login' });
  assert.deepEqual(
    chat.items.map(({ kind }) => kind),
    ['user', 'user', 'notice'],
  );
  const [notice] = chat.notices;
  assert.deepEqual(notice?.actions, ['retry']);
  assert.equal(chat.status, 'idle');
  chat.apply({ type: 'setUpDone', what: 'login' });
  assert.equal(chat.items.length, 3, 'a second time changes nothing');
});

test('a login changes no alert that did not ask for one', () => {
  const chat = new Chat().prompt('first');
  const [row] = ROWS.filter(({ kind }) => kind === 'overloaded');
  assert.ok(row);
  fail(chat, row);
  chat.apply({ type: 'setUpDone', what: 'login' });
  assert.deepEqual([chat.errors.length, chat.status], [1, 'failed']);
});

test('once the CLI is there the alerts that missed it go, and others stay', () => {
  const missing = { message: 'It was not found.', actions: ['retry'], lacks: 'cli' } as const;
  const chat = new Chat().prompt('first');
  chat.apply({ type: 'failed', error: missing, endsTurn: true });
  chat.apply({ type: 'setUpDone', what: 'login' });
  assert.deepEqual([chat.errors.length, chat.status], [1, 'failed']);
  chat.apply({ type: 'setUpDone', what: 'cli' });
  assert.deepEqual([chat.errors.length, chat.status], [0, 'idle']);
  assert.deepEqual(chat.notices[0]?.actions, ['retry']);
});

test('M19: a turn that ends with the search for a tool says that none was run, any other says nothing', () => {
  const call = (id: string, name: string) => assistantRow(`m-${id}`, [toolUse(id, name)]);
  const notices = (chat: Chat) =>
    chat.items.flatMap((item) => (item.kind === 'notice' ? [item.text] : []));
  const searched = new Chat()
    .prompt('go')
    .cli(call('t1', 'ToolSearch'), resultRow('t1', 'found'), turnResult());
  assert.match(notices(searched).join(), /no tool was run/);
  assert.equal(searched.state.status.kind, 'idle');
  searched.prompt('again').cli(call('t2', 'ToolSearch'), resultRow('t2', 'found'));
  searched.cli(call('t3', 'mcp__x__ping'), resultRow('t3', 'pong'), turnResult());
  assert.equal(notices(searched).length, 1, 'the tool that was found was run');
});
