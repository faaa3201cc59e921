import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { closeAll, workspaceRoot } from './editorRoom';
import { until } from './patchbay';
import { createToolFilesRoom, type ToolFilesRoom } from './toolFilesRoom';

describe('a new tool file', () => {
  let room: ToolFilesRoom;

  before(async () => {
    room = await createToolFilesRoom(workspaceRoot());
  });

  afterEach(() => room.clear());

  async function isThere(file: string): Promise<boolean> {
    return access(file).then(
      () => true,
      () => false,
    );
  }

  /** The command, each of whose questions is answered with what it offers first. */
  async function newToolFile(): Promise<vscode.TextEditor> {
    const file = room.file('my_tool.tool.ts');
    const command = Promise.resolve(vscode.commands.executeCommand('patchbay.newToolFile'));
    const over = command.then(() => true);
    const moment = (): Promise<boolean> =>
      new Promise((resolve) => setTimeout(() => resolve(false), 50));
    // Rejects where the command does.
    while (!(await Promise.race([over, moment()])) && !(await isThere(file))) {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    }
    await command;
    return until('the file is open', () =>
      vscode.window.visibleTextEditors.find(({ document }) => document.uri.fsPath === file),
    );
  }

  /** What the editor offers behind the text, which is put in a line of its own before `before`. */
  async function offered(
    editor: vscode.TextEditor,
    before: string,
    text: string,
  ): Promise<readonly string[]> {
    const { document } = editor;
    const at = document.positionAt(document.getText().indexOf(before));
    await editor.edit((edit) => edit.insert(at, `${text}\n`));
    const behind = at.translate(0, text.length);
    for (;;) {
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        behind,
      );
      const labels = list.items.map(({ label }) =>
        typeof label === 'string' ? label : label.label,
      );
      // Words of the file are offered before the language server answers.
      const members = list.items.filter(
        ({ kind }) => kind !== vscode.CompletionItemKind.Text && kind !== undefined,
      );
      if (members.length > 0 && !labels.includes('defineTool')) {
        await vscode.commands.executeCommand('undo');
        return labels;
      }
    }
  }

  it('has no problems, completes, is tested beside itself and is called, with nothing installed', async () => {
    const editor = await newToolFile();
    const { uri } = editor.document;
    const schemas = await offered(editor, 'export default', 'z.');
    for (const name of ['string', 'object', 'enum', 'coerce'])
      assert.ok(schemas.includes(name), name);
    const context = await offered(editor, 'const document =', 'ctx.');
    for (const name of ['vscode', 'ask', 'state', 'progress']) {
      assert.ok(context.includes(name), name);
    }
    const problems = (): readonly vscode.Diagnostic[] => vscode.languages.getDiagnostics(uri);
    // The checker is at work on it: it finds a problem that is one.
    await editor.edit((edit) =>
      edit.insert(new vscode.Position(2, 0), 'const n: number = z.string();\n'),
    );
    await until('the planted problem', () => problems().length > 0);
    await vscode.commands.executeCommand('undo');
    await until('no problem', () => problems().length === 0);
    const test = vscode.Uri.file(room.file('my_tool.test.ts'));
    await vscode.window.showTextDocument(test);
    await vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', test);
    assert.deepEqual(vscode.languages.getDiagnostics(test), []);
    await room.until('my_tool.tool.ts', 'ready');
    assert.deepEqual(room.cards(), [], 'nobody is asked about what the person had written');
    assert.deepEqual(room.tools(), ['my_tool']);
    await vscode.window.showTextDocument(uri);
    const answer = await room.call('my_tool', { text: 'defineTool' });
    assert.deepEqual(JSON.parse(answer), { file: uri.fsPath, count: 2 });
    await closeAll();
  });

  it('leaves what is there as it is', async () => {
    await newToolFile();
    await closeAll();
    const manifest = path.join(workspaceRoot(), '.patchbay', 'package.json');
    const before = await readFile(manifest, 'utf8');
    await room.remove('my_tool.tool.ts');
    await room.write('my_tool.test.ts', '// mine\n');
    await newToolFile();
    assert.equal(await readFile(manifest, 'utf8'), before);
    assert.equal(await readFile(room.file('my_tool.test.ts'), 'utf8'), '// mine\n');
  });
});

describe('a tool file in a worker', () => {
  let room: ToolFilesRoom;

  before(async () => {
    room = await createToolFilesRoom(workspaceRoot());
  });

  afterEach(() => room.clear());

  it('runs beside the extension host, and ends itself without ending that', async () => {
    await room.write(
      'apart.tool.ts',
      `import { defineTool } from 'patchbay';
import { isMainThread } from 'node:worker_threads';

export default defineTool({
  isolation: 'worker',
  description: 'Says where it runs.',
  input: { type: 'object' },
  run({ end }, ctx) {
    if (end) process.exit(1);
    return [isMainThread, 'vscode' in ctx, ctx.workspaceFolder.name];
  },
});
`,
    );
    room.answer(await room.card('apart.tool.ts', 'isMainThread'), 'approve');
    const file = await room.until('apart.tool.ts', 'ready');
    assert.equal(file.isolation, 'worker');
    const { name } = vscode.workspace.workspaceFolders?.[0] ?? {};
    assert.deepEqual(JSON.parse(await room.call('apart')), [false, false, name]);
    assert.match(await room.call('apart', { end: true }), /ended itself \(process\.exit, code 1\)/);
    assert.deepEqual(JSON.parse(await room.call('apart')), [false, false, name]);
  });
});
