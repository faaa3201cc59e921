import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { EditorWatch } from '../../../src/host/editorWatch';
import { closeAll, createEditorRoom, type EditorRoom, until } from '../editorRoom';
import { runningServers } from '../runningServers';
import { allTools, exampleInput } from '../toolInputs';

describe('the tools in a window without folders', () => {
  let room: EditorRoom;
  let watch: EditorWatch;
  let outside = '';

  before(async () => {
    const { watch: watching, more } = await runningServers();
    watch = watching;
    room = createEditorRoom({ answerMs: 5_000, beginMs: 500, more });
    outside = path.join(await mkdtemp(path.join(tmpdir(), 'patchbay no folder ')), 'a.ts');
    await writeFile(outside, 'export const zqOutside = 1;\n');
  });

  after(async () => {
    room.dispose();
    watch.dispose();
    await closeAll();
    await rm(path.dirname(outside), { recursive: true });
  });

  afterEach(closeAll);

  it('say that no folder is open, or what there is without one', async () => {
    assert.equal(vscode.workspace.workspaceFolders, undefined);
    const nothing = /^Nothing is being debugged\. Begin with start$/;
    const place = /^Give symbol \(a name\), or path and line$/;
    const unknown =
      /^No such file: zqKept\. No folder is open: there are only the documents that open_editors lists$/;
    const absolute = /^No folder is open: give an absolute path$/;
    const wanted: Readonly<Record<string, RegExp>> = {
      ...{ diagnostics: /^0 problems\n\(no folder is open: /, open_editors: /^no open editors$/ },
      symbols: /^No symbol matches 'zqKept': no folder is open\. Give path for the outline /,
      ...{ references: place, definition: place, hierarchy: place, rename: place },
      ...{ move: absolute, edit: absolute, edit_cell: absolute, actions: unknown },
      ...{ read_buffer: unknown, show: unknown, cells: unknown, run_cell: unknown },
      ...{ save: /^nothing to save$/, user_changes: /^no edits of the person since/ },
      ...{ tasks: /^0 tasks$/, tests: /^No folder is open: there are no tests to run$/ },
      terminal: /^0 commands seen since the window opened/,
      breakpoints: /^0 breakpoints\n/,
      start: /^0 launch configurations\. Give a path to debug a file$/,
      ...{ state: nothing, step: nothing, evaluate: nothing },
      stop: /^No session "zqKept" is being debugged\. None is$/,
    };
    const tools = allTools(room).map(({ tool }) => tool);
    assert.deepEqual(tools.map(({ name }) => name).sort(), Object.keys(wanted).sort());
    for (const tool of tools) {
      const { text } = await room.call(tool.name, exampleInput(tool, undefined));
      assert.match(text, wanted[tool.name] ?? /./, tool.name);
      assert.ok(text.length <= 240, text);
    }
  });

  it('give nothing of a file, by whatever path, without asking', async () => {
    const silent = /nothing to save|old and new are the same|cannot be read as a notebook/;
    for (const { tool, properties } of allTools(room)) {
      if (properties.path === undefined && tool.name !== 'edit') continue;
      for (const given of ['src/a.ts', outside]) {
        const { text } = await room.call(tool.name, exampleInput(tool, given));
        assert.match(text, new RegExp(`[Nn]o folder is open|${silent.source}|^0 tasks`), tool.name);
        assert.doesNotMatch(text, /zqOutside/, tool.name);
      }
    }
  });

  it('serve a document that was never saved', async () => {
    const code = 'const zqDraft: number = "x";\nconsole.log(zqDraft);\n';
    const { uri } = await vscode.window
      .showTextDocument(
        await vscode.workspace.openTextDocument({ language: 'typescript', content: code }),
      )
      .then(({ document }) => document);
    const path = uri.toString();
    const told = async (tool: string, more: object = {}): Promise<string> =>
      (await room.call(tool, { path, ...more })).text;
    await until('TypeScript has read it', async () =>
      (await told('diagnostics', { full: true })).includes('\n 1:7 error Type '),
    );
    const name = { symbol: 'zqDraft' };
    assert.match(await told('symbols'), /^1 symbol\nuntitled:.*\n 1:7 variable zqDraft$/);
    assert.match(await told('references', name), /^2 references to 'zqDraft' in 1 file\nuntitled:/);
    assert.match(await told('definition', name), /\nuntitled:.*\n 1:7 const zqDraft/);
    assert.match(await told('read_buffer'), /: lines 1-3 of 3, unsaved changes\n1\tconst zqDraft/);
    assert.match(await told('show'), /^shown: untitled:/);
    assert.match(await told('start'), /was never saved: a debugger runs files on the disk only$/);
    assert.match(await told('save'), /was never saved: the person has to choose where$/);
    const edits = [{ path, old: '"x"', new: '7' }];
    assert.match((await room.call('edit', { edits })).text, /^edited 1 file, 1 place\n/);
    assert.match(
      await told('rename', { ...name, to: 'zqFinal' }),
      /^renamed zqDraft to zqFinal: 2 /,
    );
    const { text } = await room.call('open_editors');
    assert.match(text, /^1 open editor, 1 unsaved\n untitled:/);
  });
});
