import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import type {
  ErrorAction,
  ErrorItem,
  NoticeItem,
  ViewState,
} from '../../src/chat/viewStateProtocol';
import { askLogin } from '../../src/cli/askLogin';
import {
  cut,
  fault,
  message,
  say,
  text,
  toolUse,
  type Reply,
  type Turn,
} from '../harness/model/script';
import { createBench, isIdle, saidIn, type BenchOptions } from './conversationBench';

/** The real CLI against a model that fails on purpose: what the person sees of each fault. */
const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

async function bench(options: BenchOptions) {
  const made = await createBench(options);
  benches.push(made);
  return made;
}

const isOver = (view: ViewState): boolean =>
  ['failed', 'idle', 'notConnected'].includes(view.status.kind);

/** The alert that the last prompt ended in. */
function lastAlert(view: ViewState): ErrorItem {
  const alert = view.items.at(-1);
  assert.equal(alert?.kind, 'error', JSON.stringify(alert));
  return alert;
}

interface ApiRow {
  readonly name: string;
  readonly reply: Reply;
  readonly says: RegExp;
  readonly first: ErrorAction;
  /** Why it is tried again, for a fault that the CLI tries again. */
  readonly retry?: RegExp;
}

const API_ROWS: readonly ApiRow[] = [
  {
    name: '401',
    reply: fault(401, 'authentication_error', 'invalid x-api-key'),
    says: /did not accept your login or key \(status 401\)/,
    first: 'login',
    retry: /did not accept your login/,
  },
  {
    name: '403',
    reply: fault(403, 'permission_error', 'forbidden'),
    says: /may not use this API/,
    first: 'login',
  },
  {
    name: '404',
    reply: fault(404, 'not_found_error', 'model: nope'),
    says: /model does not exist/,
    first: 'chooseModel',
  },
  {
    name: '400',
    reply: fault(400, 'invalid_request_error', 'messages: bad thing'),
    says: /refused the request \(status 400\)/,
    first: 'retry',
  },
  {
    name: 'too long',
    reply: fault(
      400,
      'invalid_request_error',
      'prompt is too long: 250000 tokens > 200000 maximum',
    ),
    says: /conversation is too long/,
    first: 'compact',
  },
  {
    name: '413',
    reply: fault(413, 'request_too_large', 'Request exceeds the maximum size'),
    says: /too large for the API/,
    first: 'newConversation',
  },
  {
    name: 'credit',
    reply: fault(400, 'invalid_request_error', 'Your credit balance is too low to access the API'),
    says: /no credit left/,
    first: 'retry',
  },
  {
    name: '429',
    reply: fault(429, 'rate_limit_error', 'slow down', 1),
    says: /no more requests/,
    first: 'retry',
    retry: /no more requests/,
  },
  {
    name: '500',
    reply: fault(500, 'api_error', 'internal'),
    says: /error of its own \(status 500\)/,
    first: 'retry',
    retry: /status 500/,
  },
  {
    name: '529',
    reply: fault(529, 'overloaded_error', 'overloaded'),
    says: /overloaded/,
    first: 'retry',
    retry: /overloaded/,
  },
  {
    name: 'cut',
    reply: message([text('half an answer'), cut()]),
    says: /connection to the API was lost/,
    first: 'retry',
    retry: /connection to the API was lost/,
  },
  {
    name: 'endless',
    reply: message([text('more ')], 'max_tokens'),
    says: /longer than the model can write/,
    first: 'retry',
  },
  {
    name: 'refusal',
    reply: message([text('no')], 'refusal'),
    says: /declined to answer/,
    first: 'chooseModel',
  },
];

test('each fault of the API is one alert of its own, and the conversation goes on in the same session', async () => {
  const made = await bench({
    environment: { CLAUDE_CODE_MAX_RETRIES: '1' },
    model: {
      script: (turn: Turn) =>
        API_ROWS.find(({ name }) => turn.prompt.endsWith(`row ${name}`))?.reply ?? say('fine'),
    },
  });
  await made.prompt('hello');
  await made.until('a first answer', isIdle);
  const session = made.kept()?.sessionId;
  const seen: string[] = [];
  for (const row of API_ROWS) {
    let retry: string | undefined;
    await made.prompt(`row ${row.name}`);
    await made.until(`the alert of ${row.name}`, (view) => {
      retry ??= view.status.retry?.reason;
      const said = view.items.findLast(({ kind }) => kind === 'user');
      const isIts = said?.kind === 'user' && said.text === `row ${row.name}`;
      return isIts && view.items.at(-1)?.kind === 'error' && isOver(view);
    });
    const alert = lastAlert(made.view);
    assert.match(alert.message, row.says, row.name);
    assert.equal(alert.actions[0], row.first, row.name);
    assert.ok(alert.details, row.name);
    if (row.retry) assert.match(retry ?? 'not tried again', row.retry, row.name);
    else assert.equal(retry, undefined, row.name);
    seen.push(alert.message);
    const at = made.view.items.findLastIndex(({ kind }) => kind === 'user');
    const answers = made.view.items.slice(at).filter(({ kind }) => kind === 'assistant');
    const hasAnswer = row.name === 'endless' || row.name === 'refusal';
    assert.equal(answers.length > 0, hasAnswer, `${row.name}: no half answer is left`);
  }
  assert.equal(new Set(seen).size, API_ROWS.length, 'no two say the same');
  await made.prompt('and now');
  await made.until('an answer after all of it', isIdle);
  assert.equal(made.kept()?.sessionId, session, 'it was the same conversation all along');
});

test('Stop works while the API is asked again, and leaves no alert', async () => {
  const made = await bench({
    model: { script: [fault(529, 'overloaded_error', 'overloaded', 30)] },
  });
  await made.prompt('hello');
  await made.until('the countdown', (view) => view.status.kind === 'retrying');
  const { retry } = made.view.status;
  assert.ok(retry && retry.at - Date.now() > 5000, 'the wait is the one that the API asked for');
  assert.equal(retry.attempt, 1);
  assert.ok((retry.most ?? 0) >= 1);
  await made.conversation.stop();
  await made.until('the end', (view) => view.status.kind === 'idle');
  assert.deepEqual(
    made.view.items.map(({ kind }) => kind),
    ['user', 'notice'],
  );
});

const LIMITS: readonly (readonly [argument: string, says: RegExp])[] = [
  ['--max-turns=1', /limit of steps/],
  ['--max-budget-usd=0.000001', /cost limit/],
];

for (const [argument, says] of LIMITS) {
  test(`a limit that the person set ends the turn and is no failure: ${argument}`, async () => {
    const made = await bench({
      settings: { cliArguments: [argument] },
      model: {
        script: ({ results }) =>
          results.length === 0
            ? message([toolUse('Read', { file_path: 'src/a.ts' })])
            : say('done'),
      },
    });
    await made.prompt('read it');
    await made.until('the alert', (view) => view.items.at(-1)?.kind === 'error' && isOver(view));
    const alert = lastAlert(made.view);
    assert.match(alert.message, says);
    assert.deepEqual([alert.actions[0], made.view.status.kind], ['openSettings', 'idle']);
  });
}

const LAUNCHES: readonly {
  readonly name: string;
  readonly args: readonly string[];
  readonly says: RegExp;
  readonly details: RegExp;
}[] = [
  {
    name: 'an unknown flag',
    args: ['--nonsense'],
    says: /does not know --nonsense, which the setting patchbay\.cli\.arguments adds/,
    details: /^$/,
  },
  {
    name: 'servers that are no file',
    args: ['--mcp-config={bad'],
    says: /servers that --mcp-config names/,
    details: /Invalid MCP configuration/,
  },
  {
    name: 'settings that are no file',
    args: ['--settings={bad'],
    says: /settings that --settings names/,
    details: /Settings file not found/,
  },
  {
    name: 'a value that is not taken',
    args: ['--input-format=zzz'],
    says: /value of one of its arguments/,
    details: /argument 'zzz' is invalid/,
  },
  {
    name: 'a name of the conversation that is none',
    args: ['--session-id=zzz'],
    says: /name of this conversation/,
    details: /UUID/,
  },
];

for (const { name, args, says, details } of LAUNCHES) {
  test(`a start that fails says why in its own words: ${name}`, async () => {
    const made = await bench({ settings: { cliArguments: args } });
    await made.prompt('precious words');
    await made.until('the alert', (view) => view.items.at(-1)?.kind === 'error');
    const alert = lastAlert(made.view);
    assert.match(alert.message, says);
    assert.match(alert.details ?? '', details);
    assert.ok(alert.actions.includes('openSettings') && alert.actions.includes('showLog'));
    const [said] = made.view.items;
    assert.equal(said?.kind === 'user' && said.text, 'precious words');
  });
}

test('a broken .claude.json is named, is not mended by us, and Retry goes on once it is whole', async () => {
  const made = await bench({ model: { script: [say('fine')] } });
  const file = path.join(made.sandbox.home, '.claude', '.claude.json');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, '{ broken');
  await made.prompt('hello');
  await made.until('the alert', (view) => view.items.at(-1)?.kind === 'error');
  const alert = lastAlert(made.view);
  assert.match(alert.message, /configuration file of the CLI is not valid JSON/);
  assert.ok(alert.next?.includes('.claude.json'), alert.next);
  await rm(file);
  made.conversation.retry(alert.id);
  await made.until('the answer', (view) => saidIn(view) === 'fine');
});

test('a folder that is gone is named, and Retry goes on once it is back', async () => {
  const made = await bench({ model: { script: [say('fine')] } });
  await rm(made.sandbox.workspace, { recursive: true });
  await made.prompt('hello');
  await made.until('the alert', (view) => view.items.at(-1)?.kind === 'error');
  const alert = lastAlert(made.view);
  assert.ok(alert.message.includes(made.sandbox.workspace), alert.message);
  assert.equal(alert.actions[0], 'openFolder');
  await mkdir(made.sandbox.workspace);
  made.conversation.retry(alert.id);
  await made.until('the answer', (view) => saidIn(view) === 'fine');
});

test('what the CLI passes over in silence is told once: servers, settings, an argument', async () => {
  const made = await bench({
    settings: { cliArguments: ['--effort=zzz'] },
    model: { script: [say('fine')] },
  });
  const folder = path.join(made.sandbox.home, '.claude');
  await mkdir(folder, { recursive: true });
  const mcpServers = {
    gone: { type: 'stdio', command: '/no/such/program', args: [] },
    odd: { type: 'carrier-pigeon', url: 'x' },
  };
  await writeFile(path.join(folder, '.claude.json'), JSON.stringify({ mcpServers }));
  await writeFile(path.join(folder, 'settings.json'), '{ broken');
  const texts = () =>
    made.view.items.flatMap((item) => (item.kind === 'notice' ? [item.text] : []));
  await made.prompt('hello');
  await made.until('the answer', (view) => saidIn(view) === 'fine' && isOver(view));
  // They come beside the answer, in no fixed order.
  await made.until('all notices', () => texts().length >= 4);
  const expected = [
    /settings file .*settings\.json is not valid JSON/,
    /The CLI says: Warning: .*zzz/,
    /\bgone\b.*(?:ENOENT|no such file)/i,
    /\bodd\b/,
  ];
  for (const words of expected) {
    assert.equal(
      texts().filter((text) => words.test(text)).length,
      1,
      `${String(words)}\n${texts().join('\n')}`,
    );
  }
  const count = texts().length;
  await made.prompt('again');
  await made.until('the second answer', (view) => saidIn(view) === 'finefine' && isOver(view));
  assert.equal(texts().length, count, 'nothing is told twice');
});

/**
 * The stand-in for a login: the file in which the CLI keeps a claude.ai account. `claude auth
 * status` and the account of `initialize` are read from it; the real CLI takes it offline.
 */
async function logIn(configFolder: string): Promise<void> {
  await mkdir(configFolder, { recursive: true });
  const account = {
    accessToken: 'stand-in-access',
    refreshToken: 'stand-in-refresh',
    expiresAt: Date.now() + 86_400_000,
    scopes: ['user:inference', 'user:profile'],
    subscriptionType: 'max',
  };
  const file = path.join(configFolder, '.credentials.json');
  await writeFile(file, JSON.stringify({ claudeAiOauth: account }), { mode: 0o600 });
}

test('without a login the person is asked to log in, and what was kept is sent after it', async () => {
  const made = await bench({
    environment: { ANTHROPIC_API_KEY: '' },
    model: { script: [say('welcome')] },
  });
  const { command, home, env } = made.sandbox;
  const cli = { command, args: [], file: command, env };
  await made.prompt('precious words');
  await made.until('the alert', (view) => view.items.at(-1)?.kind === 'error');
  const alert = lastAlert(made.view);
  assert.match(alert.message, /not logged in/);
  assert.equal(alert.actions[0], 'login');
  assert.equal(made.model.requests.length, 0, 'nothing was asked');
  assert.equal((await askLogin(cli)).state, 'no');

  await logIn(path.join(home, '.claude'));
  assert.equal((await askLogin(cli)).state, 'yes');
  made.conversation.setUpDone('login', true);
  await made.until('the alert is gone', (view) => view.items.at(-1)?.kind === 'notice');
  const notice = made.view.items.at(-1) as NoticeItem;
  assert.deepEqual(notice.actions, ['retry']);
  made.conversation.retry(notice.id);
  await made.until('the answer', (view) => saidIn(view) === 'welcome');
  const request = await made.model.waitForRequest(({ isSide }) => !isSide);
  assert.equal(request.turn.prompt, 'precious words');
  assert.match(String(request.headers.authorization), /stand-in-access/);
  assert.equal(made.view.items.filter(({ kind }) => kind === 'user').length, 1);
});

for (const [where, address] of [
  ['a port where nobody listens', 'http://127.0.0.1:9'],
  ['a name that is not found', 'http://nowhere.invalid'],
] as const) {
  test(`an API that cannot be reached is no fault of the service: ${where}`, async () => {
    const made = await bench({
      environment: { ANTHROPIC_BASE_URL: address, CLAUDE_CODE_MAX_RETRIES: '1' },
    });
    await made.prompt('is anybody there?');
    await made.until('the alert', (view) => view.items.at(-1)?.kind === 'error');
    const alert = lastAlert(made.view);
    assert.match(alert.message, /cannot be reached/, JSON.stringify(alert));
    assert.equal(alert.actions[0], 'retry');
  });
}
