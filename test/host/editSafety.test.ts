import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, link, readFile, symlink, unlink, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import {
  type EditorRoom,
  plantedFile,
  plantedPath,
  replaceAll,
  show,
  until,
  usePlantedRoom,
} from './editorRoom';

const edit = (name: string, old: string, text: string): object => ({
  path: plantedPath(name),
  old,
  new: text,
});

/** As a person does, at the start of the text. */
async function type(uri: vscode.Uri, text: string): Promise<void> {
  const change = new vscode.WorkspaceEdit();
  change.insert(uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(change);
}

async function withEncoding(encoding: string, work: () => Promise<void>): Promise<void> {
  const files = vscode.workspace.getConfiguration('files');
  await files.update('encoding', encoding, vscode.ConfigurationTarget.Global);
  try {
    await work();
  } finally {
    await files.update('encoding', undefined, vscode.ConfigurationTarget.Global);
  }
}

describe('the tool edit loses nothing', () => {
  let room: EditorRoom;

  usePlantedRoom((made) => {
    room = made;
  });

  const change = (...edits: object[]) => room.call('edit', { edits });
  const disk = (name: string): Promise<string> => readFile(plantedFile(name), 'utf8');
  const bytesOf = (name: string): Promise<Buffer> => readFile(plantedFile(name));
  const put = (name: string, text: string | Buffer) => writeFile(plantedFile(name), text);

  it('where the person types in one file while others are read', async () => {
    const TEXT = 'first line\nsecond alpha line\nthird line\n';
    const numbers = Array.from({ length: 200 }, (_, n) => n);
    await put('typed.txt', TEXT);
    const { document } = await show('typed.txt');
    let typed = 0;
    // A call may be over before much is typed.
    for (let round = 0; round < 20 && typed <= 3; round += 1) {
      await replaceAll(document, TEXT);
      await put('slow.txt', numbers.map((n) => `line <${n}>`).join('\n'));
      const slow = numbers.map((n) => edit('slow.txt', `<${n}>`, `<ü${n}>`));
      const running = change(edit('typed.txt', 'alpha', 'ALPHA'), ...slow);
      let isDone = false;
      void running.finally(() => (isDone = true));
      typed = 0;
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- set as it ends
      while (!isDone) {
        await type(document.uri, '+');
        typed += 1;
        // A person rests between two letters: as long as some questions to the window take.
        for (let n = 0; n < 4; n += 1) await vscode.workspace.encode('ü', { encoding: 'utf8' });
      }
      const { text, isError } = await running;
      const rest = document.getText().replace(/^\++/, '');
      assert.equal(rest, isError ? TEXT : TEXT.replace('alpha', 'ALPHA'), text);
      assert.equal((await disk('slow.txt')).includes('ü'), !isError, text);
    }
    assert.ok(typed > 3, 'it was typed all the while');
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('where a new file would not get all of its letters', async () => {
    await withEncoding('iso88591', async () => {
      const refused = await change(edit('new arrow.txt', '', 'caf\u00e9 → b ✓\n'));
      assert.equal(refused.isError, true, refused.text);
      assert.match(refused.text, /^Nothing was changed: .*new arrow\.txt.* cannot hold → ✓\. /);
      await assert.rejects(access(plantedFile('new arrow.txt')));
      const made = await change(edit('new latin.txt', '', 'caf\u00e9\n'));
      assert.match(made.text, /new latin\.txt: made; saved/);
      assert.deepEqual(await bytesOf('new latin.txt'), Buffer.from('caf\u00e9\n', 'latin1'));
    });
    const made = await change(edit('new wide.txt', '', 'a → b \u{1F600}\n'));
    assert.match(made.text, /new wide\.txt: made; saved/);
    assert.equal(await disk('new wide.txt'), 'a → b \u{1F600}\n');
  });

  it('where bytes are not understood beside a real replacement letter', async () => {
    const broken = Buffer.concat([Buffer.from('one \uFFFD two '), Buffer.from([0xe9, 0x0a])]);
    const wide = Buffer.concat([Buffer.from('\uFEFFone \uFFFD', 'utf16le'), Buffer.from([0x41])]);
    for (const [name, bytes] of [
      ['lost.txt', broken],
      ['lost wide.txt', wide],
    ] as const) {
      await put(name, bytes);
      const { text, isError } = await change(edit(name, 'one', 'ONE'));
      assert.equal(isError, true, text);
      assert.match(text, /has bytes that are not utf\w+: saving would lose them/);
      assert.deepEqual(await bytesOf(name), bytes);
    }
    for (const [name, bytes] of [
      ['kept.txt', Buffer.from('one \uFFFD two\n')],
      ['kept wide.txt', Buffer.from('\uFEFFone \uFFFD two\n', 'utf16le')],
      ['kept wide be.txt', Buffer.from('\uFEFFone \uFFFD two\n', 'utf16le').swap16()],
    ] as const) {
      await put(name, bytes);
      const { text } = await change(edit(name, 'two', 'TWO'));
      assert.match(text, /: line 1; saved/, name);
      assert.match((await vscode.workspace.openTextDocument(plantedFile(name))).getText(), /TWO/);
      assert.equal((await bytesOf(name)).length, bytes.length);
    }
  });

  it('silently: that line ends of other lines become one kind is told', async () => {
    const wide = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
    const mixed: readonly (readonly [string, string | Buffer, string])[] = [
      ['mixed lf.txt', 'one\r\ntwo\nthree\nfour\n', 'LF'],
      ['mixed crlf.txt', 'one\r\ntwo\r\nthree\r\nfour\n', 'CRLF'],
      ['mixed old.txt', 'one\rtwo\nthree\nfour\n', 'LF'],
      ['mixed wide.txt', wide('one\r\ntwo\nthree\nfour\n'), 'LF'],
      ['mixed end.txt', 'one\ntwo\nthree\nfour\r', 'LF'],
    ];
    for (const [name, text, kind] of mixed) {
      await put(name, text);
      const { text: told } = await change(edit(name, 'three', 'THREE'));
      const line = `line ends were mixed, the editor makes them one kind: ${plantedPath(name)} (${kind})`;
      assert.ok(told.split('\n').includes(line), told);
    }
    const plain: readonly (readonly [string, string | Buffer])[] = [
      ['plain lf.txt', 'one\nthree\n'],
      ['plain crlf.txt', 'one\r\nthree\r\n'],
      ['plain wide.txt', wide('ਊ one\r\nthree\r\n')],
      ['plain line.txt', 'three'],
      ['mixed lf.txt', 'one\ntwo\nthree\n'],
    ];
    for (const [name, text] of plain) {
      await put(name, text);
      const { text: told } = await change(edit(name, 'three', 'THREE'));
      assert.match(told, /: lines? \d; saved/);
      assert.doesNotMatch(told, /line ends/, name);
    }
  });

  it('of unsaved text that the same file has under another name', async () => {
    await put('real.txt', 'on disk\n');
    await symlink(plantedFile('real.txt'), plantedFile('link.txt'));
    await link(plantedFile('real.txt'), plantedFile('hard link.txt'));
    for (const [open, others] of [
      ['real.txt', ['link.txt', 'hard link.txt']],
      ['link.txt', ['real.txt', 'hard link.txt']],
    ] as const) {
      const { document } = await show(open);
      await replaceAll(document, 'typed on disk\n');
      for (const other of others) {
        const { text, isError } = await change(edit(other, 'on disk', 'of the tool'));
        assert.equal(isError, true, text);
        assert.ok(text.includes(`${plantedPath(other)} is the same file as`), text);
        assert.ok(text.includes(`${plantedPath(open)}, which has unsaved changes`), text);
      }
      const { text } = await change(edit(open, 'on disk', 'of the tool'));
      assert.match(text, /left unsaved: it had unsaved changes before/);
      assert.equal(document.getText(), 'typed of the tool\n');
      assert.equal(await disk('real.txt'), 'on disk\n');
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    const twins = await change(edit('real.txt', 'on', 'ON'), edit('link.txt', 'disk', 'DISK'));
    assert.match(twins.text, /^Nothing was changed: .*link\.txt is the same file as .*real\.txt\./);
    assert.equal(await disk('real.txt'), 'on disk\n');
    assert.match((await change(edit('link.txt', 'on disk', 'all'))).text, /line 1; saved/);
    assert.equal(await disk('real.txt'), 'all\n');
  });

  it('of a removed file: it can be made anew, as the answer says', async () => {
    await put('gone again.txt', 'text\n');
    const { document } = await show('gone again.txt');
    await unlink(plantedFile('gone again.txt'));
    const first = await change(edit('gone again.txt', 'text', 'other'));
    assert.equal(first.isError, true);
    assert.match(first.text, /was removed from the disk\. To make it anew give old: ""/);
    const second = await change(edit('gone again.txt', '', 'all of its text\n'));
    assert.match(second.text, /gone again\.txt: made; saved/);
    assert.equal(await disk('gone again.txt'), 'all of its text\n');
    await until('the tab has it', () => document.getText() === 'all of its text\n');
  });

  it('where a file of the call cannot be made: nothing is changed, and nothing is left', async () => {
    const bad = edit('in the way.txt/new.txt', '', 'x\n');
    const others = [
      edit('in the way.txt', 'one', 'ONE'),
      edit('other.txt', 'one', 'ONE'),
      edit('made beside.txt', '', 'x\n'),
    ];
    for (let at = 0; at <= others.length; at += 1) {
      for (const name of ['in the way.txt', 'other.txt']) await put(name, 'one\n');
      const { text, isError } = await change(...others.toSpliced(at, 0, bad));
      assert.equal(isError, true, text);
      assert.match(
        text,
        /^Nothing was changed: a file may be in the way.*in the way\.txt\/new\.txt/,
      );
      for (const name of ['in the way.txt', 'other.txt']) {
        const document = await vscode.workspace.openTextDocument(plantedFile(name));
        assert.deepEqual([document.getText(), document.isDirty], ['one\n', false]);
        assert.equal(await disk(name), 'one\n');
      }
      await assert.rejects(access(plantedFile('made beside.txt')));
      assert.ok(vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty));
    }
  });

  it('and leaves no folder of a file that could not be made', async () => {
    await put('block.txt', 'x\n');
    const failing = edit('block.txt/new.txt', '', 'x\n');
    const { text } = await change(edit('left over/deep/new.txt', '', 'x\n'), failing);
    assert.match(text, /^Nothing was changed: .*block\.txt\/new\.txt$/);
    assert.equal(existsSync(plantedFile('left over')), false);
    const slash = await change({ path: `${plantedPath('a folder')}/`, old: '', new: 'x\n' });
    assert.equal(slash.isError, true, slash.text);
    assert.match(slash.text, /^Nothing was changed: .*a folder\/ names a folder; give a file/);
    assert.equal(existsSync(plantedFile('a folder')), false);
  });

  it('of the line ends that a new file is to have', async () => {
    for (const text of ['@echo off\r\necho\r\n', 'one\ntwo\n']) {
      const name = `ends ${text.length}.bat`;
      await change(edit(name, '', text));
      assert.equal(await disk(name), text);
    }
  });

  it('of where the person is, in lines that stay', async () => {
    const lines = Array.from({ length: 40 }, (_, n) => `line ${n}`);
    const block = lines.slice(4, 20).join('\n');
    const fresh = block.replace('line 6', 'LINE 6\nmore').replace('line 18', 'LINE 18');
    const panel = vscode.window.createWebviewPanel('beside', 'beside', vscode.ViewColumn.Two);
    for (const eol of ['\n', '\r\n']) {
      const name = `cursor${eol.length}.js`;
      await put(name, lines.join(eol));
      const document = await vscode.workspace.openTextDocument(plantedFile(name));
      const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
      editor.selection = new vscode.Selection(9, 3, 9, 3);
      // Then no text has the focus, as where the person writes to the agent in a tab.
      panel.reveal(vscode.ViewColumn.Two);
      await until('the panel has the focus', () => panel.active);
      const { text } = await change(edit(name, block, fresh));
      assert.match(text, /: lines 5-21; saved/);
      assert.equal(await disk(name), lines.join('\n').replace(block, fresh).replaceAll('\n', eol));
      await until('the cursor is told', () => editor.selection.active.line !== 9);
      assert.deepEqual(editor.selection, new vscode.Selection(10, 3, 10, 3));
    }
    panel.dispose();
  });

  it('by saving what its encoding cannot hold', async () => {
    const bytes = Buffer.from('caf\u00e9\n', 'latin1');
    await put('lossy save.txt', bytes);
    const { document } = await show('lossy save.txt');
    await type(document.uri, 'typed ');
    for (const given of [{}, { path: plantedPath('lossy save.txt') }]) {
      const { text } = await room.call('save', given);
      assert.match(text, /^saved 0 of 1 file\n.*lossy save\.txt: 2 lines; NOT saved: it has bytes/);
      assert.equal(document.isDirty, true);
      assert.deepEqual(await bytesOf('lossy save.txt'), bytes);
    }
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await withEncoding('iso88591', async () => {
      await put('lossy typed.txt', bytes);
      const latin = await show('lossy typed.txt');
      await type(latin.document.uri, '\u6570 ');
      const given = { path: plantedPath('lossy typed.txt') };
      assert.match((await room.call('save', given)).text, /NOT saved: it has bytes or letters/);
      assert.deepEqual(await bytesOf('lossy typed.txt'), bytes);
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await type(latin.document.uri, '\u00e0 ');
      assert.match((await room.call('save', given)).text, /2 lines; saved$/);
    });
  });

  it('where the person types in one file while another is made', async () => {
    const { document } = await (async () => {
      await put('typed beside.txt', 'one\n');
      return show('typed beside.txt');
    })();
    let refused = 0;
    for (let round = 0; round < 60 && refused < 3; round += 1) {
      const name = `made${round}.txt`;
      await replaceAll(document, 'one\n');
      const running = change(edit(name, '', 'made\n'), edit('typed beside.txt', 'one', 'two'));
      let isDone = false;
      void running.finally(() => (isDone = true));
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- set as it ends
      while (!isDone) await type(document.uri, '+');
      const { text, isError } = await running;
      if (isError) {
        refused += 1;
        assert.match(text, /^Nothing was changed: the text changes all the time/);
        await assert.rejects(access(plantedFile(name)), text);
      } else assert.equal(await disk(name), 'made\n');
      assert.equal(document.getText().replace(/^\++/, ''), isError ? 'one\n' : 'two\n');
    }
    assert.ok(refused > 0, 'it was typed at every try of a call');
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('by a call that makes what another has just made', async () => {
    const texts = ['first\n', 'second\n'];
    const both = await Promise.all(texts.map((text) => change(edit('made once.txt', '', text))));
    const made = both.findIndex(({ isError }) => !isError);
    assert.match(both[made]?.text ?? '', /made once\.txt: made; saved/);
    const other = both[1 - made]?.text ?? '';
    assert.match(other, /^Nothing was changed: .*made once\.txt is there by now/);
    assert.equal(await disk('made once.txt'), texts[made]);
  });

  it('of a file that somebody else makes while the call makes others', async () => {
    const others: string[] = [];
    const listener = vscode.workspace.onWillCreateFiles((event) => {
      const uri = event.files.find(({ path }) => path.endsWith('made by others.txt'));
      if (uri === undefined) return;
      others.push(uri.fsPath);
      event.waitUntil(writeFile(uri.fsPath, 'precious\n'));
    });
    const names = ['before it.txt', 'made by others.txt', 'behind it.txt'];
    try {
      const { text, isError } = await change(...names.map((name) => edit(name, '', 'x\n')));
      assert.equal(isError, true, text);
      assert.match(text, /^Nothing was changed: .* Not made: .*made by others\.txt$/);
      assert.equal(others.length, 1);
      assert.equal(await disk('made by others.txt'), 'precious\n');
      for (const name of ['before it.txt', 'behind it.txt']) {
        await assert.rejects(access(plantedFile(name)), name);
      }
    } finally {
      listener.dispose();
    }
  });

  it('of a document of that path which was never saved', async () => {
    const uri = vscode.Uri.from({ scheme: 'untitled', path: plantedFile('draft.txt') });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    await type(uri, 'typed\n');
    const refused = await change(edit('draft.txt', '', 'x\n'));
    assert.equal(refused.isError, true, refused.text);
    assert.match(refused.text, /^Nothing was changed: .*draft\.txt is open and was never saved\./);
    await assert.rejects(access(plantedFile('draft.txt')));
    const given = { path: uri.toString(), old: 'typed', new: 'changed' };
    assert.match((await change(given)).text, /unsaved: an untitled document/);
    assert.equal(document.getText(), 'changed\n');
  });

  it('of a file that is read-only in the editor, and does not call it saved', async () => {
    await put('kept.ro', 'one\n');
    await put('free.txt', 'one\n');
    const files = vscode.workspace.getConfiguration('files');
    await files.update('readonlyInclude', { '**/*.ro': true }, vscode.ConfigurationTarget.Global);
    try {
      const { text } = await change(edit('kept.ro', 'one', 'two'), edit('free.txt', 'one', 'two'));
      assert.match(text, /^edited 1 file, 1 place\n/);
      assert.match(text, /\n.*kept\.ro: line 1; NOT changed: the editor has it read-only/);
      assert.match(text, /\n.*free\.txt: line 1; saved/);
      const document = await vscode.workspace.openTextDocument(plantedFile('kept.ro'));
      assert.deepEqual([document.getText(), document.isDirty], ['one\n', false]);
      assert.deepEqual([await disk('kept.ro'), await disk('free.txt')], ['one\n', 'two\n']);
      const fresh = await change(edit('deep ro/new.ro', '', 'x\n'), edit('free.txt', 'two', 'no'));
      assert.equal(fresh.isError, true, fresh.text);
      assert.match(fresh.text, /^Nothing was changed: the editor has .*new\.ro read-only/);
      assert.equal(existsSync(plantedFile('deep ro')), false);
      assert.equal(await disk('free.txt'), 'two\n');
    } finally {
      await files.update('readonlyInclude', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('nor stands still at a pipe, which can be read for ever', async () => {
    execFileSync('mkfifo', [plantedFile('pipe.txt')]);
    const path = plantedPath('pipe.txt');
    const calls: readonly (readonly [string, object])[] = [
      ['edit', { edits: [edit('pipe.txt', 'a', 'b')] }],
      ['actions', { path, apply: 'format' }],
      ['rename', { path, symbol: 'a', to: 'b' }],
      ['read_buffer', { path }],
    ];
    try {
      for (const [tool, input] of calls) {
        const { text, isError } = await room.call(tool, input);
        assert.equal(isError, true, text);
        assert.match(text, /pipe\.txt is neither a file nor a folder: a pipe/);
      }
    } finally {
      await unlink(plantedFile('pipe.txt'));
    }
  });

  it('where a file is saved by another of its names', async () => {
    await put('saved.txt', 'on disk\n');
    await symlink(plantedFile('saved.txt'), plantedFile('saved link.txt'));
    const { document } = await show('saved.txt');
    await replaceAll(document, 'typed\n');
    const { text, isError } = await room.call('save', { path: plantedPath('saved link.txt') });
    assert.equal(isError, true, text);
    assert.match(
      text,
      /^Nothing was saved: .*link\.txt is the same file as .*saved\.txt, which has/,
    );
    assert.match((await room.call('save', { path: plantedPath('saved.txt') })).text, /; saved$/);
    assert.equal(await disk('saved link.txt'), 'typed\n');
    const plain = await room.call('save', { path: plantedPath('saved link.txt') });
    assert.equal(plain.text, 'nothing to save: no unsaved changes');
  });
});
