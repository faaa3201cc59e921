import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { App } from '../../src/host/app';
import { commands } from '../../src/host/commands';
import { WINDOW_PLACE } from '../../src/host/placeIds';
import { closePanel, openSample, patchbay, said, until } from './patchbay';

const root = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

describe('commands with the panel closed', () => {
  let app: App;

  before(async () => {
    app = await patchbay();
  });

  beforeEach(async () => {
    await closePanel();
    const place = app.hub.place(WINDOW_PLACE);
    app.hub.setActive(place);
    await until('the panel is closed', () => !place.isVisible);
    place.draft = '';
  });

  let hidden: readonly string[] = [];

  /** A file of the workspace that a rule keeps back. */
  async function openHidden(): Promise<vscode.TextEditor> {
    const [file, rules] = [path.join(root(), 'hidden.ts'), path.join(root(), '.claude')];
    hidden = [file, rules];
    await mkdir(rules, { recursive: true });
    const permissions = { deny: ['Read(./hidden.ts)'] };
    await writeFile(path.join(rules, 'settings.local.json'), JSON.stringify({ permissions }));
    await writeFile(file, "const word = 'swordfish';\n");
    return await vscode.window.showTextDocument(vscode.Uri.file(file));
  }

  it('activation registers every command of the table', async () => {
    const known = new Set(await vscode.commands.getCommands(true));
    for (const { id } of Object.values(commands)) assert.ok(known.has(id), id);
  });

  it('New conversation opens the panel with a fresh conversation', async () => {
    const place = app.hub.active;
    const before = place.conversation;
    await vscode.commands.executeCommand(commands.newConversation.id);
    await until('the panel is visible', () => place.isVisible);
    assert.notEqual(place.conversation, before);
    assert.deepEqual(said(place), []);
  });

  it('Open in editor tab opens a tab with a conversation of its own, and closing it ends that', async () => {
    await vscode.commands.executeCommand(commands.openInEditor.id);
    const tab = await until(
      'a tab is active',
      () => app.hub.active.id !== WINDOW_PLACE && app.hub.active,
    );
    const type = await until('VS Code knows the tab', () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputWebview && input.viewType;
    });
    assert.match(type, /patchbay\.chat$/);
    assert.notEqual(tab.conversation, app.hub.place(WINDOW_PLACE).conversation);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until('the side bar is active again', () => app.hub.active.id === WINDOW_PLACE);
    assert.ok(!app.hub.all.includes(tab));
  });

  it('Focus the input opens the panel', async () => {
    await vscode.commands.executeCommand(commands.focusInput.id);
    await until('the panel is visible', () => app.hub.active.isVisible);
  });

  it('Next permission mode goes on by one, shows the panel, and each press counts', async () => {
    const { conversation } = app.hub.active;
    await conversation.setMode('default');
    await Promise.all([
      vscode.commands.executeCommand(commands.cycleMode.id),
      vscode.commands.executeCommand(commands.cycleMode.id),
    ]);
    assert.equal(conversation.snapshot().mode, 'plan');
    await until('the panel is visible', () => app.hub.active.isVisible);
    await conversation.setMode('default');
  });

  it('Stop does nothing where nothing runs', async () => {
    await vscode.commands.executeCommand(commands.stop.id);
    assert.equal(app.hub.running, undefined);
  });

  it('Ask about the selection quotes it into the input, behind what is typed', async () => {
    const place = app.hub.active;
    const editor = await openSample('src/format.ts');
    editor.selection = new vscode.Selection(0, 0, 2, 0);
    const text = editor.document.getText(editor.selection);
    await vscode.commands.executeCommand(commands.askAboutSelection.id);
    // The page sends its text back as a draft: so the text went into the real input.
    await until('the quote is in the input', () => place.draft.includes('src/format.ts:1-2\n'));
    assert.ok(place.draft.includes(`\`\`\`typescript\n${text}\`\`\``));
    assert.deepEqual(said(place), []);
  });

  it('Fix the problems of this file sends a prompt that names them', async () => {
    const place = app.hub.active;
    place.startNew();
    const { document } = await openSample('src/format.ts');
    const collection = vscode.languages.createDiagnosticCollection('patchbay-test');
    try {
      const range = new vscode.Range(1, 0, 1, 6);
      collection.set(document.uri, [new vscode.Diagnostic(range, 'planted problem')]);
      await vscode.commands.executeCommand(commands.fixProblems.id);
      const prompt = await until('the prompt is said', () => said(place)[0]);
      assert.match(prompt, /^Fix .* in src\/format\.ts:\n/);
      assert.match(prompt, /\n2:1 error planted problem/);
      await until('the panel is visible', () => place.isVisible);
    } finally {
      collection.dispose();
    }
  });

  it('neither gives the agent what a rule of the person keeps back', async () => {
    const place = app.hub.active;
    place.startNew();
    const editor = await openHidden();
    editor.selection = new vscode.Selection(0, 0, 1, 0);
    const collection = vscode.languages.createDiagnosticCollection('patchbay-test');
    try {
      const range = new vscode.Range(0, 0, 0, 5);
      collection.set(editor.document.uri, [new vscode.Diagnostic(range, 'the word is swordfish')]);
      for (const { id } of [commands.askAboutSelection, commands.fixProblems]) {
        await vscode.commands.executeCommand(id);
      }
      assert.deepEqual([place.draft, said(place)], ['', []]);
    } finally {
      collection.dispose();
      await Promise.all(hidden.map((file) => rm(file, { recursive: true, force: true })));
    }
  });

  it('Doctor opens a report that can be copied, as a document', async () => {
    await vscode.commands.executeCommand(commands.doctor.id);
    const { document } = await until('the report', () => vscode.window.activeTextEditor);
    assert.deepEqual([document.languageId, document.isUntitled], ['markdown', true]);
    const text = document.getText();
    assert.match(text, /^# Patchbay doctor\n/);
    for (const title of ['CLI', 'Version and flags', 'Login', 'Network', 'Login shell', 'Git']) {
      assert.match(text, new RegExp(`^## ${title}: `, 'm'));
    }
    assert.ok(text.includes('`patchbay.cli.path` = ') && text.includes(vscode.version));
    assert.ok(!app.hub.active.isVisible, 'the panel stays closed');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('Show log works', async () => {
    await vscode.commands.executeCommand(commands.showLog.id);
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });
});
