import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import { namedFile, ServerBook, type ServerBookPorts } from '../../../src/cli/serverBook';
import { WorkspaceApprovals } from '../../../src/cli/workspaceApprovals';

const TOKEN = 'hunter2-token';

/** A folder that is workspace and home at once, and the book of its servers. */
async function bookIn(t: TestContext, ports: Partial<ServerBookPorts> = {}) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-book-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  let stored: unknown;
  const asked: { readonly name: string; readonly signal: AbortSignal }[] = [];
  const approvals = new WorkspaceApprovals({
    memory: { get: () => stored, set: (value) => (stored = structuredClone(value)) },
    ask: (question) => {
      asked.push(question);
      return new Promise(() => undefined);
    },
    onError: assert.ifError,
  });
  const book = new ServerBook({
    log: silentLogger,
    settingServers: () => ({}),
    configFile: () => '~/servers.json',
    secret: () => Promise.resolve(undefined),
    isTrusted: () => true,
    reserved: () => [],
    isOff: () => false,
    approvals,
    ...ports,
  });
  const wanted = { env: { HOME: folder }, cwd: folder };
  return {
    ...{ folder, approvals, book, wanted },
    write: (file: string, text: string) => writeFile(path.join(folder, file), text),
    states: async () =>
      (await book.collect(wanted)).map(({ name, state, reason }) =>
        [path.basename(name), state, reason].filter(Boolean).join(' '),
      ),
    waiting: () => asked.filter(({ signal }) => !signal.aborted).map(({ name }) => name),
  };
}

const file = (servers: object): string => JSON.stringify({ mcpServers: servers });

test('A secret that cannot be read is a fault of its own server, and of no other', async (t) => {
  for (const fails of [
    () => Promise.reject(new Error('The keyring is locked')),
    () => {
      throw new Error('The keyring is locked');
    },
  ]) {
    const { states, write } = await bookIn(t, {
      settingServers: () => ({
        sec: { url: 'https://h', headers: { A: '${secret:T}', B: ['${secret:U}'] } },
        env: { command: 'x', env: { A: '${secret:T}' } },
        ok: { command: 'x' },
      }),
      secret: fails,
    });
    await write('servers.json', file({ filed: { command: 'x' } }));
    const told = await states();
    const reason = 'bad the secret T cannot be read: The keyring is locked';
    assert.deepEqual(told.slice(1), [`env ${reason}`, 'ok on', 'filed on']);
    assert.match(told[0] ?? '', /^sec bad/);
  }
});

test('A file that is half written takes no server away and quotes nothing, and says what it is', async (t) => {
  const value = { command: 'srv' };
  const { states, write, approvals, book, folder, waiting } = await bookIn(t);
  const half = `{"mcpServers": {"w": ${TOKEN}`;
  await write('servers.json', file({ filed: value }));
  await write('.mcp.json', half);
  assert.deepEqual(await states(), ['filed on', '.mcp.json bad it is not valid JSON']);
  assert.equal(await book.workspaceEntry(folder, 'w'), undefined);
  await write('.mcp.json', file({ w: value, open: value }));
  approvals.answer(folder, 'w', value, 'start');
  assert.deepEqual(await states(), ['filed on', 'w on', 'open unapproved']);
  for (const text of [half, '']) {
    await write('.mcp.json', text);
    await write('servers.json', text);
    const bad = 'bad it is not valid JSON, so its servers stay as they were';
    assert.deepEqual(await states(), [
      ...['filed on', 'w on', 'open unapproved'],
      ...[`servers.json ${bad}`, `.mcp.json ${bad}`],
    ]);
    assert.deepEqual(waiting(), ['open']);
    assert.deepEqual(await book.workspaceEntry(folder, 'w'), value);
  }
  await write('servers.json', file({}));
  await rm(path.join(folder, '.mcp.json'));
  assert.deepEqual([await states(), waiting()], [[], []], 'what is gone is gone');
  await write('.mcp.json', half);
  assert.match((await states()).join(), /^\.mcp\.json bad/);
});

test('The question about an entry goes once the entry is as it was approved, refused, or none', async (t) => {
  const { states, write, approvals, folder, waiting } = await bookIn(t, { configFile: () => '' });
  const [first, second] = [{ command: 'A' }, { command: 'B' }];
  for (const answer of ['start', 'refuse'] as const) {
    approvals.answer(folder, 'w', first, answer);
    await write('.mcp.json', file({ w: second }));
    await states();
    assert.deepEqual(waiting(), ['w']);
    await write('.mcp.json', file({ w: first }));
    await states();
    assert.deepEqual(waiting(), [], answer);
    await write('.mcp.json', file({ w: second }));
    await states();
    assert.deepEqual(waiting(), ['w'], 'and comes again with the change');
    await write('.mcp.json', file({ w: 7 }));
    await states();
    assert.deepEqual(waiting(), [], 'what cannot be started is not asked about');
  }
});

test('An answer about an entry that is gone is kept as any other', async (t) => {
  const { approvals, book, folder } = await bookIn(t);
  const value = await book.workspaceEntry(folder, 'w');
  approvals.answer(folder, 'w', value, 'start');
  assert.ok(!approvals.isApproved(folder, 'w', { command: 'x' }));
});

test('The path of a file may begin with the home folder, however that is called', () => {
  for (const home of ['/home/me', '/home/$&']) {
    const env = { HOME: home };
    assert.equal(namedFile(' ~/a.json ', env), `${home}/a.json`);
    assert.equal(namedFile('~\\a.json', env), `${home}\\a.json`);
    for (const other of ['~me/a.json', '/x/~/a.json', 'a.json']) {
      assert.equal(namedFile(other, env), other);
    }
  }
});
