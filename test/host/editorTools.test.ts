import assert from 'node:assert/strict';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { createDirtyBuffers } from '../../src/editor/dirtyBuffers';
import { linkClient } from '../unit/mcp/linkedClient';
import {
  closeAll,
  createEditorRoom,
  type EditorRoom,
  PLANTED,
  plantedFile,
  plantedPath,
  replaceAll,
  show,
  until,
  usePlantedRoom,
} from './editorRoom';
import { insertCell } from './notebookRoom';
import { roomWithout } from './placeProviders';

async function openNotebook(path: string): Promise<vscode.NotebookDocument> {
  const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
  await vscode.window.showNotebookDocument(notebook, { preview: false });
  return notebook;
}

describe("the editor's tools", () => {
  let room: EditorRoom;

  usePlantedRoom((made) => {
    room = made;
  });

  it('is served to the official client as well, through the whole of what it offers', async () => {
    for (const server of room.servers) {
      const { client, close } = await linkClient(server);
      try {
        const { tools } = await client.listTools();
        assert.deepEqual(
          tools.map(({ name }) => name),
          server.tools().map(({ name }) => name),
        );
        assert.deepEqual(await client.ping(), {});
        await assert.rejects(client.callTool({ name: 'nope' }), { code: -32601 });
        for (const { name, inputSchema } of tools) {
          if ((inputSchema.required ?? []).length > 0) {
            await assert.rejects(client.callTool({ name, arguments: {} }), { code: -32602 });
          } else {
            const { content } = await client.callTool({ name, arguments: {} });
            assert.ok(Array.isArray(content) && content.length > 0, name);
          }
        }
      } finally {
        await close();
      }
    }
  });

  describe('symbols', () => {
    it('finds a name in the workspace without any open editor', async () => {
      const { text, isError } = await room.call('symbols', { query: 'PlantedLedger' });
      assert.equal(isError, false, text);
      assert.match(text, /planted files\/src\/plantedTotals\.ts\n 6:\d+ class PlantedLedger/);
    });

    it('gives the outline of a file without a tab', async () => {
      const { text } = await room.call('symbols', { path: plantedPath('src/plantedTotals.ts') });
      assert.match(text, /\n 2:17 function plantedTotal\n/);
      assert.match(
        text,
        /\n 6:14 class PlantedLedger\n {2}7:12 property entries\n {2}9:3 method addEntry\n/,
      );
    });

    it('says that there may be more where the server gives no more', async () => {
      const names = Array.from({ length: 300 }, (_, n) => `zqMany${n}`);
      const text = names.map((name) => `export const ${name} = 1;\n`).join('');
      await writeFile(plantedFile('src/zqMany.ts'), text);
      let told = '';
      await until('they are found', async () => {
        told = (await room.call('symbols', { query: 'zqMany' })).text;
        return /^\d+ symbols/.test(told);
      });
      assert.match(told, /^256 symbols .*\n\(the language server may have left some out: /);
      const few = await room.call('symbols', { query: 'zqMany29' });
      assert.doesNotMatch(few.text, /left some out/);
    });

    it('says what to do when a name is not found', async () => {
      await room.call('symbols', { query: 'PlantedLedger' });
      const { text, isError } = await room.call('symbols', { query: 'zzNoSuchName' });
      assert.equal(isError, true);
      assert.match(text, /^No symbol matches 'zzNoSuchName'/);
    });

    it('reports a provider that throws, and one that never answers', async () => {
      await writeFile(plantedFile('a.throws'), 'x\n');
      await writeFile(plantedFile('a.silent'), 'x\n');
      const providers = [
        vscode.languages.registerDocumentSymbolProvider(
          { pattern: '**/*.throws' },
          { provideDocumentSymbols: () => Promise.reject(new Error('boom')) },
        ),
        vscode.languages.registerDocumentSymbolProvider(
          { pattern: '**/*.silent' },
          { provideDocumentSymbols: () => new Promise<never>(() => undefined) },
        ),
      ];
      const impatient = createEditorRoom({ answerMs: 500 });
      try {
        const [thrown, silent] = await Promise.all([
          room.call('symbols', { path: plantedPath('a.throws') }),
          impatient.call('symbols', { path: plantedPath('a.silent') }),
        ]);
        assert.ok(thrown.isError && thrown.text.length <= 240, thrown.text);
        assert.ok(silent.isError, silent.text);
        assert.match(silent.text, /did not answer in 0\.5 s/);
      } finally {
        impatient.dispose();
        for (const provider of providers) provider.dispose();
      }
    });

    it('stops waiting when the call is stopped', async () => {
      await writeFile(plantedFile('b.silent'), 'x\n');
      const provider = vscode.languages.registerDocumentSymbolProvider(
        { pattern: '**/*.silent' },
        { provideDocumentSymbols: () => new Promise<never>(() => undefined) },
      );
      const stop = new AbortController();
      try {
        const call = room.call('symbols', { path: plantedPath('b.silent') }, stop.signal);
        stop.abort();
        assert.match((await call).text, /^Stopped/);
      } finally {
        provider.dispose();
      }
    });
  });

  describe('open_editors', () => {
    it('says so when nothing is open', async () => {
      assert.equal((await room.call('open_editors')).text, 'no open editors');
    });

    it('tells the active, the visible and the unsaved, and the selected lines', async () => {
      const { document } = await show('src/plantedTotals.ts');
      await replaceAll(document, `${document.getText()}\n`);
      const editor = await show('src/plantedOrder.ts');
      editor.selection = new vscode.Selection(2, 0, 4, 3);
      await until('the selection arrived', async () =>
        (await room.call('open_editors')).text.includes('selected lines 3-5'),
      );
      const { text } = await room.call('open_editors');
      assert.match(text, /^2 open editors, 1 unsaved\n/);
      assert.match(text, /plantedTotals\.ts \(unsaved\)/);
      assert.match(text, /plantedOrder\.ts \(active, selected lines 3-5\)/);
    });

    it('tells the files of every kind of diff, and no label that may name one that is kept back', async () => {
      const notebook = JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 });
      const [hidden, given] = ['hidden.ipynb', 'given.ipynb'].map(plantedFile);
      assert.ok(hidden !== undefined && given !== undefined);
      for (const file of [hidden, given]) await writeFile(file, notebook);
      const [left, right, text] = [hidden, given, plantedFile('src/plantedOrder.ts')].map((file) =>
        vscode.Uri.file(file),
      );
      const guarded = roomWithout(hidden);
      const page = vscode.window.createWebviewPanel(
        'test.preview',
        'Preview hidden.ipynb',
        vscode.ViewColumn.One,
      );
      try {
        await vscode.commands.executeCommand('vscode.diff', left, right, 'Of hidden.ipynb', {
          preview: false,
        });
        const changes = [
          [text, text, text],
          [right, left, right],
        ];
        await vscode.commands.executeCommand('vscode.changes', 'Of hidden.ipynb', changes);
        const tabs = (): readonly vscode.Tab[] =>
          vscode.window.tabGroups.all.flatMap((group) => group.tabs);
        await until('all are open', () => tabs().length === 3);
        const all = await room.call('open_editors');
        assert.match(all.text, /^3 open editors/);
        assert.match(all.text, /given\.ipynb \(diff of notebooks[,)]/);
        assert.match(all.text, /plantedOrder\.ts \(with 3 more documents[,)]/);
        assert.match(all.text, /\n test\.preview \(webview[,)]/);
        const told = await guarded.call('open_editors');
        assert.match(told.text, /^1 open editor,/);
        assert.match(told.text, /\(1 left out: kept back by a rule or setting, or outside\)$/);
        assert.doesNotMatch(told.text, /hidden/);
      } finally {
        page.dispose();
        guarded.dispose();
        await closeAll();
      }
    });

    it('keeps the last text editor when the focus is elsewhere', async () => {
      const editor = await show('src/plantedOrder.ts');
      editor.selection = new vscode.Selection(2, 0, 3, 0);
      await vscode.commands.executeCommand('workbench.action.output.toggleOutput');
      await until('the selection is kept', () => room.context.activeSelection()?.to === 3);
      assert.equal(room.context.activeSelection()?.path, plantedPath('src/plantedOrder.ts'));
      await closeAll();
      assert.equal(room.context.activeSelection(), undefined);
      await vscode.commands.executeCommand('workbench.action.closePanel');
    });
  });

  describe('read_buffer', () => {
    it('reads the unsaved text by lines', async () => {
      const { document } = await show('src/plantedEdited.ts');
      await replaceAll(document, 'one\ntwo\nthree');
      const path = plantedPath('src/plantedEdited.ts');
      const { text } = await room.call('read_buffer', { path, from: 2 });
      assert.equal(text, `${path}: lines 2-3 of 3, unsaved changes\n2\ttwo\n3\tthree`);
    });

    it('reads a file that is not open, and opens no tab', async () => {
      const path = plantedPath('src/plantedUnopened.ts');
      const { text } = await room.call('read_buffer', { path });
      assert.match(text, /lines 1-5 of 5, as on disk\n1\t\/\*\* Two faults/);
      assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0);
    });

    it('reads an untitled document by the URI that open_editors gives', async () => {
      const document = await vscode.workspace.openTextDocument({ content: 'draft\ntext' });
      await vscode.window.showTextDocument(document);
      const [, uri] = /(untitled:\S+) \(/.exec((await room.call('open_editors')).text) ?? [];
      assert.ok(uri);
      const { text } = await room.call('read_buffer', { path: uri });
      assert.match(text, /unsaved changes\n1\tdraft\n2\ttext$/);
    });

    it('goes on where a long answer was cut', async () => {
      const lines = Array.from({ length: 900 }, (_, index) => `line number ${index + 1}`);
      await writeFile(plantedFile('long.txt'), lines.join('\n'));
      const seen: string[] = [];
      for (let from: number | undefined = 1; from !== undefined;) {
        const { text } = await room.call('read_buffer', { path: plantedPath('long.txt'), from });
        assert.ok(text.length <= 6_000);
        seen.push(...[...text.matchAll(/^\d+\t(.*)$/gm)].map((match) => match[1] ?? ''));
        const next: string | undefined = /next: from=(\d+)$/.exec(text)?.[1];
        from = next === undefined ? undefined : Number(next);
      }
      assert.deepEqual(seen, lines);
    });

    it('reads a file of 200 MB by ranges from the disk, which no other tool takes', async () => {
      const LINES = 2_000_000;
      const LINE = 'a line of one hundred letters, '.padEnd(99, '.');
      const part = Buffer.from(`${LINE}\n`.repeat(LINES / 100));
      const path = plantedPath('huge.txt');
      for (let i = 0; i < 100; i += 1) await appendFile(plantedFile('huge.txt'), part);
      const first = await room.call('read_buffer', { path });
      assert.match(first.text, /huge\.txt: lines 1-\d\d of a file of 191 MB, from the disk: /);
      assert.match(first.text, /\nnext: from=\d\d$/);
      assert.ok(first.text.length <= 6_000);
      const last = await room.call('read_buffer', { path, from: LINES, to: LINES });
      assert.equal(
        last.text,
        `${path}: lines ${LINES}-${LINES} of a file of 191 MB, from the disk: too large for the editor\n${LINES}\t${LINE}`,
      );
      const beyond = await room.call('read_buffer', { path, from: LINES + 2 });
      assert.match(beyond.text, /has 2000001 lines; from=2000002 is past the end$/);
      const stop = new AbortController();
      const stopped = room.call('read_buffer', { path, from: LINES }, stop.signal);
      stop.abort();
      assert.match((await stopped).text, /^Stopped/);
      for (const [tool, input] of [
        ['symbols', { path }],
        ['edit', { edits: [{ path, old: 'a', new: 'b' }] }],
      ] as const) {
        assert.match((await room.call(tool, input)).text, /191 MB: too large for the editor/, tool);
      }
    });

    it('says how the text stands to the disk, where it was removed or is large as well', async () => {
      const LINES = `${'x'.repeat(99)}\n`.repeat(15_000);
      await writeFile(plantedFile('large.txt'), `old word\n${LINES}end\r\n`);
      await show('large.txt');
      const path = plantedPath('large.txt');
      const read = async (name = path) =>
        (await room.call('read_buffer', { path: name, to: 2 })).text;
      assert.match(await read(), /of 15003, as on disk\n1\told word/);
      // As long as before, and then longer.
      for (const first of ['new word', 'a fresh line\nnew word']) {
        await writeFile(plantedFile('large.txt'), `${first}\n${LINES}end\r\n`);
        await until('the editor has read it again', async () => {
          const text = await read();
          const isFresh = text.includes(`\n1\t${first.split('\n')[0]}\n`);
          assert.equal(text.includes(', as on disk\n'), isFresh, text.slice(0, 200));
          return isFresh;
        });
      }
      const edits = [{ path, old: 'new word', new: 'by the tool' }];
      assert.match((await room.call('edit', { edits })).text, /line 2; saved/);
      const now = await readFile(plantedFile('large.txt'), 'utf8');
      assert.match(now, /^a fresh line\nby the tool\nxxx/);
      await rm(plantedFile('large.txt'));
      assert.match(await read(), /, removed from the disk\n1\ta fresh line/);
      await writeFile(plantedFile('small.txt'), 'text\n');
      await show('small.txt');
      await rm(plantedFile('small.txt'));
      assert.match(await read(plantedPath('small.txt')), /, removed from the disk\n1\ttext/);
    });

    it('refuses a binary file, a huge one of them too, a folder and a line past the end with the reason', async () => {
      await writeFile(plantedFile('binary.bin'), Buffer.from([1, 0, 2, 0]));
      await writeFile(plantedFile('huge.bin'), Buffer.alloc(51 * 1024 * 1024));
      const answers = await Promise.all([
        room.call('read_buffer', { path: plantedPath('binary.bin') }),
        room.call('read_buffer', { path: plantedPath('huge.bin') }),
        room.call('read_buffer', { path: PLANTED }),
        room.call('read_buffer', { path: plantedPath('src/plantedEdited.ts'), from: 99 }),
      ]);
      const expected = [/binary/, /binary/, /is a folder/, /past the end/];
      answers.forEach(({ text, isError }, index) => {
        assert.equal(isError, true, text);
        assert.match(text, expected[index]!);
      });
    });

    it('refuses documents that are not files of the workspace', async () => {
      const { text, isError } = await room.call('read_buffer', { path: 'output:some-channel' });
      assert.equal(isError, true);
      assert.match(text, /'output' documents are not files/);
    });
  });

  describe('what is told of files', () => {
    it('each tool tells which files its result names, and how much of one it quotes', async () => {
      const path = plantedPath('src/plantedOrder.ts');
      await show('src/plantedOrder.ts');
      const calls = [
        ['open_editors', {}],
        ['diagnostics', { path }],
        ['symbols', { path }],
        ['read_buffer', { path }],
      ] as const;
      for (const [tool, input] of calls) {
        const { text, isError } = await room.call(tool, input);
        assert.equal(isError, false, text);
        const bytes = tool === 'read_buffer' ? Buffer.byteLength(text) : 0;
        assert.deepEqual(
          new Map(room.files.map((file) => [file.path, file.bytes])),
          new Map([[path, bytes]]),
          tool,
        );
      }
      const { text } = await room.call('symbols', { query: 'PlantedLedger' });
      assert.match(text, /PlantedLedger/);
      assert.deepEqual(
        room.files.map((file) => file.path),
        [plantedPath('src/plantedTotals.ts')],
      );
    });
  });

  describe('what the panel asks for', () => {
    it('gives problems of a file and suggestions to start from', async () => {
      const { document } = await show('src/plantedOrder.ts');
      const path = plantedPath('src/plantedOrder.ts');
      await until(
        'the problem is known',
        () => room.context.problemsOfFile(document.uri).length > 0,
      );
      assert.equal(room.context.problemsOfFile(document.uri)[0]?.line, 9);
      await replaceAll(document, `${document.getText()}// more\n`);
      await until('the problem is a suggestion', () =>
        room.context
          .suggestions()
          .problemFiles.some((file) => file.path === path && file.counts.error === 1),
      );
      assert.deepEqual(
        room.context.suggestions().dirtyFiles.map((file) => file.path),
        [path],
      );
    });
  });

  describe('unsaved files', () => {
    it('are told, saved and discarded by their absolute path', async () => {
      const buffers = createDirtyBuffers();
      const path = plantedFile('src/plantedEdited.ts');
      const { document } = await show('src/plantedEdited.ts');
      await show('src/plantedOrder.ts');
      const saved = 'export const plantedLimit: number = 10;\n';
      assert.equal(document.getText(), saved);
      assert.equal(buffers.isDirty(path), false);
      await replaceAll(document, '// gone\n');
      assert.equal(buffers.isDirty(path), true);
      await buffers.discard(path);
      assert.equal(buffers.isDirty(path), false);
      assert.equal(document.getText(), saved);
      await replaceAll(document, `${saved}// kept\n`);
      await buffers.save(path);
      assert.equal(buffers.isDirty(path), false);
      await writeFile(path, saved);
    });

    it('may be notebooks', async () => {
      const buffers = createDirtyBuffers();
      const path = plantedFile('unsaved.ipynb');
      const cell = { cell_type: 'markdown', metadata: {}, source: ['# Totals'] };
      const saved = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
      await writeFile(path, JSON.stringify(saved));
      const notebook = await openNotebook(path);
      const type = async (): Promise<void> => {
        const change = new vscode.WorkspaceEdit();
        change.insert(notebook.cellAt(0).document.uri, new vscode.Position(0, 2), 'My ');
        assert.ok(await vscode.workspace.applyEdit(change));
        await until('it is unsaved', () => notebook.isDirty);
      };
      assert.deepEqual(buffers.dirtyFiles(), []);
      await type();
      assert.deepEqual([buffers.isDirty(path), buffers.dirtyFiles()], [true, [path]]);
      await show('src/plantedOrder.ts');
      await buffers.discard(path);
      assert.deepEqual([buffers.isDirty(path), buffers.dirtyFiles()], [false, []]);
      const texts = (): readonly string[] =>
        notebook.getCells().map(({ document }) => document.getText());
      assert.deepEqual(texts(), ['# Totals']);
      await insertCell(notebook, 0, 'one more');
      await buffers.discard(path);
      assert.deepEqual([buffers.isDirty(path), texts()], [false, ['# Totals']]);
      await type();
      await buffers.save(path);
      assert.equal(buffers.isDirty(path), false);
      assert.match(await readFile(path, 'utf8'), /# My Totals/);
    });
  });
});
