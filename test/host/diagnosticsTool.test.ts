import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../src/base/disposable';
import { awaitDisk } from '../../src/editor/diskState';
import {
  type EditorRoom,
  plantedFile,
  plantedPath,
  replaceAll,
  show,
  until,
  usePlantedRoom,
} from './editorRoom';

const ERROR = vscode.DiagnosticSeverity.Error;

describe("the editor's problems", () => {
  let room: EditorRoom;

  usePlantedRoom((made) => {
    room = made;
  });

  describe('diagnostics', () => {
    it('finds the planted error in an open file, at its place', async () => {
      await show('src/plantedOrder.ts');
      const { text, isError } = await room.call('diagnostics', {
        path: plantedPath('src/plantedOrder.ts'),
      });
      assert.equal(isError, false);
      assert.match(text, /^1 error/);
      assert.match(
        text,
        /\n 9:9 error Type 'number' is not assignable to type 'string'\. \[ts 2322\]/,
      );
    });

    it('sees an edit of the buffer 10 ms after it', async () => {
      const { document } = await show('src/plantedEdited.ts');
      const path = plantedPath('src/plantedEdited.ts');
      assert.match((await room.call('diagnostics', { path })).text, /^0 problems/);
      await replaceAll(document, "export const plantedLimit: number = 'ten';\n");
      const { text } = await room.call('diagnostics', { path });
      assert.match(text, /^1 new, 0 fixed, 0 remain/);
      assert.match(text, /1:14 error Type 'string' is not assignable to type 'number'/);
      assert.match(text, /unsaved text/);
      await replaceAll(document, 'export const plantedLimit: number = 11;\n');
      assert.match(
        (await room.call('diagnostics', { path })).text,
        /^0 new, 1 fixed \(1:14\), 0 remain/,
      );
    });

    it('gives the whole list again once the model has forgotten what it was told', async () => {
      await show('src/plantedOrder.ts');
      const input = { path: plantedPath('src/plantedOrder.ts') };
      assert.match((await room.call('diagnostics', input)).text, /\n 9:9 error /);
      const again = (await room.call('diagnostics', input)).text;
      assert.match(again, /^no change/);
      assert.doesNotMatch(again, /9:9 error/);
      room.reset();
      assert.match((await room.call('diagnostics', input)).text, /\n 9:9 error /);
    });

    it('sees what was written to disk behind an open file', async () => {
      await show('src/plantedEdited.ts');
      const path = plantedPath('src/plantedEdited.ts');
      const file = plantedFile('src/plantedEdited.ts');
      try {
        // A write before the editor has begun to watch the file is not noticed: then there comes
        // another. Until one is, each answer says so.
        await until('the editor has noticed', async () => {
          await writeFile(file, 'export const plantedLimit: number = true;\n');
          const { text } = await room.call('diagnostics', { path, full: true });
          const isSeen = text.includes("1:14 error Type 'boolean' is not assignable");
          if (!isSeen) assert.match(text, /on disk is newer/);
          return isSeen;
        });
      } finally {
        await writeFile(file, 'export const plantedLimit: number = 10;\n');
      }
    });

    it('sees what was written with as many letters as before, its old time put back', async () => {
      const { document } = await show('src/plantedTotals.ts');
      const file = plantedFile('src/plantedTotals.ts');
      const { signal } = new AbortController();
      const before = await readFile(file, 'utf8');
      const { atime, mtime } = await stat(file);
      try {
        // One that was left alone so long is compared once, and then by its times and size.
        await until('the file is old', async () => Date.now() - (await stat(file)).ctimeMs > 4_000);
        assert.equal(await awaitDisk(document, signal), 'same');
        assert.equal(await awaitDisk(document, signal), 'same');
        const other = before.replace('export', 'eXport');
        assert.notEqual(other, before);
        await writeFile(file, other);
        await utimes(file, atime, mtime);
        const state = await awaitDisk(document, signal, 0);
        assert.ok(state === 'diskNewer' || document.getText() === other, state);
      } finally {
        await writeFile(file, before);
      }
    });

    it('says that a clean file has no problems', async () => {
      await show('src/plantedTotals.ts');
      const path = plantedPath('src/plantedTotals.ts');
      assert.match((await room.call('diagnostics', { path })).text, /^0 problems/);
    });

    it('asks TypeScript about a file without a tab, and says so', async () => {
      const path = plantedPath('src/plantedUnopened.ts');
      const { text } = await room.call('diagnostics', { path });
      assert.match(text, /^2 errors in 1 file\n\(not open in a tab: TypeScript asked/);
      assert.match(text, /\n 2:14 error /);
      assert.equal(
        vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length,
        0,
        'no tab opened',
      );
    });

    it('does not say "none" for a file that nobody analysed', async () => {
      const { text, isError } = await room.call('diagnostics', {
        path: plantedPath('plantedStyle.css'),
      });
      assert.equal(isError, false);
      assert.match(text, /^not analysed: planted files\/plantedStyle\.css is not open in a tab/);
      assert.doesNotMatch(text, /0 problems/);
    });

    it('says that nothing was reported since an edit', async () => {
      await writeFile(plantedFile('notes.txt'), 'one\n');
      const { document } = await show('notes.txt');
      await replaceAll(document, 'two\n');
      const { text } = await room.call('diagnostics', { path: plantedPath('notes.txt') });
      assert.match(text, /^no report since the edit: planted files\/notes\.txt/);
    });

    it('waits for a report that comes 800 ms after the edit', async () => {
      const late = vscode.languages.createDiagnosticCollection('late');
      await writeFile(plantedFile('late.txt'), 'one\n');
      const { document } = await show('late.txt');
      const listener = vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document !== document || event.contentChanges.length === 0) return;
        const range = new vscode.Range(0, 0, 0, 3);
        setTimeout(
          () => late.set(document.uri, [new vscode.Diagnostic(range, 'late one', ERROR)]),
          800,
        );
      });
      try {
        await replaceAll(document, 'two\n');
        const { text } = await room.call('diagnostics', { path: plantedPath('late.txt') });
        assert.match(text, /^1 error in 1 file\n/);
        assert.match(text, /\n 1:1 error late one$/);
      } finally {
        listener.dispose();
        late.dispose();
      }
    });

    it('moves a place past the end into the document and marks it', async () => {
      const odd = vscode.languages.createDiagnosticCollection('odd');
      await writeFile(plantedFile('odd.txt'), 'one\ntwo\nthree');
      const { document } = await show('odd.txt');
      try {
        const beyond = new vscode.Diagnostic(
          new vscode.Range(899, 4, 899, 9),
          'far\n  away',
          ERROR,
        );
        beyond.code = { value: 2304, target: vscode.Uri.parse('https://example.org/2304') };
        odd.set(document.uri, [beyond]);
        const { text } = await room.call('diagnostics', { path: plantedPath('odd.txt') });
        assert.match(text, / 3:1 error far away \[2304\] \(reported at line 900\)/);
      } finally {
        odd.dispose();
      }
    });

    it('says what else a problem is about, and nothing of what lies outside', async () => {
      const linked = vscode.languages.createDiagnosticCollection('linked');
      await writeFile(plantedFile('linked.txt'), 'one\ntwo\nthree\n');
      const { document } = await show('linked.txt');
      const about = (file: string, line: number): vscode.DiagnosticRelatedInformation =>
        new vscode.DiagnosticRelatedInformation(
          new vscode.Location(vscode.Uri.file(file), new vscode.Position(line, 2)),
          'declared  here',
        );
      const problem = (line: number, ...files: string[]): vscode.Diagnostic => {
        const made = new vscode.Diagnostic(
          new vscode.Range(line, 0, line, 3),
          `bad ${line}`,
          ERROR,
        );
        made.relatedInformation = files.map((file, index) => about(file, index));
        return made;
      };
      const order = plantedFile('src/plantedOrder.ts');
      try {
        linked.set(document.uri, [
          problem(0, '/etc/hostname'),
          problem(1, document.uri.fsPath, order),
          problem(2, '/etc/hostname', order),
        ]);
        const { text } = await room.call('diagnostics', { path: plantedPath('linked.txt') });
        assert.match(text, /\n 1:1 error bad 0\n/);
        assert.match(text, /\n 2:1 error bad 1 \(see 1:3 declared here \+1\)\n/);
        const other = plantedPath('src/plantedOrder.ts');
        assert.ok(text.endsWith(`\n 3:1 error bad 2 (see ${other} 2:3 declared here)`), text);
        const told = new Set(room.files.map((file) => file.path));
        assert.deepEqual(told, new Set([plantedPath('linked.txt'), other]), 'both are named');
        // What it breaks, and what that is also about, is named by who edits.
        const own = plantedPath('more.txt');
        await writeFile(plantedFile('more.txt'), 'one\n');
        const { document: more } = await show('more.txt');
        const saved = vscode.workspace.onDidSaveTextDocument(() => {
          linked.set(more.uri, [problem(0, order)]);
          linked.set(document.uri, [problem(0), problem(1), problem(2), problem(3)]);
        });
        const edited = await room.call('edit', { edits: [{ path: own, old: 'one', new: 'two' }] });
        saved.dispose();
        assert.match(edited.text, /^more errors in other open files: .*linked\.txt \(\+1\)/m);
        assert.match(edited.text, /\(see .*plantedOrder\.ts 1:3 declared here\)/);
        assert.deepEqual(
          room.files.map((file) => file.path).sort(),
          [own, plantedPath('linked.txt'), other].sort(),
        );
      } finally {
        linked.dispose();
      }
    });

    it('reads problems of every odd shape that another extension reports, beside the right ones', async () => {
      await writeFile(plantedFile('strange.txt'), 'one\ntwo\n');
      const { document } = await show('strange.txt');
      const shapes: readonly object[] = [
        { code: null },
        { code: { value: null } },
        { source: 7 },
        { severity: 'worst' },
        { relatedInformation: {} },
        { relatedInformation: [null] },
        { relatedInformation: [{ message: 'x', location: { uri: 'file:///a' } }] },
        { tags: 'none' },
        { range: undefined },
        { message: undefined },
      ];
      const store = new DisposableStore();
      for (const [index, shape] of shapes.entries()) {
        const strange = store.add(vscode.languages.createDiagnosticCollection(`strange${index}`));
        const range = new vscode.Range(0, 0, 0, 3);
        const odd = Object.assign(new vscode.Diagnostic(range, `odd ${index}.`, ERROR), shape);
        try {
          strange.set(document.uri, [odd, new vscode.Diagnostic(range, `right ${index}.`, ERROR)]);
        } catch {
          // VS Code cannot show it, and keeps it all the same.
        }
      }
      try {
        const file = { path: plantedPath('strange.txt') };
        for (const given of [file, { path: 'open' }, {}]) {
          const { text, isError } = await room.call('diagnostics', { ...given, full: true });
          assert.ok(!isError, text);
          for (const [index, shape] of shapes.entries()) {
            assert.match(text, new RegExp(`error right ${index}\\.`), JSON.stringify(shape));
            if ('message' in shape) assert.match(text, /error \(no message\)/);
            else assert.match(text, new RegExp(`error odd ${index}\\.`), JSON.stringify(shape));
          }
        }
        const edits = [{ ...file, old: 'two', new: 'three' }];
        const edited = await room.call('edit', { edits });
        assert.match(edited.text, /^edited 1 file, 1 place\n/);
        assert.equal(room.context.problemsOfFile(document.uri).length, 20);
        assert.equal(room.context.suggestions(50).problemFiles.length > 0, true);
      } finally {
        store.dispose();
      }
    });

    it('says what else a problem is about that TypeScript was asked for', async () => {
      const code = 'export interface Box { id: string }\nexport const box: Box = { id: 1 };\n';
      await writeFile(plantedFile('src/plantedBox.ts'), code);
      const { text } = await room.call('diagnostics', { path: plantedPath('src/plantedBox.ts') });
      assert.match(text, /\n 2:27 error Type 'number' .* \[ts 2322\] \(see 1:24 The expected type/);
    });

    it('lists the problems of the whole workspace, the active file first', async () => {
      await show('src/plantedOrder.ts');
      await room.call('diagnostics', { path: plantedPath('src/plantedOrder.ts') });
      const { text } = await room.call('diagnostics');
      assert.match(text, /^\d+ errors?.* in \d+ files?/);
      const [first] = text.split('\n').filter((line) => /^[^ (].*\.\w+$/.test(line));
      assert.equal(first, plantedPath('src/plantedOrder.ts'));
    });

    it('answers for all open files at once', async () => {
      await show('src/plantedTotals.ts');
      await show('src/plantedOrder.ts');
      const { text } = await room.call('diagnostics', { path: 'open' });
      assert.match(text, /^1 error in 1 file/);
      assert.match(text, /9:9 error/);
    });

    it('answers a repeated question with what changed, and all with full', async () => {
      await show('src/plantedOrder.ts');
      const path = plantedPath('src/plantedOrder.ts');
      await room.call('diagnostics', { path });
      assert.match((await room.call('diagnostics', { path })).text, /^no change: 1 error/);
      assert.match((await room.call('diagnostics', { path, full: true })).text, /9:9 error/);
    });

    it('tells a sub-agent all at first, whatever others were told before', async () => {
      await show('src/plantedOrder.ts');
      const path = plantedPath('src/plantedOrder.ts');
      const firstLine = async (): Promise<string> =>
        (await room.call('diagnostics', { path })).text.split('\n')[0] ?? '';
      await firstLine();
      const told: string[] = [];
      for (const agent of ['toolu_1', 'toolu_2', 'toolu_1', undefined]) {
        room.switchAgent(agent);
        told.push((await firstLine()).replace(/:.*/u, ''));
      }
      assert.deepEqual(told, ['1 error in 1 file', '1 error in 1 file', 'no change', 'no change']);
    });

    it('names the nearest files for an unknown path', async () => {
      const { text, isError } = await room.call('diagnostics', {
        path: plantedPath('src/plantedOrdr.ts'),
      });
      assert.equal(isError, true);
      assert.match(
        text,
        /^No such file: .*plantedOrdr\.ts\. Nearest: planted files\/src\/plantedOrder\.ts, /,
      );
      assert.ok(text.length <= 240);
    });

    it('serves nothing outside the workspace', async () => {
      const { text, isError } = await room.call('diagnostics', { path: '/etc/hostname' });
      assert.equal(isError, true);
      assert.match(text, /outside the workspace/);
    });

    it('follows no link out of the workspace', async () => {
      const outside = await mkdtemp(join(tmpdir(), 'patchbay-outside-'));
      await writeFile(join(outside, 'there.txt'), 'there\n');
      await symlink('/dev/null', join(outside, 'device'));
      await symlink(outside, plantedFile('way out'));
      try {
        // Not even what kind of thing lies there is told.
        for (const name of ['there.txt', 'device']) {
          const { text, isError } = await room.call('diagnostics', {
            path: plantedPath(`way out/${name}`),
          });
          assert.equal(isError, true);
          assert.match(text, /is a link out of the workspace$/);
        }
      } finally {
        await rm(outside, { recursive: true });
      }
    });

    it('answers ten calls at once on one document', async () => {
      await show('src/plantedOrder.ts');
      const path = plantedPath('src/plantedOrder.ts');
      const calls = Array.from({ length: 10 }, () =>
        room.call('diagnostics', { path, full: true }),
      );
      for (const { text } of await Promise.all(calls)) assert.match(text, /9:9 error/);
    });
  });

  describe('pages of problems', () => {
    it('go on from the cursor, and say so when the problems changed meanwhile', async () => {
      const many = vscode.languages.createDiagnosticCollection('many');
      await writeFile(plantedFile('many.txt'), 'one\n'.repeat(60));
      const { document } = await show('many.txt');
      const problems = Array.from({ length: 60 }, (_, index) => {
        return new vscode.Diagnostic(new vscode.Range(index, 0, index, 3), `fault ${index}`, ERROR);
      });
      try {
        many.set(document.uri, problems);
        const first = await room.call('diagnostics', { path: plantedPath('many.txt') });
        assert.match(first.text, /^60 errors in 1 file\n/);
        assert.match(first.text, /\nleft: 30 errors in 1 file\nnext: cursor=d1\.30$/);
        const second = await room.call('diagnostics', { cursor: 'd1.30' });
        assert.match(
          second.text,
          /^60 errors in 1 file\nplanted files\/many\.txt\n 31:1 error fault 30/,
        );
        await writeFile(plantedFile('elsewhere.txt'), 'text\n');
        const elsewhere = await vscode.workspace.openTextDocument(plantedFile('elsewhere.txt'));
        await replaceAll(elsewhere, 'typed\n');
        const still = await room.call('diagnostics', { cursor: 'd1.30' });
        assert.doesNotMatch(still.text, /stale/, 'another text was typed in');
        many.set(document.uri, problems.slice(1));
        const stale = await room.call('diagnostics', { cursor: 'd1.30' });
        assert.match(stale.text, /^60 errors in 1 file\nstale: problems changed/);
        many.set(document.uri, problems);
        await replaceAll(document, 'more\n'.repeat(60));
        const typed = await room.call('diagnostics', { cursor: 'd1.30' });
        assert.match(typed.text, /^60 errors in 1 file\nstale: problems changed/);
        const unknown = await room.call('diagnostics', { cursor: 'd9.30' });
        assert.ok(unknown.isError);
        assert.match(unknown.text, /^The cursor is stale or unknown\./);
      } finally {
        many.dispose();
      }
    });
  });
});
