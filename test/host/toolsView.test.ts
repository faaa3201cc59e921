import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import * as full from 'zod';
import * as z from 'zod/mini';
import { silentLogger } from '../../src/base/logger';
import type { App } from '../../src/host/app';
import type { CommandName } from '../../src/host/commands';
import { commands } from '../../src/host/commands';
import type { McpServers } from '../../src/host/mcpServers';
import { settings } from '../../src/host/settings';
import type { ToolsRow } from '../../src/host/toolRows';
import { defineTool } from '../../src/mcp/defineTool';
import { ForeignBridge } from '../../src/mcp/foreignBridge';
import { createServer } from '../../src/mcp/mcpServer';
import { createPeerServer } from '../../src/mcp/peerServer';
import { workspaceRoot } from './editorRoom';
import { patchbay, until } from './patchbay';
import { createToolFilesRoom, toolText } from './toolFilesRoom';

describe('the view of the tools', () => {
  let app: App;
  let servers: McpServers;

  before(async () => {
    app = await patchbay();
    const menu = app.serversMenu();
    assert.ok(menu);
    servers = menu.servers;
  });

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await app.tools.sets?.use(undefined);
  });

  const run = (name: CommandName, row?: ToolsRow) =>
    vscode.commands.executeCommand(commands[name].id, row);
  const all = async (): Promise<ToolsRow[]> => {
    const rows = await app.tools.tree.rows();
    return rows.flatMap((row) => [row, ...row.children]);
  };
  const find = async (id: string): Promise<ToolsRow> => {
    const row = (await all()).find((one) => one.id === id);
    assert.ok(row, id);
    return row;
  };

  /** Tools that tell what they were called with. */
  function sample(input: z.ZodMiniObject = z.object({ who: z.string() })) {
    const called: unknown[] = [];
    const greet = defineTool({
      ...{ name: 'greet', title: 'Greet', description: 'Greets someone.', input },
      run: ({ who }) => `Hello ${String(who)}`,
    });
    const count = defineTool({
      ...{ name: 'count', description: 'Counts its calls.', input: z.object({}) },
      run: () => called.push(called.length),
    });
    const fail = defineTool({
      ...{ name: 'fail', description: 'Fails.', input: z.object({}) },
      run: () => {
        throw new Error('out of order');
      },
    });
    const server = createServer({ name: 'sample_tools', tools: [greet, count, fail] });
    return { called, server, listed: servers.all.add(server) };
  }

  it('lists all servers with their tools, and follows what comes and goes', async () => {
    const ids = (await all()).map(({ id }) => id);
    for (const name of ['code', 'editor', 'run', 'debug', 'notebook']) {
      assert.ok(ids.includes(`server ${name}`), name);
    }
    assert.ok(ids.includes('tool mcp__code__symbols'));
    let changes = 0;
    const listening = app.tools.tree.onDidChange(() => (changes += 1));
    const { listed } = sample();
    await until('the view is told', () => changes > 0);
    assert.equal((await find('tool mcp__sample_tools__greet')).label, 'greet');
    listed.dispose();
    await until('the view is told again', () => changes > 1);
    assert.ok(!(await all()).some(({ id }) => id === 'server sample_tools'));
    listening.dispose();
  });

  it('Show Tools opens it', async () => {
    await run('showTools');
  });

  it('a tool is switched off and on, whoever brought it; the setting has the last word', async () => {
    const { listed, server } = sample();
    const names = () => server.listTools().map(({ name }) => name);
    try {
      await run('switchToolOff', await find('tool mcp__sample_tools__count'));
      assert.deepEqual(names(), ['greet', 'fail']);
      const off = await find('tool mcp__sample_tools__count');
      assert.deepEqual([off.icon, off.actions], ['circle-slash', ['showModel', 'switchOn']]);
      await run('switchToolOn', off);
      assert.deepEqual(names(), ['greet', 'count', 'fail']);
      const { key } = settings.disabledTools;
      const target = vscode.ConfigurationTarget.Global;
      await vscode.workspace.getConfiguration().update(key, ['mcp__sample_tools__g*'], target);
      await until('the setting counts', () => names().length === 2);
      assert.deepEqual((await find('tool mcp__sample_tools__greet')).actions, [
        'showModel',
        'openSetting',
      ]);
      await vscode.workspace.getConfiguration().update(key, undefined, target);
      await until('the setting is gone', () => names().length === 3);
      await run('switchToolOff', await find('server sample_tools'));
      assert.equal(servers.registry.find('sample_tools'), undefined);
      await run('switchToolOn', await find('server sample_tools'));
      assert.ok(servers.registry.find('sample_tools'));
    } finally {
      listed.dispose();
    }
  });

  it('shows what the model sees as a text that cannot be written, and follows changes', async () => {
    const { listed } = sample();
    try {
      await run('showToolToModel', await find('tool mcp__sample_tools__greet'));
      const { document } = await until(
        'the text',
        () =>
          vscode.window.activeTextEditor?.document.uri.scheme === 'patchbay-tool' &&
          vscode.window.activeTextEditor,
      );
      const text = document.getText();
      assert.match(text, /^# mcp__sample_tools__greet\n/);
      const wire = servers.all.get('sample_tools')?.listTools()[0];
      assert.ok(text.includes(JSON.stringify(wire)), 'exactly what is listed');
      assert.ok(text.includes('Greets someone.'));
      servers.switches.switchTool('sample_tools', 'greet', false);
      await until('it says that it is off', () => document.getText().includes('does not see it'));
      servers.switches.switchTool('sample_tools', 'greet', true);
    } finally {
      listed.dispose();
    }
  });

  it('runs a tool without arguments at once, and shows what the model would get', async () => {
    const { listed, called } = sample();
    const result = (): string | false => {
      const { document } = vscode.window.activeTextEditor ?? {};
      return document?.uri.scheme === 'patchbay-tool' && document.getText();
    };
    try {
      await run('runTool', await find('tool mcp__sample_tools__count'));
      const text = await until('the result', result);
      assert.deepEqual(called, [0]);
      assert.match(
        text,
        /^# mcp__sample_tools__count\n[^]*## What the model would get\n\n```text\n1\n```/,
      );
      const row = await find('tool mcp__sample_tools__count');
      assert.match(row.description, /last call /);
      assert.equal(app.tools.runs?.panels.size, 0, 'no form is left');
      await run('runTool', await find('tool mcp__sample_tools__fail'));
      const failed = await until('the error', () => {
        const now = result();
        return now !== false && now.includes('out of order') && now;
      });
      assert.match(failed, /The model is told that it is an error/);
      assert.equal((await find('tool mcp__sample_tools__fail')).tone, 'error');
    } finally {
      listed.dispose();
    }
  });

  it('opens a form for a tool with arguments, one tab a tool', async () => {
    let { listed } = sample();
    const fields = () =>
      app.tools.runs?.panels
        .get('mcp__sample_tools__greet')
        ?.page.view.form.fields.map(({ name }) => name);
    try {
      await run('runTool', await find('tool mcp__sample_tools__greet'));
      await run('runTool', await find('tool mcp__sample_tools__greet'));
      const tabs = await until('the tab', () => {
        const found = vscode.window.tabGroups.all
          .flatMap((group) => group.tabs)
          .filter(({ input }) => input instanceof vscode.TabInputWebview);
        return found.length > 0 && found;
      });
      assert.deepEqual(
        tabs.map(({ label }) => label),
        ['Run Greet'],
      );
      assert.deepEqual(fields(), ['who']);
      // As a tool file that was changed: the next run has the form of what it is now.
      listed.dispose();
      ({ listed } = sample(z.object({ whom: z.string(), loud: z.boolean() })));
      await run('runTool', await find('tool mcp__sample_tools__greet'));
      assert.deepEqual(fields(), ['whom', 'loud']);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await until('the form is forgotten', () => app.tools.runs?.panels.size === 0);
    } finally {
      listed.dispose();
    }
  });

  it('runs no regular expression of a server of others in its form: it may take for ever', async () => {
    const theirs = new McpServer({ name: 'theirs', version: '1.0.0' });
    const inputSchema = { word: full.string().regex(/^(a+)+$/) };
    theirs.registerTool('find', { inputSchema }, () => ({ content: [] }));
    const bridge = await ForeignBridge.connect(theirs);
    const peer = await createPeerServer(bridge, { name: 'theirs', log: silentLogger });
    const listed = servers.all.add(peer);
    try {
      await run('runTool', await find('tool mcp__theirs__find'));
      const panel = await until('the form', () => app.tools.runs?.panels.get('mcp__theirs__find'));
      const [field] = panel.page.view.form.fields;
      assert.ok(field?.kind === 'text' && field.required);
      assert.equal(field.pattern, undefined);
    } finally {
      listed.dispose();
      peer.dispose();
    }
  });

  it('shows a tool file of the workspace: before it is approved as a file, then as its tool', async () => {
    const room = await createToolFilesRoom(workspaceRoot());
    try {
      await room.write('hello.tool.ts', toolText('hello'));
      const card = await room.card('hello.tool.ts', 'hello');
      const waiting = await find(`file ${room.file('hello.tool.ts')}`);
      assert.deepEqual(
        [waiting.description, waiting.actions],
        ['needs your approval', ['approve', 'openFile']],
      );
      assert.equal((await find('server workspace')).actions[0], 'approve');
      room.answer(card, 'approve');
      await room.until('hello.tool.ts', 'ready');
      const row = await find('tool mcp__workspace__hello');
      assert.deepEqual(row.actions, ['run', 'showModel', 'switchOff', 'openFile']);
      await run('openToolFile', row);
      assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, room.file('hello.tool.ts'));
      await run('switchToolOff', row);
      assert.deepEqual(room.tools(), []);
      await run('switchToolOn', await find('tool mcp__workspace__hello'));
      await run('withdrawApproval', await find('server workspace'));
      await room.until('hello.tool.ts', 'needsApproval');
      // It is still listed, so that the model is told why it does not run.
      const back = await find('tool mcp__workspace__hello');
      assert.match(back.description, /^needs your approval/);
      assert.deepEqual(back.actions, ['approve', 'showModel', 'switchOff', 'openFile']);
    } finally {
      await room.clear();
    }
  });

  it('uses a set of the workspace: what it does not name is off, and what its file drops goes', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const { sets } = app.tools;
    assert.ok(folder && sets);
    const place = path.join(folder.uri.fsPath, '.patchbay');
    const file = path.join(place, 'toolsets.json');
    const write = (tools: readonly string[]) =>
      writeFile(file, JSON.stringify({ sets: { review: { tools }, bad: 5 } }));
    await mkdir(place, { recursive: true });
    try {
      await write(['mcp__code__*', 'mcp__run__tests']);
      const set = await until('the file is read', () => sets.folders[0]?.sets[0]);
      assert.ok((await all()).some(({ description }) => description.includes('"bad"')));
      await sets.use({ set, folder: folder.uri.fsPath });
      assert.deepEqual(
        servers.registry.all().map(({ name }) => name),
        ['code', 'run'],
      );
      assert.equal(app.tools.tree.usedSet, 'review');
      assert.match((await find('server debug')).description, /off by the tool set/);
      await write(['mcp__code__*']);
      await until('it is off', () => servers.registry.find('run') === undefined);
      await run('switchToolOn', await find('server debug'));
      assert.ok(servers.registry.find('debug'), 'what is switched on by hand is on');
      await sets.use(undefined);
      assert.equal(servers.registry.all().length, servers.all.all().length);
    } finally {
      await rm(place, { recursive: true });
    }
    await until('the file is gone', () => sets.folders.length === 0);
  });
});
