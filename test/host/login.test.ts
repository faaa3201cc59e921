import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { NoticeItem, TranscriptItem } from '../../src/chat/viewStateProtocol';
import type { App } from '../../src/host/app';
import { commands } from '../../src/host/commands';
import { realCliPath } from '../harness/paths';
import { closePanel, openPanel, patchbay, said, until } from './patchbay';

/**
 * The real CLI without a login, and a stand-in for its `auth login`: it waits for a word from the
 * test, then writes the file in which the CLI keeps a claude.ai account. All else is the CLI's own:
 * that it asks for a login, what it says of its account, and that it uses the new one.
 */
function standIn(folder: string): string {
  return `#!/bin/sh
unset ANTHROPIC_API_KEY
export CLAUDE_CONFIG_DIR='${folder}/config'
if [ "$1 $2" = 'auth login' ]; then
  while [ ! -e '${folder}/go' ]; do sleep 0.1; done
  cp '${folder}/account.json' '${folder}/config/.credentials.json'
  exit 0
fi
exec '${realCliPath}' "$@"
`;
}

const account = {
  accessToken: 'stand-in-access',
  refreshToken: 'stand-in-refresh',
  expiresAt: Date.now() + 86_400_000,
  scopes: ['user:inference', 'user:profile'],
  subscriptionType: 'max',
};

describe('logging in', () => {
  const key = 'patchbay.cli.path';
  let own: string | undefined;
  let app: App;
  let folder: string;

  async function useCli(file: string | undefined): Promise<void> {
    const { Global } = vscode.ConfigurationTarget;
    await vscode.workspace.getConfiguration().update(key, file, Global);
    await until('the setting is there', () => {
      return vscode.workspace.getConfiguration().get<string>(key) === file;
    });
  }

  before(async () => {
    app = await patchbay();
    folder = await mkdtemp(path.join(tmpdir(), 'patchbay-login-'));
    await mkdir(path.join(folder, 'config'));
    await writeFile(path.join(folder, 'account.json'), JSON.stringify({ claudeAiOauth: account }));
    await writeFile(path.join(folder, 'claude'), standIn(folder));
    await chmod(path.join(folder, 'claude'), 0o755);
    own = vscode.workspace.getConfiguration().get<string>(key);
    await useCli(path.join(folder, 'claude'));
  });

  after(async () => {
    await useCli(own);
    app.hub.active.startNew();
    await closePanel();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  it('opens the CLI’s own login in a terminal, notices its end, and Retry sends what was kept', async () => {
    const place = await openPanel(app);
    place.startNew();
    const last = (): TranscriptItem | undefined => place.conversation.snapshot().items.at(-1);
    const lacks = (): string | undefined => place.conversation.snapshot().setUp?.lacks;
    place.conversation.prewarm();
    await until('the panel asks for a login before anything is sent', () => lacks() === 'login');
    place.submit('login-1', 'precious words');
    await until('the alert', () => last()?.kind === 'error');
    const alert = last();
    assert.ok(alert?.kind === 'error' && alert.actions[0] === 'login', JSON.stringify(alert));

    const before = vscode.window.terminals.length;
    await vscode.commands.executeCommand(commands.login.id);
    await vscode.commands.executeCommand(commands.login.id);
    assert.equal(vscode.window.terminals.length, before + 1, 'one terminal, however often asked');
    assert.deepEqual(last(), alert, 'it waits for the login');

    await writeFile(path.join(folder, 'go'), '');
    await until('the alert is gone', () => last()?.kind === 'notice');
    assert.equal(lacks(), undefined);
    // The line above waited for it.
    const notice = last() as NoticeItem;
    assert.deepEqual(notice.actions, ['retry']);
    place.conversation.retry(notice.id);
    await until('an answer', () => last()?.kind === 'assistant');
    assert.deepEqual(said(place), ['precious words']);
    await until('the turn is over', () => place.conversation.snapshot().status.kind === 'idle');
    await until('the terminal has ended', () => vscode.window.terminals.length === before);
  });
});
