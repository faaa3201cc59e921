import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { App } from '../../src/host/app';
import { currentRows, runServerAction, type ServersMenuPorts } from '../../src/host/mcpServersMenu';
import { workspaceRoot } from './editorRoom';
import { answerTo, listen, readMessage } from '../harness/mcpServers/lossyServer';
import { patchbay, until } from './patchbay';

describe('servers that the workspace brings', () => {
  let app: App;
  let menu: ServersMenuPorts;
  let file: string;

  before(async () => {
    app = await patchbay();
    const ports = app.serversMenu();
    assert.ok(ports);
    menu = ports;
    file = path.join(workspaceRoot(), '.mcp.json');
  });

  after(async () => {
    await rm(file, { force: true });
    menu.servers.approvals.forget(workspaceRoot(), 'brought');
  });

  const cards = () =>
    app.hub.active.conversation.snapshot().approvals?.filter((card) => card.kind === 'server') ??
    [];
  const bring = async (...args: string[]): Promise<void> => {
    await writeFile(file, JSON.stringify({ mcpServers: { brought: { command: 'echo', args } } }));
    // Reads all that is written down, as a conversation does at its start.
    await currentRows(menu);
  };

  it('each waits on a card of the panel, with what it would run, until it is answered there', async () => {
    await bring('one');
    const [card] = await until('there is a card', () =>
      cards().length === 1 ? cards() : undefined,
    );
    assert.ok(card);
    assert.deepEqual([card.name, card.body, card.changed], ['brought', 'echo one', false]);
    menu.servers.cards.answer(card.id, 'never');
    await until('the card is gone', () => cards().length === 0);
    await currentRows(menu);
    assert.deepEqual(cards(), [], 'what was refused is not asked again');
  });

  it('a changed entry is asked about anew, and an answer from the list of servers takes the card away', async () => {
    await bring('two');
    const [card] = await until('there is a card', () =>
      cards().length === 1 ? cards() : undefined,
    );
    assert.deepEqual([card?.body, card?.changed], ['echo two', true]);
    const value = await menu.servers.book.workspaceEntry(workspaceRoot(), 'brought');
    menu.servers.approvals.answer(workspaceRoot(), 'brought', value, 'refuse');
    await until('the card is gone', () => cards().length === 0);
  });

  it('a server that is taken out of the file leaves no card', async () => {
    await bring('three');
    await until('there is a card', () => cards().length === 1);
    await writeFile(file, JSON.stringify({ mcpServers: {} }));
    await currentRows(menu);
    await until('the card is gone', () => cards().length === 0);
  });
});

describe('servers of a file below the home folder', () => {
  const change = (key: string, value: unknown) =>
    vscode.workspace
      .getConfiguration('patchbay')
      .update(key, value, vscode.ConfigurationTarget.Global);

  after(async () => {
    await change('mcpConfigFile', undefined);
    await change('cli.environment', undefined);
  });

  it('are followed as they change, also when the home folder is another', async () => {
    const menu = (await patchbay()).serversMenu();
    assert.ok(menu);
    const names = async (): Promise<readonly string[]> =>
      (await currentRows(menu)).map(({ name }) => name);
    let told = 0;
    const listener = menu.servers.book.onDidChange(() => (told += 1));
    await change('mcpConfigFile', '~/mcp/servers.json');
    for (const home of ['one', 'two']) {
      const folder = await mkdtemp(path.join(tmpdir(), `patchbay home ${home} `));
      await mkdir(path.join(folder, 'mcp'), { recursive: true });
      const write = (name: string): Promise<void> =>
        writeFile(
          path.join(folder, 'mcp', 'servers.json'),
          JSON.stringify({ mcpServers: { [name]: { command: 'echo' } } }),
        );
      await write(`${home}-first`);
      await change('cli.environment', { HOME: folder });
      assert.ok((await names()).includes(`${home}-first`));
      const before = told;
      await until('the change is told', () => {
        // More than once: what watches the file begins a little later.
        void write(`${home}-then`);
        return told > before;
      });
      await write(`${home}-then`);
      assert.ok((await names()).includes(`${home}-then`));
      await rm(folder, { recursive: true });
    }
    listener.dispose();
  });

  it('are followed where the file is a link, to wherever it leads', async () => {
    const menu = (await patchbay()).serversMenu();
    assert.ok(menu);
    const folder = await mkdtemp(path.join(tmpdir(), 'patchbay linked '));
    const link = path.join(folder, 'servers.json');
    let told = 0;
    const listener = menu.servers.book.onDidChange(() => (told += 1));
    const targets = ['one', 'two'].map((name) => path.join(folder, name, 'servers.json'));
    const write = async (target: string, name: string): Promise<void> => {
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, JSON.stringify({ mcpServers: { [name]: { command: 'echo' } } }));
    };
    for (const [index, target] of targets.entries()) {
      await write(target, `linked-${index}`);
      await rm(link, { force: true });
      await symlink(target, link);
      await change('mcpConfigFile', link);
      const before = told;
      await until('changes behind the link are told', () => {
        void write(target, `linked-${index}-then`);
        // The link itself was a change, or two.
        return told > before + 4;
      });
      await write(target, `linked-${index}-then`);
      const rows = await currentRows(menu);
      assert.ok(rows.some(({ name }) => name === `linked-${index}-then`));
    }
    listener.dispose();
    await rm(folder, { recursive: true });
  });
});

/** Answers the handshake, and offers no tools. */
const SERVES = `
const { createInterface } = require('node:readline');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method !== 'initialize') return;
  const serverInfo = { name: 'x', version: '1' };
  const result = { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});`;

describe('servers that this window connects to', () => {
  const configureEntries = (entries: object | undefined) =>
    vscode.workspace
      .getConfiguration('patchbay')
      .update('mcpServers', entries, vscode.ConfigurationTarget.Global);
  const configure = (servers: Record<string, string> | undefined) => {
    const entries = Object.entries(servers ?? {}).map(([name, text]) => [
      name,
      {
        command: process.execPath,
        args: ['-e', text],
        env: { ELECTRON_RUN_AS_NODE: '1' },
        runIn: 'editor',
      },
    ]);
    return configureEntries(servers && (Object.fromEntries(entries) as object));
  };
  after(() => configure(undefined));

  it('are connected and let go of while another one hangs', async () => {
    const menu = (await patchbay()).serversMenu();
    assert.ok(menu);
    const kind = (name: string) => menu.servers.attached.state(name)?.kind;
    const hangs = 'setInterval(() => {}, 1000)';
    await configure({ hangs });
    await until('the one hangs', () => kind('hangs') === 'connecting');
    await configure({ hangs, works: SERVES });
    await until('the other is connected', () => kind('works') === 'connected');
    assert.equal(kind('hangs'), 'connecting');
    await configure({ works: SERVES });
    await until('the one is given up', () => kind('hangs') === undefined);
    assert.equal(kind('works'), 'connected');
  });

  it('are reached through the proxy of the editor where they are elsewhere', async () => {
    const menu = (await patchbay()).serversMenu();
    assert.ok(menu);
    const asked: string[] = [];
    // A proxy is asked by whole addresses; this one is the server as well.
    const proxy = await listen(async (request, response) => {
      asked.push(`${request.method} ${request.url}`);
      if (request.method !== 'POST') {
        response.writeHead(405).end();
        return;
      }
      const message = await readMessage(request);
      if (message.id === undefined) response.writeHead(202).end();
      else {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answerTo(message, ['any'])));
      }
    });
    const setting = vscode.workspace.getConfiguration('http');
    await setting.update('proxy', proxy.url, vscode.ConfigurationTarget.Global);
    try {
      const url = 'http://mcp.invalid/mcp';
      await configureEntries({ far: { type: 'http', url, runIn: 'editor' } });
      await until(
        'it is connected',
        () => menu.servers.attached.state('far')?.kind === 'connected',
      );
      assert.ok(asked.includes(`POST ${url}`), asked.join());
    } finally {
      await configure(undefined);
      await setting.update('proxy', undefined, vscode.ConfigurationTarget.Global);
      await proxy.close();
    }
  });

  it('are off for a moment as they are reconnected, of which nothing is kept', async () => {
    const menu = (await patchbay()).serversMenu();
    assert.ok(menu);
    const row = (await currentRows(menu)).find(({ origin }) => origin.kind === 'own');
    assert.ok(row);
    const { switches } = menu.servers;
    const seen: unknown[] = [];
    const conversation = Object.assign(
      Object.create(menu.conversation) as typeof menu.conversation,
      {
        syncServers: () => {
          const kept = menu.context.workspaceState.get<readonly string[]>('mcp.switchedOff') ?? [];
          seen.push(switches.isServerOff(row.name), kept.includes(row.name));
          return Promise.resolve();
        },
      },
    );
    await runServerAction({ ...menu, conversations: () => [conversation] }, row, 'reconnect');
    assert.deepEqual([...seen, switches.isServerOff(row.name)], [true, false, false]);
  });
});
