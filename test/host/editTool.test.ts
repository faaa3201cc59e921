import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { textForm } from '../../src/editor/textForm';
import {
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

/** After so many milliseconds VS Code opens a tab for a document that is unsaved. */
const UNSAVED_TAB_MS = 800;

/** One edit of a planted file. */
const edit = (name: string, old: string, text: string, more = {}): object => ({
  path: plantedPath(name),
  old,
  new: text,
  ...more,
});

describe('the tool edit', () => {
  let room: EditorRoom;

  usePlantedRoom((made) => {
    room = made;
  });

  const change = (...edits: object[]) => room.call('edit', { edits });
  const tabs = (): readonly string[] =>
    vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
  const disk = (name: string): Promise<string> => readFile(plantedFile(name), 'utf8');
  const put = (name: string, text: string | Buffer) => writeFile(plantedFile(name), text);

  it('changes files without a tab and saves them, all of them as one undo step', async () => {
    await put('one.txt', 'alpha\nbeta\n');
    await put('two.txt', 'gamma\n');
    const began = Date.now();
    const { text, isError } = await change(
      edit('one.txt', 'alpha', 'ALPHA'),
      edit('two.txt', 'gamma', 'GAMMA\nDELTA'),
      edit('one.txt', 'beta', 'BETA'),
    );
    const took = Date.now() - began;
    assert.equal(isError, false, text);
    const [title, ...lines] = text.split('\n');
    assert.equal(title, 'edited 2 files, 3 places');
    assert.ok(lines.includes(`${plantedPath('one.txt')}: lines 1, 2; saved`), text);
    assert.ok(lines.includes(`${plantedPath('two.txt')}: lines 1-2; saved`), text);
    assert.equal(await disk('one.txt'), 'ALPHA\nBETA\n');
    assert.equal(await disk('two.txt'), 'GAMMA\nDELTA\n');
    // The editor itself opens one for what stays unsaved that long, as on a machine that stands still.
    const opened = tabs().filter((label) => label === 'one.txt' || label === 'two.txt');
    assert.ok(took > UNSAVED_TAB_MS || opened.length === 0, `${tabs().join()} after ${took} ms`);
    const { document } = await show('one.txt');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'alpha\nbeta\n');
    const other = await vscode.workspace.openTextDocument(plantedFile('two.txt'));
    assert.equal(other.getText(), 'gamma\n');
  });

  it('changes unsaved text, leaves it unsaved, and one undo gives the person their text back', async () => {
    await put('dirty.txt', 'on disk\n');
    const { document } = await show('dirty.txt');
    await replaceAll(document, 'typed by the person\nsecond line\n');
    const { text } = await change(edit('dirty.txt', 'second', 'changed'));
    assert.match(text, /dirty\.txt: line 2; left unsaved: it had unsaved changes before/);
    assert.equal(document.getText(), 'typed by the person\nchanged line\n');
    assert.equal(document.isDirty, true);
    assert.equal(await disk('dirty.txt'), 'on disk\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'typed by the person\nsecond line\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'on disk\n');
  });

  it('keeps line ends, the byte-order mark and the encoding of a file', async () => {
    await put('crlf.txt', 'one\r\ntwo\r\n');
    await put('bom.txt', '\uFEFFone\n');
    await put('utf16.txt', Buffer.from('\uFEFFgrün\n', 'utf16le'));
    const { text } = await change(
      edit('crlf.txt', 'one\ntwo', '1\n2\n3'),
      edit('bom.txt', 'one', 'zwei ü'),
      edit('utf16.txt', 'grün', 'rötlich'),
    );
    assert.match(text, /^edited 3 files/);
    assert.equal(await disk('crlf.txt'), '1\r\n2\r\n3\r\n');
    assert.equal(await disk('bom.txt'), '\uFEFFzwei ü\n');
    assert.equal(await readFile(plantedFile('utf16.txt'), 'utf16le'), '\uFEFFrötlich\n');
  });

  it('keeps to files.encoding, and refuses letters that it has not', async () => {
    const files = vscode.workspace.getConfiguration('files');
    await files.update('encoding', 'windows1252', vscode.ConfigurationTarget.Global);
    try {
      await put('latin.txt', Buffer.from('caf\xe9 one\n', 'latin1'));
      const { text } = await change(edit('latin.txt', 'café one', 'müde'));
      assert.match(text, /latin\.txt: line 1; saved/);
      assert.deepEqual(
        await readFile(plantedFile('latin.txt')),
        Buffer.from('m\xfcde\n', 'latin1'),
      );
      const refused = await change(edit('latin.txt', 'müde', 'a → b'));
      assert.equal(refused.isError, true);
      assert.match(refused.text, /is in windows1252, which cannot hold →/);
      assert.deepEqual(
        await readFile(plantedFile('latin.txt')),
        Buffer.from('m\xfcde\n', 'latin1'),
      );
    } finally {
      await files.update('encoding', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('refuses a file whose bytes the editor does not understand, since saving would lose them', async () => {
    await put('broken.txt', Buffer.from('caf\xe9 one\n', 'latin1'));
    const { text, isError } = await change(edit('broken.txt', 'one', 'two'));
    assert.equal(isError, true);
    assert.match(text, /has bytes that are not utf8: saving would lose them/);
    assert.deepEqual(
      await readFile(plantedFile('broken.txt')),
      Buffer.from('caf\xe9 one\n', 'latin1'),
    );
  });

  it('tells which problems it has brought and which it has fixed', async () => {
    await show('src/plantedEdited.ts');
    const name = 'src/plantedEdited.ts';
    await until('TypeScript has looked at it', async () =>
      (await room.call('diagnostics', { path: plantedPath(name), full: true })).text.startsWith(
        '0 problems',
      ),
    );
    const broken = await change(edit(name, '= 10', "= 'ten'"));
    assert.match(broken.text, /\n1 new problem, 0 fixed, 0 remain\n.*\n 1:14 error Type 'string'/);
    const mended = await change(edit(name, "= 'ten'", '= 10'));
    assert.match(mended.text, /\nno new problems \(1 fixed, 0 remain\)/);
    assert.equal(await disk(name), 'export const plantedLimit: number = 10;\n');
  });

  it('changes nothing at all where one of the edits cannot be done', async () => {
    await put('whole.txt', 'a\nb\nb\n');
    const cases: [object, RegExp][] = [
      [edit('whole.txt', 'zz', 'y'), /whole\.txt: old does not occur.* \(edit 2\)/],
      [edit('whole.txt', 'b', 'y'), /old occurs 2 times, at lines 2 3/],
      [edit('none.txt', 'b', 'y'), /^No such file: .*Nearest: /],
      [edit('src', 'b', 'y'), /is a folder/],
    ];
    for (const [bad, expected] of cases) {
      const { text, isError } = await change(edit('whole.txt', 'a', 'A'), bad);
      assert.equal(isError, true);
      assert.match(text, expected);
      assert.ok(text.length <= 240);
    }
    assert.equal(await disk('whole.txt'), 'a\nb\nb\n');
  });

  it('makes a file where that is asked for, and not over another', async () => {
    const made = await change(edit('new folder/made.txt', '', 'first\nsecond\n'));
    assert.match(made.text, /made\.txt: made; saved/);
    assert.equal(await disk('new folder/made.txt'), 'first\nsecond\n');
    const again = await change(edit('new folder/made.txt', '', 'other'));
    assert.match(again.text, /the file has text/);
    assert.equal(await disk('new folder/made.txt'), 'first\nsecond\n');
  });

  it('refuses what is no text file of its own, with the reason', async () => {
    await put('binary.bin', Buffer.from([1, 0, 2, 0]));
    await put('huge.txt', Buffer.alloc(200 * 1024 * 1024, 'a'));
    await put('book.ipynb', '{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}');
    const cell = vscode.Uri.file(plantedFile('book.ipynb')).with({
      scheme: 'vscode-notebook-cell',
      fragment: 'x1',
    });
    const cases: [string, RegExp][] = [
      [plantedPath('binary.bin'), /is a binary file/],
      [plantedPath('huge.txt'), /200 MB: too large for the editor \(50 MB\)/],
      [plantedPath('book.ipynb'), /is a notebook: use edit_cell/],
      [cell.toString(), /cell of a notebook: change it with edit_cell/],
      ['output:tasks', /'output' documents are read-only/],
      ['git:/a.ts?x', /'git' documents are read-only/],
    ];
    for (const [given, expected] of cases) {
      const { text, isError } = await change({ path: given, old: 'a', new: 'b' });
      assert.equal(isError, true, given);
      assert.match(text, expected);
    }
    await rm(plantedFile('huge.txt'));
  });

  it('changes an untitled document, which stays unsaved', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'draft text' });
    await vscode.window.showTextDocument(document);
    const { text } = await change({ path: document.uri.toString(), old: 'draft', new: 'better' });
    assert.match(text, /line 1; unsaved: an untitled document/);
    assert.equal(document.getText(), 'better text');
  });

  it('does not make a file again that was removed while the call was on its way', async () => {
    await put('gone.txt', 'text\n');
    await vscode.workspace.openTextDocument(plantedFile('gone.txt'));
    await unlink(plantedFile('gone.txt'));
    const { text, isError } = await change(edit('gone.txt', 'text', 'other'));
    assert.equal(isError, true);
    assert.match(text, /gone\.txt was removed from the disk|^No such file/);
    await assert.rejects(disk('gone.txt'), { code: 'ENOENT' });
  });

  it('loses none of ten calls at once on one document', async () => {
    const letters = Array.from('abcdefghij');
    await put('many.txt', letters.map((letter) => `${letter}\n`).join(''));
    const answers = await Promise.all(
      letters.map((letter) => change(edit('many.txt', letter, `${letter}${letter}\n+`))),
    );
    for (const { text, isError } of answers) assert.equal(isError, false, text);
    const expected = letters.map((letter) => `${letter}${letter}\n+\n`).join('');
    assert.equal(await disk('many.txt'), expected);
  });

  it('changes nothing after Stop, and ends waiting for problems at once', async () => {
    await put('stop.txt', 'text\n');
    const stop = new AbortController();
    stop.abort();
    const given = { edits: [edit('stop.txt', 'text', 'other')] };
    const { text, isError } = await room.call('edit', given, stop.signal);
    assert.equal(isError, true);
    assert.match(text, /^Stopped; nothing was changed/);
    assert.equal(await disk('stop.txt'), 'text\n');
  });

  it('names for the policy each place that it would write, outside and through links as well', async () => {
    const outside = await mkdtemp(path.join(tmpdir(), 'patchbay-outside-'));
    try {
      await writeFile(path.join(outside, 'target.txt'), 'x');
      await symlink(path.join(outside, 'target.txt'), plantedFile('link.txt'));
      const tool = room.servers.flatMap((server) => server.getTool('edit') ?? [])[0];
      const edits = [
        edit('link.txt', 'a', 'b'),
        edit('made.txt', '', 'b'),
        { path: path.join(outside, 'target.txt'), old: 'a', new: 'b' },
      ];
      assert.deepEqual(await tool?.edits?.({ edits }), [
        plantedFile('link.txt'),
        plantedFile('made.txt'),
        path.join(outside, 'target.txt'),
      ]);
    } finally {
      await rm(outside, { recursive: true });
    }
  });

  it('keeps to rules that forbid reading or writing a file', async () => {
    await put('ruled.txt', 'text\n');
    const named = (files: readonly string[]) => files.filter((file) => file.endsWith('ruled.txt'));
    const rule = (files: readonly string[], text: string) =>
      Promise.resolve(new Map(named(files).map((file) => [file, text])));
    const guarded = createEditorRoom({
      readGuard: {
        denied: () => Promise.resolve(new Map()),
        deniedWrites: (files) => rule(files, 'Edit(ruled.txt)'),
      },
    });
    try {
      const given = { edits: [edit('ruled.txt', 'text', 'other')] };
      const { text, isError } = await guarded.call('edit', given);
      assert.equal(isError, true);
      assert.match(text, /the person's rule Edit\(ruled\.txt\) forbids writing .*ruled\.txt/);
      const { document } = await show('ruled.txt');
      await replaceAll(document, 'typed\n');
      const saving = await guarded.call('save', {});
      assert.match(saving.text, /^Nothing was saved: .* forbids writing 1 of the files/);
      assert.equal(await disk('ruled.txt'), 'text\n');
    } finally {
      guarded.dispose();
    }
  });

  it('knows for the cards how a file is written down, open or not', async () => {
    await put('form latin.txt', Buffer.from('caf\xe9\r\n', 'latin1'));
    await put('form utf8.txt', 'caf\u00e9\n');
    await put('form bom.txt', '\uFEFFx\r\n');
    await put('form wide.txt', Buffer.from('\uFEFFx\n', 'utf16le'));
    await put('form bare.txt', Buffer.from('x\r\ny\r\n', 'utf16le'));
    const forms = await Promise.all(
      ['latin', 'utf8', 'bom', 'wide', 'bare'].map((one) =>
        textForm(plantedFile(`form ${one}.txt`)),
      ),
    );
    assert.deepEqual(forms, [
      { encoding: '', hasCrlf: true },
      { encoding: 'utf8', hasCrlf: false },
      { encoding: 'utf8bom', hasCrlf: true },
      { encoding: 'utf16le', hasCrlf: false },
      { encoding: 'utf16le', hasCrlf: true },
    ]);
    await show('form bom.txt');
    assert.deepEqual(await textForm(plantedFile('form bom.txt')), {
      encoding: 'utf8bom',
      hasCrlf: true,
    });
    assert.equal(await textForm(plantedFile('none.txt')), undefined);
    assert.equal(await textForm(plantedFile('src')), undefined);
  });

  it('formats as the person has set it for saving, and says that it did', async () => {
    await put('form.json', '{"a":1}\n');
    const config = vscode.workspace.getConfiguration('editor');
    await config.update('formatOnSave', true, vscode.ConfigurationTarget.Global);
    try {
      const { text } = await change(edit('form.json', '"a":1', '"a":1,"b":2'));
      assert.match(text, /form\.json: line 1; saved, and changed further by saving \(formatter\)/);
      assert.match(await disk('form.json'), /^\{\n +"a": 1,\n +"b": 2\n\}/);
    } finally {
      await config.update('formatOnSave', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('saves one file or all, and says of an untitled one that the person has to choose', async () => {
    await put('save1.txt', 'a\n');
    await put('save2.txt', 'b\n');
    for (const name of ['save1.txt', 'save2.txt']) {
      const { document } = await show(name);
      await replaceAll(document, 'changed\n');
    }
    const one = await room.call('save', { path: plantedPath('save1.txt') });
    assert.match(one.text, /^saved 1 of 1 file\n/);
    assert.equal(await disk('save1.txt'), 'changed\n');
    assert.equal(await disk('save2.txt'), 'b\n');
    assert.match((await room.call('save', {})).text, /^saved 1 of 1 file\n.*save2\.txt/);
    assert.equal(await disk('save2.txt'), 'changed\n');
    assert.equal((await room.call('save', {})).text, 'nothing to save');
    const untitled = await vscode.workspace.openTextDocument({ content: 'draft' });
    const refused = await room.call('save', { path: untitled.uri.toString() });
    assert.match(refused.text, /never saved: the person has to choose where/);
  });

  it('shows a file and marks lines without taking the selection or the focus', async () => {
    const editor = await show('src/plantedOrder.ts');
    editor.selection = new vscode.Selection(2, 0, 3, 4);
    const { text } = await room.call('show', {
      path: plantedPath('src/plantedTotals.ts'),
      from: 6,
      to: 8,
    });
    assert.equal(text, `shown: ${plantedPath('src/plantedTotals.ts')}, lines 6-8 highlighted`);
    await until('it is visible', () =>
      vscode.window.visibleTextEditors.some(({ document }) =>
        document.fileName.endsWith('plantedTotals.ts'),
      ),
    );
    const past = await room.call('show', { path: plantedPath('src/plantedTotals.ts'), from: 99 });
    assert.match(past.text, /past the end/);
    assert.equal((await room.call('show', { path: PLANTED })).isError, true);
    const again = await show('src/plantedOrder.ts');
    assert.equal(again.selection.end.character, 4);
  });
});
