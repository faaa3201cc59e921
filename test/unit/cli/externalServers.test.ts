import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import {
  collectServers,
  parseServerFile,
  type CollectOptions,
  type ServerSource,
} from '../../../src/cli/collectServers';
import { fillVariables } from '../../../src/cli/fillVariables';
import { parseServerEntry, type ExternalEntry } from '../../../src/cli/serverEntry';
import { contentHash, WorkspaceApprovals } from '../../../src/cli/workspaceApprovals';

test('An entry gets its type and its arguments, and keeps what is not known here', () => {
  const read = (value: unknown) => {
    const parsed = parseServerEntry(value);
    return parsed.ok ? [parsed.entry, parsed.runIn] : parsed.reason;
  };
  assert.deepEqual(read({ command: 'x' }), [{ command: 'x', type: 'stdio', args: [] }, 'cli']);
  assert.deepEqual(read({ command: 'x', args: ['a'], env: { A: 'b' }, timeout: 5 }), [
    { command: 'x', args: ['a'], env: { A: 'b' }, timeout: 5, type: 'stdio' },
    'cli',
  ]);
  assert.deepEqual(read({ url: 'http://h/mcp', runIn: 'editor' }), [
    { url: 'http://h/mcp', type: 'http' },
    'editor',
  ]);
  assert.deepEqual(read({ type: 'streamable-http', url: '${env:BASE}/mcp' }), [
    { url: '${env:BASE}/mcp', type: 'http' },
    'cli',
  ]);
});

const faults: readonly (readonly [value: unknown, reason: RegExp])[] = [
  [null, /must be an object/],
  ['npx server', /must be an object/],
  [[], /must be an object/],
  [{}, /needs either command or url/],
  [{ type: 'sdk', name: 'x' }, /type must be one of stdio, http, sse/],
  [{ type: 'toString', command: 'x' }, /type must be one of/],
  [{ type: 'http' }, /url must be a text/],
  [{ type: 'stdio', url: 'http://h' }, /command must be a text/],
  [{ command: '' }, /command must be a text, and not empty/],
  [{ command: ['npx', 'x'] }, /command must be a text/],
  [{ command: 'x', args: 'a b' }, /args must be a list of texts/],
  [{ command: 'x', args: ['a', 7] }, /args\.1 must be a text/],
  [{ command: 'x', env: ['A=b'] }, /env must be an object of texts/],
  [{ command: 'x', env: { PORT: 3000 } }, /env\.PORT must be a text/],
  [{ url: 'http://h', headers: { A: null } }, /headers\.A must be a text/],
  [{ url: 'file:///etc/passwd' }, /url must begin with http:\/\/ or https:\/\//],
  [{ command: 'x', runIn: 'host' }, /runIn must be one of cli, editor/],
];

test('Each fault of an entry is named with its place and never with its value', () => {
  for (const [value, reason] of faults) {
    const parsed = parseServerEntry(value);
    assert.ok(!parsed.ok, JSON.stringify(value));
    assert.match(parsed.reason, reason);
    assert.ok(!parsed.reason.includes('3000') && !parsed.reason.includes('passwd'));
  }
});

const stdio = (more: object = {}): ExternalEntry => ({
  type: 'stdio',
  command: 'server',
  args: [],
  ...more,
});
const sources = {
  env: { HOME: '/h', MY_TOKEN: 't0ken', EMPTY: '' },
  secret: (name: string) => Promise.resolve(name === 'db' ? 's3cret${HOME}' : undefined),
};

test('Variables are filled in wherever a text may stand, and a value is not read as a variable again', async () => {
  const entry = stdio({
    command: '${env:HOME}/bin',
    args: ['--root=${HOME}', '${NONE:-a b}', '${EMPTY}', '$HOME ${} ${a b}'],
    env: { A: 'x${secret:db}y', B: '${env:MY_TOKEN}', __proto__: '1' },
    timeout: 5,
  });
  const filled = await fillVariables(entry, sources);
  assert.ok(filled.ok);
  assert.deepEqual(filled.entry, {
    type: 'stdio',
    command: '/h/bin',
    args: ['--root=/h', 'a b', '', '$HOME ${} ${a b}'],
    env: { A: 'xs3cret${HOME}y', B: 't0ken' },
    timeout: 5,
  });
});

test('Of what was filled in, the secrets are told: those of the storage, and variables that are named like one', async () => {
  const entry: ExternalEntry = {
    type: 'http',
    url: 'http://h/s/${secret:db}/${env:HOME}/mcp?key=${MY_TOKEN}',
    headers: { A: 'Bearer ${secret:db}', B: '${NO_KEY:-fallback-key}', C: '${NONE:-plain}' },
    oauth: { clientSecret: '${secret:deep}', scopes: ['${env:MY_TOKEN}'] },
  };
  const secret = (name: string) => Promise.resolve(name === 'deep' ? 'd33p' : 's3cret');
  const filled = await fillVariables(entry, { env: sources.env, secret });
  assert.ok(filled.ok);
  assert.deepEqual([...filled.secrets].sort(), ['d33p', 'fallback-key', 's3cret', 't0ken']);
  const theirs = await fillVariables(stdio({ args: ['${MY_TOKEN}', '${GONE_TOKEN}'] }), {
    env: sources.env,
  });
  assert.deepEqual(theirs.ok && theirs.secrets, ['t0ken']);
  const none = await fillVariables(stdio({ env: { A: '${HOME}' } }), sources);
  assert.deepEqual(none.ok && none.secrets, []);
  const word = await fillVariables(stdio({ env: { A: '${A_TOKEN:-development}' } }), sources);
  assert.deepEqual(word.ok && word.secrets, [], 'a default that is a word is hidden nowhere');
});

test('A secret in what other programs can read is refused, and what is not set is named', async () => {
  const cases: readonly (readonly [ExternalEntry, RegExp])[] = [
    [stdio({ args: ['--key=${secret:db}'] }), /\$\{secret:db\} may not stand in args/],
    [stdio({ command: '${secret:db}' }), /may not stand in command/],
    [stdio({ args: ['${env:MY_TOKEN}'] }), /\$\{env:MY_TOKEN\} may not stand in args/],
    [stdio({ env: { A: '${secret:gone}' } }), /the secret gone is not set/],
    [stdio({ env: { A: '${env:GONE}' } }), /environment variable GONE is not set/],
    [stdio({ env: { A: '${env:constructor}' } }), /variable constructor is not set/],
  ];
  for (const [entry, reason] of cases) {
    const filled = await fillVariables(entry, sources);
    assert.ok(!filled.ok, JSON.stringify(entry));
    assert.match(filled.reason, reason);
    assert.ok(!filled.reason.includes('s3cret') && !filled.reason.includes('t0ken'));
  }
});

test("An entry that is not the person's own gets no secret, and what is not set stays as the CLI leaves it", async () => {
  const env = sources.env;
  const secret = await fillVariables(stdio({ env: { A: '${secret:db}' } }), { env });
  assert.ok(!secret.ok && secret.reason.includes('your own settings only'));
  const plain = await fillVariables(stdio({ args: ['${GONE}', '${MY_TOKEN}'] }), { env });
  assert.deepEqual(plain.ok && plain.entry.args, ['${GONE}', 't0ken']);
});

function collect(
  written: readonly (readonly [string, ServerSource, unknown])[],
  more: Partial<CollectOptions> = {},
) {
  return collectServers({
    written: written.map(([name, source, value]) => ({ name, source, value })),
    reserved: ['editor', 'code'],
    isOff: (name) => name === 'off',
    isApproved: (name) => name === 'fine',
    ...sources,
    log: silentLogger,
    ...more,
  });
}

test('Each server has one state, whatever the others are', async () => {
  const ok = { command: 'x' };
  const found = await collect([
    ['twice', 'workspace', ok],
    ['fine', 'workspace', ok],
    ['strange', 'workspace', ok],
    ['mine', 'workspace', { ...ok, runIn: 'editor' }],
    ['my server', 'user', ok],
    ['my.server', 'user', ok],
    ['twice', 'user', { command: 'user' }],
    ['twice', 'local', { command: 'local' }],
    ['off', 'setting', ok],
    ['editor', 'setting', ok],
    ['ide', 'setting', ok],
    ['', 'setting', ok],
    ['bad', 'setting', { command: 7 }],
    ['bad', 'user', ok],
    ['__proto__', 'setting', ok],
  ]);
  const states = found.map(({ name, source, state }) => `${name} ${source} ${state}`);
  assert.deepEqual(states, [
    'off setting off',
    'editor setting hidden',
    'ide setting bad',
    ' setting bad',
    'bad setting bad',
    '__proto__ setting on',
    'twice local on',
    'my server user on',
    'my.server user hidden',
    'twice user hidden',
    'bad user on',
    'twice workspace hidden',
    'fine workspace on',
    'strange workspace unapproved',
    'mine workspace bad',
  ]);
  assert.ok(found.every(({ state, entry }) => (state === 'on') === (entry !== undefined)));
});

test('A secret reaches the entry and neither what may be shown nor the log', async () => {
  const lines: string[] = [];
  const warn = (line: string): void => void lines.push(line);
  const [server, bad] = await collect(
    [
      ['a', 'setting', { url: 'http://h', headers: { Authorization: 'Bearer ${secret:db}' } }],
      ['b', 'setting', { command: 'x', args: ['${secret:db}'] }],
    ],
    { log: { ...silentLogger, warn } },
  );
  assert.match(JSON.stringify(server?.entry), /s3cret/);
  assert.deepEqual(server?.secrets, ['s3cret${HOME}']);
  assert.ok(!JSON.stringify([server.written, bad]).includes('s3cret'));
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /The server b \(setting\) is left out/);
  assert.ok(!lines.join().includes('s3cret'));
});

test('A file without servers says what it lacks', () => {
  assert.deepEqual([...parseServerFile('\uFEFF{"mcpServers":{"a":1}}')], [['a', 1]]);
  for (const text of ['[]', '{}', '{"mcpServers":[]}', 'null']) {
    assert.throws(() => parseServerFile(text), /no object mcpServers/);
  }
  assert.throws(() => parseServerFile('{"mcpServers":'), SyntaxError);
});

function approvals(answer: 'start' | 'refuse' | undefined, stored?: unknown) {
  const asked: string[] = [];
  const memory = { value: stored };
  const made = new WorkspaceApprovals({
    memory: { get: () => memory.value, set: (value) => (memory.value = structuredClone(value)) },
    ask: ({ name, changed }) => {
      asked.push(`${name}${changed ? ' changed' : ''}`);
      return Promise.resolve(answer);
    },
    onError: assert.ifError,
  });
  return { made, asked, memory };
}

test('An approval is for one folder, one name and one content, and outlives the window', async () => {
  const { made, asked, memory } = approvals('start');
  let told = 0;
  made.onDidChange(() => (told += 1));
  const value = { command: 'x', args: ['1'] };
  made.request('/a', 'one', value);
  made.request('/a', 'one', value);
  await new Promise(setImmediate);
  assert.deepEqual([asked, told], [['one'], 1]);
  assert.ok(made.isApproved('/a', 'one', { args: ['1'], command: 'x' }));
  assert.ok(!made.isApproved('/b', 'one', value));
  assert.ok(!made.isApproved('/a', 'two', value));
  assert.ok(!made.isApproved('/a', 'one', { ...value, args: ['2'] }));
  const next = approvals('start', memory.value);
  assert.ok(next.made.isApproved('/a', 'one', value));
  next.made.request('/a', 'one', { ...value, args: ['2'] });
  await new Promise(setImmediate);
  assert.deepEqual(next.asked, ['one changed']);
  assert.ok(!next.made.isApproved('/a', 'one', value), 'the answer is for the new content');
});

test('A refusal holds for its content, no answer is asked for again in the next window only', async () => {
  const value = { command: 'x' };
  const refused = approvals('refuse');
  refused.made.request('/a', 'one', value);
  await new Promise(setImmediate);
  refused.made.request('/a', 'one', value);
  assert.ok(!refused.made.isApproved('/a', 'one', value));
  assert.deepEqual(refused.asked, ['one']);
  const closed = approvals(undefined);
  closed.made.request('/a', 'one', value);
  await new Promise(setImmediate);
  closed.made.request('/a', 'one', value);
  assert.deepEqual([closed.asked, closed.memory.value], [['one'], undefined]);
  closed.made.forget('/a', 'one');
  closed.made.request('/a', 'one', value);
  assert.deepEqual(closed.asked, ['one', 'one']);
});

test('A question is taken back when it is settled elsewhere, and when its entry is another or gone', async () => {
  const open = new Map<string, AbortSignal>();
  let stored: unknown;
  const made = new WorkspaceApprovals({
    memory: { get: () => stored, set: (value) => (stored = structuredClone(value)) },
    ask: ({ folder, name, value, signal }) => {
      open.set(`${folder} ${name} ${JSON.stringify(value)}`, signal);
      return new Promise(() => undefined);
    },
    onError: assert.ifError,
  });
  const waiting = () => [...open].filter(([, { aborted }]) => !aborted).map(([what]) => what);
  made.request('/a', 'one', 1);
  made.request('/a', 'two', 1);
  made.request('/b', 'one', 1);
  assert.equal(waiting().length, 3);
  made.request('/a', 'one', 2);
  assert.deepEqual(waiting(), ['/a two 1', '/b one 1', '/a one 2']);
  made.request('/a', 'one', 1);
  assert.deepEqual(waiting(), ['/a one 1', '/a two 1', '/b one 1']);
  made.answer('/a', 'one', 1, 'refuse');
  assert.deepEqual(waiting(), ['/a two 1', '/b one 1']);
  made.keepOnly('/a', ['two']);
  assert.deepEqual(waiting(), ['/a two 1', '/b one 1']);
  made.keepOnly('/a', []);
  assert.deepEqual(waiting(), ['/b one 1']);
  made.request('/a', 'two', 1);
  assert.deepEqual(waiting(), ['/a two 1', '/b one 1']);
  await new Promise(setImmediate);
});

test('What is stored in another form counts as no answer', () => {
  const value = { command: 'x' };
  const key = JSON.stringify(['/a', 'one']);
  for (const stored of [7, [], { [key]: true }, { [key]: { hash: contentHash(value) } }]) {
    assert.ok(!approvals('start', stored).made.isApproved('/a', 'one', value));
  }
});
