import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { silentLogger } from '../../src/base/logger';
import { createDiagnosticsFreshness } from '../../src/editor/diagnosticsFreshness';
import { createEditorContext } from '../../src/editor/editorContext';
import { createUserChanges } from '../../src/editor/userChanges';
import { watchEditor } from '../../src/host/editorWatch';
import { createToolServers } from '../../src/host/toolServers';
import { manifestOf } from '../../src/mcp/manifest';
import type { ListedServer } from '../harness/tools/toolCosts';
import { inRoot, root } from '../harness/paths';
import { closeAll } from './editorRoom';

const run = promisify(execFile);

/** As the CLI is told of them; what a server keeps of the editor is let go of. */
async function listed(): Promise<string> {
  const context = createEditorContext();
  const freshness = createDiagnosticsFreshness();
  const userChanges = createUserChanges();
  const watch = watchEditor(silentLogger);
  const runs = await watch.load();
  const registry = createToolServers({ context, freshness, userChanges, ...runs });
  try {
    const servers = registry.list().map((server) => {
      const manifest = manifestOf(server);
      assert.ok(manifest, server.name);
      const { instructions = '' } = manifest.initializeResult;
      return { name: server.name, instructions, tools: manifest.toolsListResult.tools };
    });
    return JSON.stringify(servers);
  } finally {
    registry.dispose();
    userChanges.dispose();
    watch.dispose();
    freshness.dispose();
    context.dispose();
  }
}

describe('the list of tools', () => {
  it('B2: is the same to the byte whatever is open', async () => {
    const before = await listed();
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument({ language: 'python', content: 'x = 1\n' }),
    );
    assert.equal(await listed(), before);
    await closeAll();
    assert.equal(await listed(), before);
  });

  it('publishes no schema of results, which a field too many would break', async () => {
    // We have made it ourselves.
    const servers = JSON.parse(await listed()) as readonly ListedServer[];
    const tools = servers.flatMap(({ tools: all }) => all);
    assert.ok(tools.length > 20);
    const withOutput = tools.filter((tool) => Object.hasOwn(tool, 'outputSchema'));
    assert.deepEqual(
      withOutput.map(({ name }) => name),
      [],
    );
  });

  it('is what `npm run tools` prints without an editor', async () => {
    const { stdout } = await run(
      process.execPath,
      [inRoot('test/harness/tools.mjs'), '--json'],
      // On the desktop the program is Electron.
      { cwd: root, env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } },
    );
    // What we have printed ourselves.
    const printed = JSON.parse(stdout) as readonly ListedServer[];
    const plain = printed.map(({ name, instructions, tools }) => ({ name, instructions, tools }));
    assert.deepEqual(plain, JSON.parse(await listed()));
  });
});
