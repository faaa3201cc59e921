import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { App } from '../../src/host/app';
import { commands } from '../../src/host/commands';
import { WINDOW_PLACE } from '../../src/host/placeIds';
import { parseWireFile } from '../../src/conversation/wire/parseWireFile';
import { closePanel, patchbay, until } from './patchbay';

describe('the wire inspector', () => {
  let app: App;

  before(async () => {
    app = await patchbay();
    await closePanel();
  });

  after(closePanel);

  it('opens by its command, shows the frames of the conversation, and records no more once closed', async () => {
    const place = app.hub.place(WINDOW_PLACE);
    app.hub.setActive(place);
    place.startNew();
    assert.equal(place.conversation.wire.tap, undefined);
    await vscode.commands.executeCommand(commands.showWireInspector.id);
    const inspector = await until('the inspector', () => app.inspector?.inspector);
    const input = await until('VS Code knows the tab', () => {
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return tab instanceof vscode.TabInputWebview && tab;
    });
    assert.match(input.viewType, /patchbay\.wire$/);
    assert.equal(inspector.place, place);
    await until('the page is ready', () => inspector.isReady);
    place.submit(randomUUID(), 'hello');
    await until('the agent says something', () =>
      place.conversation.snapshot().items.some(({ kind }) => kind === 'assistant'),
    );
    await until('the page is given frames', () => inspector.shown > 3);
    const records = parseWireFile(await inspector.file().text()).records;
    const kinds = records.map(
      (one) => one.what === 'frame' && `${one.dir} ${String(one.frame.type)}`,
    );
    assert.ok(kinds.includes('out control_request') && kinds.includes('in control_response'));
    // A second time it is the same one.
    await vscode.commands.executeCommand(commands.showWireInspector.id);
    assert.equal(app.inspector?.inspector, inspector);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until('the inspector is gone', () => app.inspector === undefined);
    assert.equal(place.conversation.wire.tap, undefined);
    await place.conversation.stop();
    place.startNew();
  });
});
