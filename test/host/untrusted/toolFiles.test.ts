import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { workspaceRoot } from '../editorRoom';
import { patchbay, until } from '../patchbay';

describe('tool files in a workspace that is not trusted', () => {
  const folder = (): string => path.join(workspaceRoot(), '.patchbay');

  after(() => rm(folder(), { recursive: true, force: true }));

  it('nothing is read as code, nothing is asked and nothing is offered', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const app = await patchbay();
    const { toolFiles, hub } = app;
    assert.ok(toolFiles);
    const mark = path.join(folder(), 'ran.txt');
    const text = [
      "import { writeFileSync } from 'node:fs';",
      `writeFileSync(${JSON.stringify(mark)}, 'ran');`,
      'export default {};',
    ].join('\n');
    await mkdir(path.join(folder(), 'tools'), { recursive: true });
    await writeFile(path.join(folder(), 'tools', 'sneaky.tool.mjs'), text);
    await until('the folder is held', () =>
      toolFiles.folders().some(({ hold }) => hold === 'untrusted'),
    );
    const tools = await toolFiles.load();
    await tools.refresh();
    await tools.settled();
    assert.deepEqual(hub.active.conversation.snapshot().approvals ?? [], []);
    assert.equal(app.serversMenu()?.servers.registry.get('workspace'), undefined);
    const left = await vscode.workspace.fs.readDirectory(vscode.Uri.file(folder()));
    assert.deepEqual(
      left.map(([name]) => name),
      ['tools'],
    );
  });
});
