import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { UserFacingError } from '../../src/base/errors';
import { tryParseViewMessage } from '../../src/chat/viewProtocol';
import type { App } from '../../src/host/app';
import type { ConversationPlace } from '../../src/host/conversationPlace';
import { openLink } from '../../src/host/openLink';
import { closeAll } from './editorRoom';
import { closePanel, openPanel, openSample, patchbay, said, until } from './patchbay';

describe('the panel', () => {
  let app: App;
  let place: ConversationPlace;

  before(async () => {
    app = await patchbay();
    place = await openPanel(app);
  });

  beforeEach(async () => {
    await openPanel(app);
    place.draft = '';
    place.startNew();
  });

  it('shows the folder that the agent works in', () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.deepEqual(place.conversation.snapshot().folder, {
      name: folder?.name,
      path: folder?.uri.fsPath,
    });
  });

  it('says in one line that the model is a scripted one', () => {
    assert.match(place.conversation.snapshot().notice ?? '', /^Scripted offline model/);
  });

  it('takes a prompt once, also when it comes twice', () => {
    assert.deepEqual(place.submit('host-1', 'hello'), { accepted: true });
    assert.deepEqual(place.submit('host-1', 'hello'), { accepted: true });
    assert.deepEqual(said(place), ['hello']);
  });

  it('keeps what is typed while it is hidden, and after its page is made anew', async () => {
    place.send({ type: 'insertText', text: 'first words' });
    await until('the input has them', () => place.draft.endsWith('first words'));
    await closePanel();
    await until('the panel is hidden', () => !place.isVisible);
    await openPanel(app);
    const [surface] = place.surfaces;
    assert.ok(surface);
    let isReady = false;
    const listener = surface.onDidReceiveMessage((message) => {
      isReady ||= tryParseViewMessage(message)?.type === 'ready';
    });
    surface.reload();
    await until('the new page is ready', () => isReady);
    listener.dispose();
    // Text from outside goes behind what stands in the input: so the draft must have come back.
    place.send({ type: 'insertText', text: 'and more' });
    await until('the new page had the draft', () => place.draft.endsWith('first words\nand more'));
  });

  it('a setting of a wrong type counts as absent', async () => {
    const configuration = vscode.workspace.getConfiguration();
    const key = 'patchbay.chat.sendKey';
    const set = (value: unknown) =>
      configuration.update(key, value, vscode.ConfigurationTarget.Workspace);
    const shown = () => place.conversation.snapshot().sendKey;
    try {
      await set('modEnter');
      await until('the setting is shown', () => shown() === 'modEnter');
      await set(7);
      await until('the default is shown', () => shown() === 'enter');
    } finally {
      await set(undefined);
    }
  });

  it('offers the problems that the editor knows', async () => {
    await closeAll();
    const { document } = await openSample('src/format.ts');
    const collection = vscode.languages.createDiagnosticCollection('patchbay-test');
    try {
      const problem = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), 'planted problem');
      // Three files are offered, those with most errors; other suites may leave some.
      collection.set(document.uri, Array<vscode.Diagnostic>(500).fill(problem));
      await until('the offer is there', () =>
        place.conversation.snapshot().suggestions.some(({ title }) => title.endsWith('format.ts')),
      );
    } finally {
      collection.dispose();
    }
  });
});

describe('links of the transcript', () => {
  const roots = () => (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const open = (href: string) => openLink(href, roots()[0], roots());

  it('a file of the workspace opens at its line', async () => {
    await open('src/format.ts:2:3');
    const editor = vscode.window.activeTextEditor;
    assert.match(editor?.document.uri.path ?? '', /src\/format\.ts$/);
    assert.deepEqual([editor?.selection.active.line, editor?.selection.active.character], [1, 2]);
  });

  it('a folder is shown in the explorer, not opened as text', async () => {
    await open('src');
    assert.ok(!vscode.window.activeTextEditor?.document.uri.path.endsWith('/src'));
  });

  it('what could run something is refused with a message', async () => {
    const before = vscode.window.terminals.length;
    const tabs = (): number => vscode.window.tabGroups.all.flatMap((group) => group.tabs).length;
    const tabsBefore = tabs();
    for (const href of [
      ...['command:workbench.action.terminal.new', 'COMMAND:workbench.action.terminal.new'],
      'command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22id%5Cn%22%7D',
      ...['javascript:1', 'vbscript:x', 'data:text/html,x', 'blob:https://x/y', 'about:blank'],
      ...['vscode://file/etc/passwd', 'vscode-insiders:extension/x', 'vscode-webview://x/y'],
      ...['vscode-remote://wsl+x/etc', 'vscode-userdata:/User/settings.json', 'untitled:x'],
      ...['git:/x', 'ssh://host', 'ms-msdt:/id', 'search-ms:query=x', 'tel:112', 'file://host/x'],
      ...['//host/share', '\\\\host\\share', '#top', '', 'com\nmand:workbench.action.quit'],
    ]) {
      await assert.rejects(open(href), UserFacingError, href);
    }
    assert.equal(vscode.window.terminals.length, before);
    assert.equal(tabs(), tabsBefore);
  });

  it('a file that is not there is said to be missing', async () => {
    await assert.rejects(open('src/nowhere.ts:1'), /src\/nowhere\.ts was not found/);
  });

  it('a file outside the workspace does not open without a yes', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'patchbay outside '));
    const file = path.join(folder, 'secret.txt');
    await writeFile(file, 'secret');
    try {
      // The question stays open here, or VS Code answers it with no in a test: both are no yes.
      await Promise.race([
        open(file).catch(() => undefined),
        new Promise((resolve) => setTimeout(resolve, 1000)),
      ]);
      const shown = vscode.window.visibleTextEditors.map(({ document }) => document.uri.fsPath);
      assert.ok(!shown.includes(file));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
