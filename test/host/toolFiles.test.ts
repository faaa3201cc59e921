import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { settings } from '../../src/host/settings';
import { closeAll, createEditorRoom, until as holds, workspaceRoot } from './editorRoom';
import { until } from './patchbay';
import {
  createToolFilesRoom,
  setTrustMyEdits,
  type ToolFilesRoom,
  toolText,
  typeOver,
} from './toolFilesRoom';

describe('tool files of the workspace', () => {
  let room: ToolFilesRoom;

  before(async () => {
    const files = vscode.workspace.getConfiguration('files');
    await files.update('autoSave', 'off', vscode.ConfigurationTarget.Global);
    room = await createToolFilesRoom(workspaceRoot());
  });

  afterEach(() => room.clear());

  async function approved(name: string, word: string): Promise<void> {
    await room.write(name, toolText(word));
    room.answer(await room.card(name, word), 'approve');
    await room.until(name, 'ready');
  }

  async function shown(name: string): Promise<vscode.TextEditor> {
    const document = await vscode.workspace.openTextDocument(room.file(name));
    return vscode.window.showTextDocument(document, { preview: false });
  }

  it('are found by the watcher, do nothing before they are approved, and then are called', async () => {
    await room.write('greet.tool.ts', toolText('hello'));
    const card = await room.card('greet.tool.ts', 'hello');
    assert.deepEqual([card.isFirst, card.files[0]?.change], [true, 'added']);
    assert.equal(room.state('greet.tool.ts')?.state.kind, 'needsApproval');
    room.answer(card, 'approve');
    await room.until('greet.tool.ts', 'ready');
    assert.deepEqual(room.tools(), ['greet']);
    assert.equal(await room.call('greet', { name: 'Ada' }), 'hello Ada');
    assert.deepEqual(room.cards(), []);
  });

  it('are asked about again when git or a shell changes them, and are refused for just that content', async () => {
    await approved('change.tool.ts', 'before');
    await room.write('change.tool.ts', toolText('after'));
    const card = await room.card('change.tool.ts', 'after');
    assert.deepEqual([card.isFirst, card.files[0]?.change], [false, 'changed']);
    assert.equal(room.state('change.tool.ts')?.state.kind, 'needsApproval');
    room.answer(card, 'never');
    await room.until('change.tool.ts', 'refused');
    assert.deepEqual(room.cards(), []);
    await room.write('change.tool.ts', toolText('third'));
    room.answer(await room.card('change.tool.ts', 'third'), 'approve');
    await room.until('change.tool.ts', 'ready');
    assert.equal(await room.call('change'), 'third nobody');
  });

  it('one that lacks a package has its tool as soon as that is installed', async () => {
    const source = `import { defineTool } from 'patchbay';\nimport word from 'late-word';\nexport default defineTool({ description: 'Says late.', run: () => word });\n`;
    const modules = path.join(workspaceRoot(), 'node_modules');
    try {
      await room.write('lacks.tool.ts', source);
      room.answer(await room.card('lacks.tool.ts', 'late'), 'approve');
      await room.until('lacks.tool.ts', 'failed');
      await mkdir(path.join(modules, 'late-word'), { recursive: true });
      const manifest = '{"name":"late-word","exports":"./index.mjs"}';
      await writeFile(path.join(modules, 'late-word', 'package.json'), manifest);
      await writeFile(path.join(modules, 'late-word', 'index.mjs'), "export default 'late';");
      // As npm does at the end.
      await writeFile(path.join(modules, '.package-lock.json'), '{}');
      await room.until('lacks.tool.ts', 'ready');
      assert.equal(await room.call('lacks'), 'late');
    } finally {
      await rm(modules, { recursive: true, force: true });
    }
  });

  it('what was approved before needs no second answer when it comes back', async () => {
    await approved('back.tool.ts', 'one');
    await room.write('back.tool.ts', toolText('two'));
    await room.card('back.tool.ts', 'two');
    await room.write('back.tool.ts', toolText('one'));
    await room.until('back.tool.ts', 'ready');
    await until('the card is gone', () => room.cards().length === 0);
    assert.equal(await room.call('back'), 'one nobody');
  });

  it('a file that changes while its card is open is another card, and an answer to the old one counts for nothing', async () => {
    await room.write('open.tool.ts', toolText('first'));
    const old = await room.card('open.tool.ts', 'first');
    await room.write('open.tool.ts', toolText('second'));
    const now = await room.card('open.tool.ts', 'second');
    assert.notEqual(now.id, old.id);
    assert.equal(room.cards().length, 1);
    room.answer(old, 'approve');
    await (await room.app.toolFiles?.load())?.settled();
    assert.equal(room.state('open.tool.ts')?.state.kind, 'needsApproval');
    room.answer(now, 'approve');
    await room.until('open.tool.ts', 'ready');
    assert.equal(await room.call('open'), 'second nobody');
  });

  it('a card that is left is put again by the command, and so is one that was refused', async () => {
    await room.write('later.tool.ts', toolText('later'));
    room.answer(await room.card('later.tool.ts', 'later'), 'later');
    await until('the card is gone', () => room.cards().length === 0);
    await vscode.commands.executeCommand('patchbay.reviewToolFiles');
    room.answer(await room.card('later.tool.ts', 'later'), 'never');
    await room.until('later.tool.ts', 'refused');
    await vscode.commands.executeCommand('patchbay.reviewToolFiles');
    room.answer(await room.card('later.tool.ts', 'later'), 'approve');
    await room.until('later.tool.ts', 'ready');
  });

  it('what is new opens as a difference that can only be read', async () => {
    await approved('diff.tool.ts', 'old words');
    await room.write('diff.tool.ts', toolText('new words'));
    const card = await room.card('diff.tool.ts', 'new words');
    await room.app.showApproval(card.id);
    const tab = await until('a tab with both texts', () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff ? input : undefined;
    });
    const texts = await Promise.all(
      [tab.original, tab.modified].map(async (uri) =>
        (await vscode.workspace.openTextDocument(uri)).getText(),
      ),
    );
    assert.deepEqual(texts, [toolText('old words'), toolText('new words')]);
    assert.notEqual(tab.modified.scheme, 'file');
  });

  it('a fault is a problem in the file at its line, and goes when it is mended or the file goes', async () => {
    const problems = (): readonly vscode.Diagnostic[] =>
      vscode.languages
        .getDiagnostics(vscode.Uri.file(room.file('bad.tool.ts')))
        .filter(({ source }) => source === 'Patchbay');
    const bad = `${toolText('bad')}\nthrow new Error('not today');\n`;
    const line = bad.split('\n').findIndex((text) => text.startsWith('throw'));
    await approved('good.tool.ts', 'good');
    await room.write('bad.tool.ts', bad);
    room.answer(await room.card('bad.tool.ts', 'not today'), 'approve');
    await room.until('bad.tool.ts', 'failed');
    await room.until('good.tool.ts', 'ready');
    const [problem] = await until('it is a problem', () => {
      const found = problems();
      return found.length === 1 ? found : undefined;
    });
    assert.match(problem?.message ?? '', /not today/);
    assert.equal(problem?.range.start.line, line);
    await room.write('bad.tool.ts', toolText('mended'));
    room.answer(await room.card('bad.tool.ts', 'mended'), 'approve');
    await room.until('bad.tool.ts', 'ready');
    await until('the problem is gone', () => problems().length === 0);
    await room.write('bad.tool.ts', `${bad}// once more\n`);
    room.answer(await room.card('bad.tool.ts', 'once more'), 'approve');
    await until('it is a problem again', () => problems().length === 1);
    await room.remove('bad.tool.ts');
    await until('it went with its file', () => problems().length === 0);
  });

  it('the own save of an approved file counts where the person said so, and the tool is the new one', async () => {
    await setTrustMyEdits(true);
    await approved('mine.tool.ts', 'alpha');
    const editor = await shown('mine.tool.ts');
    await typeOver(editor, 'alpha', 'beta');
    assert.equal(await editor.document.save(), true);
    await holds('the new tool', async () => (await called('mine')) === 'beta nobody');
    assert.deepEqual(room.cards(), []);
  });

  it('at the first own save of an approved file it is asked once whether those count, and kept for the person', async () => {
    const { key } = settings.toolFilesTrustMyEdits;
    const kept = (): unknown => vscode.workspace.getConfiguration().inspect(key)?.globalValue;
    assert.equal(kept(), undefined);
    await approved('once.tool.ts', 'gold');
    const editor = await shown('once.tool.ts');
    await typeOver(editor, 'gold', 'silver');
    await editor.document.save();
    // What was saved before the answer waits for its card.
    room.answer(await room.card('once.tool.ts', 'silver'), 'approve');
    await room.until('once.tool.ts', 'ready');
    await holds('the answer is kept', async () => {
      await vscode.commands.executeCommand('notification.acceptPrimaryAction');
      return kept() === true;
    });
    // The notification had the focus.
    const again = await shown('once.tool.ts');
    await typeOver(again, 'silver', 'copper');
    assert.match(again.document.getText(), /copper/);
    await again.document.save();
    await holds('the new tool', async () => (await called('once')) === 'copper nobody');
    assert.deepEqual(room.cards(), []);
  });

  it('without that setting the own save asks', async () => {
    await setTrustMyEdits(false);
    await approved('asks.tool.ts', 'gamma');
    const editor = await shown('asks.tool.ts');
    await typeOver(editor, 'gamma', 'delta');
    await editor.document.save();
    room.answer(await room.card('asks.tool.ts', 'delta'), 'approve');
    await room.until('asks.tool.ts', 'ready');
    assert.equal(await room.call('asks'), 'delta nobody');
  });

  it('a save of what the agent changed asks, whoever saves, and so does one of a file that was not approved', async () => {
    await setTrustMyEdits(true);
    await approved('agent.tool.ts', 'mine');
    const agent = createEditorRoom();
    try {
      const given = path.relative(workspaceRoot(), room.file('agent.tool.ts'));
      const edits = [{ path: given, old: "'mine '", new: "'theirs '" }];
      const { text, isError } = await agent.call('edit', { edits });
      assert.equal(isError, false, text);
      await room.card('agent.tool.ts', 'theirs');
      const editor = await shown('agent.tool.ts');
      await typeOver(editor, 'theirs', 'ours');
      await editor.document.save();
      room.answer(await room.card('agent.tool.ts', 'ours'), 'never');
      await room.until('agent.tool.ts', 'refused');
    } finally {
      agent.dispose();
    }
  });

  it('what another program wrote into an open file is not the person’s, whatever they type behind it', async () => {
    await setTrustMyEdits(true);
    await approved('pulled.tool.ts', 'local');
    const editor = await shown('pulled.tool.ts');
    await room.write('pulled.tool.ts', toolText('remote'));
    // Its watcher may miss a write that comes right behind another one.
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until('the editor has it', () => editor.document.getText() === toolText('remote'));
    await typeOver(editor, 'remote', 'mixed');
    await editor.document.save();
    const card = await room.card('pulled.tool.ts', 'mixed');
    assert.equal(room.state('pulled.tool.ts')?.state.kind, 'needsApproval');
    room.answer(card, 'never');
    await room.until('pulled.tool.ts', 'refused');
  });

  it('what another program wrote is not approved by being saved as it is', async () => {
    await setTrustMyEdits(true);
    await approved('looked.tool.ts', 'known');
    await room.write('looked.tool.ts', toolText('pulled'));
    await room.card('looked.tool.ts', 'pulled');
    const { document } = await shown('looked.tool.ts');
    let saves = 0;
    const listening = vscode.workspace.onDidSaveTextDocument((saved) => {
      if (saved === document) saves += 1;
    });
    const save = async (): Promise<void> => {
      const before = saves;
      await vscode.commands.executeCommand('workbench.action.files.save');
      await until('it was saved', () => saves > before);
      await (await room.app.toolFiles?.load())?.settled();
      assert.equal(room.state('looked.tool.ts')?.state.kind, 'needsApproval');
    };
    try {
      await save();
      await vscode.commands.executeCommand('type', { text: ' ' });
      await vscode.commands.executeCommand('deleteLeft');
      await save();
    } finally {
      listening.dispose();
    }
  });

  it('a workspace can switch tool files off for itself, and not on', async () => {
    await approved('off.tool.ts', 'still');
    const { key } = settings.toolFilesEnabled;
    const set = async (value: boolean | undefined, target: vscode.ConfigurationTarget) =>
      vscode.workspace.getConfiguration().update(key, value, target);
    const { Workspace, Global } = vscode.ConfigurationTarget;
    try {
      await set(false, Workspace);
      await until('its tools are gone', () => room.tools().length === 0);
      await set(true, Workspace);
      await until('they are back', () => room.tools().length === 1);
      await set(false, Global);
      await until('the workspace cannot switch on what the person switched off', () =>
        room.app.toolFiles?.folders().every(({ hold }) => hold === 'switchedOff'),
      );
      await until('its tools are gone again', () => room.tools().length === 0);
    } finally {
      await set(undefined, Workspace);
      await set(undefined, Global);
    }
    await until('they are back as before', () => room.tools().length === 1);
  });

  it('a change of one file leaves the tools of another alone, and what goes is gone', async () => {
    await approved('stays.tool.ts', 'stays');
    await room.write('goes.tool.ts', toolText('goes'));
    room.answer(await room.card('goes.tool.ts', 'goes'), 'approve');
    await room.until('goes.tool.ts', 'ready');
    assert.deepEqual([...room.tools()].sort(), ['goes', 'stays']);
    await room.remove('goes.tool.ts');
    await until('its tool is gone', () => room.tools().length === 1);
    assert.equal(await room.call('stays'), 'stays nobody');
    await closeAll();
  });

  async function called(tool: string): Promise<string> {
    return room.tools().includes(tool) ? room.call(tool) : 'not there';
  }
});
