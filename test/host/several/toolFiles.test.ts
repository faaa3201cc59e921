import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from '../patchbay';
import { createToolFilesRoom, type ToolFilesRoom, toolText } from '../toolFilesRoom';

describe('tool files of several folders', () => {
  let first: ToolFilesRoom;
  let second: ToolFilesRoom;

  function root(index: number): string {
    const folder = vscode.workspace.workspaceFolders?.[index];
    assert.ok(folder);
    return folder.uri.fsPath;
  }

  before(async () => {
    first = await createToolFilesRoom(root(0));
    second = await createToolFilesRoom(root(1));
  });

  after(async () => {
    await first.clear();
    await second.clear();
  });

  it('each folder has its own server, its own question, and a tool of one name in both', async () => {
    await first.write('same.tool.ts', toolText('of the first'));
    await second.write('same.tool.ts', toolText('of the second'));
    const one = await first.card('same.tool.ts', 'of the first');
    const two = await second.card('same.tool.ts', 'of the second');
    assert.notEqual(one.id, two.id);
    assert.equal(first.cards().length, 2);
    first.answer(one, 'approve');
    await first.until('same.tool.ts', 'ready');
    assert.equal(second.state('same.tool.ts')?.state.kind, 'needsApproval');
    second.answer(two, 'approve');
    await second.until('same.tool.ts', 'ready');
    const folders = first.app.toolFiles?.folders() ?? [];
    const [, other] = folders;
    assert.equal(folders[0]?.server, 'workspace');
    assert.match(other?.server ?? '', /^workspace-/);
    assert.deepEqual(
      [await first.call('same'), await second.call('same', {}, other?.server)],
      ['of the first nobody', 'of the second nobody'],
    );
  });

  it('a folder can switch its own off, and the other goes on', async () => {
    const folder = vscode.workspace.workspaceFolders?.[1];
    assert.ok(folder);
    const update = async (value: boolean | undefined): Promise<void> =>
      vscode.workspace
        .getConfiguration(undefined, folder.uri)
        .update('patchbay.toolFiles.enabled', value, vscode.ConfigurationTarget.WorkspaceFolder);
    const server = first.app.toolFiles?.folders()[1]?.server;
    await update(false);
    await until('the tools of the second are gone', () => second.tools(server).length === 0);
    assert.deepEqual(first.tools(), ['same']);
    await update(undefined);
    await until('they are back', () => second.tools(server).length === 1);
  });
});
