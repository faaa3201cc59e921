import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { silentLogger } from '../../src/base/logger';
import type { ViewState } from '../../src/chat/viewStateProtocol';
import { configFile, readPersonServers } from '../../src/cli/personServers';
import { PersonServersWatch } from '../../src/cli/personServersWatch';
import { startHttpServer } from '../harness/mcpServers/httpServer';
import { createRealCliSandbox } from '../harness/model/realCli';
import { say } from '../harness/model/script';
import { isIdle } from './conversationBench';
import {
  calls,
  endAll,
  ends,
  offered,
  results,
  SECRET,
  stdioServer,
  turn,
  world,
} from './serverWorld';

const run = promisify(execFile);
const base = await mkdtemp(path.join(tmpdir(), 'patchbay-servers-'));
after(async () => {
  await endAll();
  await rm(base, { recursive: true, force: true });
});

const WEB_TOKEN = 'hidden-in-environment-2';

/** What every program of this machine may read of the others. */
async function commandLines(): Promise<string> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.join('\n');
}

test('In-process, stdio and HTTP servers work beside bad entries, and no secret is in argv, log or view', async () => {
  const web = await startHttpServer('web', WEB_TOKEN);
  ends.push(() => web.close());
  const { made, log } = await world(
    {
      local: stdioServer('local', { DB: '${secret:db}' }),
      web: { type: 'http', url: web.url, headers: { Authorization: 'Bearer ${env:WEB_TOKEN}' } },
      wrong: { type: 'http' },
      unset: stdioServer('unset', { KEY: '${secret:gone}' }),
      dead: { command: path.join(base, 'no such program') },
    },
    calls(
      ['mcp__probe__echo', { value: 'x' }],
      ['mcp__local__env', { name: 'DB' }],
      'mcp__local__ping',
      'mcp__web__ping',
    ),
    {
      environment: { WEB_TOKEN },
      settings: { allowedTools: ['mcp__local__ping', 'mcp__local__env', 'mcp__web'] },
    },
  );
  await made.prompt('go');
  await made.until('the end', isIdle);
  const lines = await commandLines();
  const told = results(made.view);
  assert.match(told[0] ?? '', /probe__echo done .*echo x/);
  assert.match(told[1] ?? '', /local__env done .*=hidden-in-storage-1/);
  assert.match(told[2] ?? '', /local__ping done .*pong local/);
  assert.match(told[3] ?? '', /web__ping done .*pong web/);
  assert.ok(web.headers.some(({ authorization }) => authorization === `Bearer ${WEB_TOKEN}`));
  assert.ok(lines.includes('stdioServer.mjs\0local'), 'the server runs now');
  for (const secret of [SECRET, WEB_TOKEN]) {
    assert.ok(!lines.includes(secret), 'a command line holds a secret');
    assert.ok(!log.join('\n').includes(secret), 'the log holds a secret');
  }
  const noticesOf = ({ items }: ViewState): string =>
    JSON.stringify(items.filter(({ kind }) => kind === 'notice'));
  // Why it failed is asked of the CLI, beside the turn.
  await made.until('the notice', (view) => noticesOf(view).includes('The server dead'));
  const notices = noticesOf(made.view);
  assert.match(notices, /The server wrong is left out: url must be a text/);
  assert.match(notices, /The server unset is left out: the secret gone is not set/);
  assert.match(notices, /The server dead could not be connected/);
  assert.ok(!notices.includes(WEB_TOKEN));
  const status = await made.conversation.serverStatus();
  const states = status.map(
    ({ name, status: state, toolCount }) => `${name} ${state} ${toolCount}`,
  );
  assert.deepEqual(states.sort(), [
    'dead failed 0',
    'local connected 4',
    'probe connected 4',
    'web connected 1',
  ]);
  assert.ok(!JSON.stringify(status).includes(WEB_TOKEN));
});

test('Servers are added, removed, switched and reconnected in a running conversation', async () => {
  const start = path.join(base, 'starts');
  const { made, book, settings, switches } = await world({}, () => say('ok'));
  await turn(made, 'one');
  assert.ok(
    offered(made).includes('mcp__probe__echo') && !offered(made).includes('mcp__late__ping'),
  );
  settings.late = stdioServer('late', {}, start);
  book.refresh();
  await made.conversation.syncServers();
  await turn(made, 'two');
  assert.ok(offered(made).includes('mcp__late__ping'));
  await made.conversation.reconnectServer('late');
  assert.equal(readFileSync(start, 'utf8').trim().split('\n').length, 2);
  await assert.rejects(made.conversation.reconnectServer('nobody'), /not found/i);
  switches.switchServer('late', false);
  switches.switchServer('probe', false);
  book.refresh();
  await made.conversation.syncServers();
  assert.deepEqual(await made.conversation.serverStatus(), []);
  switches.switchServer('probe', true);
  delete settings.late;
  await made.conversation.syncServers();
  const names = (await made.conversation.serverStatus()).map(({ name }) => name);
  assert.deepEqual(names, ['probe']);
});

test("The workspace's server is started after its approval, and after a change it is asked about again", async () => {
  const start = path.join(base, 'approved');
  const file = (args: string[]) =>
    JSON.stringify({ mcpServers: { theirs: stdioServer('theirs', {}, ...args) } });
  const { made, book, approvals, asked } = await world({}, () => say('ok'), {
    files: { '.mcp.json': file([start]) },
  });
  await turn(made, 'one');
  assert.deepEqual([asked, existsSync(start)], [['theirs'], false]);
  assert.ok(!offered(made).includes('mcp__theirs__ping'));
  const folder = made.sandbox.workspace;
  approvals.answer(folder, 'theirs', await book.workspaceEntry(folder, 'theirs'), 'start');
  await made.conversation.syncServers();
  await turn(made, 'two');
  assert.ok(offered(made).includes('mcp__theirs__ping') && existsSync(start));
  const other = path.join(base, 'changed');
  await writeFile(path.join(folder, '.mcp.json'), file([other]));
  book.refresh();
  await made.conversation.syncServers();
  assert.deepEqual([asked, existsSync(other)], [['theirs', 'theirs changed'], false]);
  const names = (await made.conversation.serverStatus()).map(({ name }) => name);
  assert.deepEqual(names, ['probe'], 'what was approved before is not what the file says now');
});

test('In an untrusted workspace nothing of its file is read, started or asked about', async () => {
  const start = path.join(base, 'untrusted');
  const files = {
    '.mcp.json': JSON.stringify({ mcpServers: { evil: stdioServer('evil', {}, start) } }),
  };
  const { made, asked } = await world({}, () => say('ok'), { files, trusted: false });
  await turn(made, 'one');
  assert.deepEqual([asked, existsSync(start)], [[], false]);
});

test('Servers of a file of the person are used, and a file that cannot be read is named', async () => {
  const configFile = path.join(base, 'servers.json');
  await writeFile(configFile, JSON.stringify({ mcpServers: { filed: stdioServer('filed') } }));
  const { made } = await world({}, () => say('ok'), { configFile });
  await turn(made, 'one');
  assert.ok(offered(made).includes('mcp__filed__ping'));
  const gone = path.join(base, 'gone.json');
  const other = await world({}, () => say('ok'), { configFile: gone });
  await turn(other.made, 'one');
  const notices = JSON.stringify(other.made.view.items.filter(({ kind }) => kind === 'notice'));
  assert.ok(notices.includes(`The server ${gone} is left out: there is no such file`));
});

test('A server that the person adds with the CLI is taken up by the running conversation, and goes again', async () => {
  const { made, book } = await world({}, () => say('ok'));
  await turn(made, 'one');
  const { command, env, home, workspace } = made.sandbox;
  const watch = new PersonServersWatch({
    file: configFile({ env, home }),
    everyMs: 50,
    onChange: () => {
      book.refresh();
    },
  });
  ends.push(() => {
    watch.dispose();
    return Promise.resolve();
  });
  const mcp = (...args: string[]) => run(command, ['mcp', ...args], { env, cwd: workspace });
  const names = async () =>
    (await made.conversation.serverStatus()).map(({ name, status }) => `${name} ${status}`).sort();
  const { command: node, args } = stdioServer('mine');
  await mcp('add', '-s', 'user', 'mine', '--', node, ...args);
  await untilIs(names, ['mine connected', 'probe connected']);
  await turn(made, 'two');
  assert.ok(offered(made).includes('mcp__mine__ping'));
  await mcp('remove', '-s', 'user', 'mine');
  await untilIs(names, ['probe connected']);
});

/** Asks again until it is so. */
async function untilIs(ask: () => Promise<string[]>, wanted: string[]): Promise<void> {
  for (const until = Date.now() + 60_000; ;) {
    const now = await ask();
    if (JSON.stringify(now) === JSON.stringify(wanted)) return;
    assert.ok(Date.now() < until, `it stays ${JSON.stringify(now)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('The servers of each kind of checkout are those that the CLI keeps for it', async () => {
  const sandbox = await createRealCliSandbox({ modelUrl: 'http://127.0.0.1:9' });
  ends.push(() => sandbox.cleanup());
  const { home, workspace, command, env } = sandbox;
  const at = (...below: string[]): string => path.join(workspace, ...below);
  const git = async (folder: string, ...args: string[]): Promise<void> => {
    const own = ['-c', 'user.email=a@b', '-c', 'user.name=a', '-c', 'protocol.file.allow=always'];
    await mkdir(at(folder), { recursive: true });
    await run('git', [...own, ...args], { cwd: at(folder), env });
  };
  for (const folder of ['main', 'super']) {
    await git(folder, 'init', '-q', ...(folder === 'main' ? [] : ['--separate-git-dir=../apart']));
    await git(folder, 'commit', '-q', '--allow-empty', '-m', 'x');
  }
  await git('super', 'submodule', '--quiet', 'add', at('main'), 'module');
  await git('.', 'clone', '-q', '--bare', at('main'), 'bare/.bare');
  for (const folder of ['main', 'super', 'super/module', 'bare/.bare']) {
    await git(folder, 'worktree', 'add', '-q', '--detach', at('trees', folder));
  }
  await git('pretended', 'init', '-q', '--bare', 'elsewhere');
  await cp(at('trees/main/.git'), at('pretended/.git'));
  const folders = ['main', 'super', 'super/module', 'bare/.bare', 'pretended', 'plain/below'];
  const all = [...folders, ...folders.slice(0, 4).map((folder) => `trees/${folder}`)];
  const early = path.join(home, '.claude', '.config.json');
  for (const [file, kinds] of [
    ['.claude.json', all],
    ['.config.json', ['main', 'trees/main']],
  ] as const) {
    if (file === '.config.json') await writeFile(early, '{}');
    for (const [index, folder] of kinds.entries()) {
      const cwd = at(folder, 'src');
      await mkdir(cwd, { recursive: true });
      await run(command, ['mcp', 'add', '-s', 'local', `s${index}`, '--', 'x'], { cwd, env });
    }
    assert.equal(path.basename(configFile({ env, home })), file);
    for (const [index, folder] of kinds.entries()) {
      const own = readPersonServers({ env, home, cwd: at(folder, 'src'), log: silentLogger });
      assert.ok(Object.keys(own).includes(`s${index}`), `${file} ${folder}`);
      assert.ok(Object.keys(own).length <= 2, 'none of another checkout');
    }
  }
});

test('A configuration folder by a relative path is looked for where the CLI keeps it', async () => {
  const sandbox = await createRealCliSandbox({ modelUrl: 'http://127.0.0.1:9' });
  ends.push(() => sandbox.cleanup());
  const { home, workspace: cwd, command } = sandbox;
  const env = { ...sandbox.env, CLAUDE_CONFIG_DIR: 'conf/own' };
  await run(command, ['mcp', 'add', '-s', 'user', 'relative', '--', 'x'], { cwd, env });
  const found = readPersonServers({ env, home, cwd, log: silentLogger });
  assert.deepEqual(Object.keys(found), ['relative']);
});
