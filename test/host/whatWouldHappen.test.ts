import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { App } from '../../src/host/app';
import { commands } from '../../src/host/commands';
import { closePanel, patchbay, until } from './patchbay';

describe('what would happen', () => {
  let app: App;

  before(async () => {
    app = await patchbay();
    await closePanel();
  });

  after(closePanel);

  it('opens by its command with the rules as they are, and a second time it is the same tab', async () => {
    await vscode.commands.executeCommand(commands.whatWouldHappen.id);
    const panel = await until('the page', () => app.whatIf);
    await until('the page has the rules', () => panel.isReady);
    const input = await until('VS Code knows the tab', () => {
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return tab instanceof vscode.TabInputWebview && tab;
    });
    assert.match(input.viewType, /patchbay\.whatIf$/);
    await vscode.commands.executeCommand(commands.whatWouldHappen.id);
    assert.equal(app.whatIf, panel);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until('the page is gone', () => app.whatIf === undefined);
  });
});
