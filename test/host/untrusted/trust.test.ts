import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { currentSetting } from '../../../src/host/hostFields';
import { settings } from '../../../src/host/settings';
import { silentLogger } from '../../../src/base/logger';
import { openPanel, patchbay } from '../patchbay';

describe('in a workspace that is not trusted', () => {
  it('the panel opens and says what the agent cannot do', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const place = await openPanel(await patchbay());
    assert.match(place.conversation.snapshot().notice ?? '', /This workspace is not trusted/);
  });

  it('focus in the input starts no process', async () => {
    const place = await openPanel(await patchbay());
    assert.equal(place.conversation.snapshot().status.kind, 'idle');
  });

  it('settings of the workspace that name a program or a mode are not read', async () => {
    const configuration = vscode.workspace.getConfiguration();
    const { initialPermissionMode } = settings;
    await configuration.update(
      initialPermissionMode.key,
      'acceptEdits',
      vscode.ConfigurationTarget.Workspace,
    );
    assert.equal(currentSetting(initialPermissionMode, silentLogger), '');
  });
});
