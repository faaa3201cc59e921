import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { mentionText } from '../../src/chat/mentions';
import type { SuggestRow } from '../../src/chat/suggestProtocol';
import type { ReadGuard } from '../../src/editor/readGuard';
import type { App } from '../../src/host/app';
import { CopiedCode } from '../../src/host/copiedCode';
import { gitApi, gitChanges } from '../../src/host/gitChanges';
import { FakeSurface } from '../unit/host/hostFakes';
import { closeAll, layPlanted, plantedFile, plantedPath, restorePlanted, show } from './editorRoom';
import { patchbay, until } from './patchbay';

const run = promisify(execFile);

describe('kinds of mentions', function () {
  // The first walk over the files of a window that has just started may be slow.
  this.timeout(120_000);
  let app: App;
  const surface = new FakeSurface('mentioning');
  let queries = 0;

  before(async () => {
    app = await patchbay();
    await layPlanted();
    app.attach(surface);
    surface.received.fire({ type: 'ready' });
  });

  after(async () => {
    surface.disposed.fire();
    await closeAll();
    await restorePlanted();
  });

  /** Asks as the page does until the rows are so. */
  async function mention(
    text: string,
    isSo: (rows: readonly SuggestRow[]) => boolean,
  ): Promise<readonly SuggestRow[]> {
    // Below the time that a test has: a loop that outlives it would take the next one's answers.
    const end = Date.now() + 90_000;
    for (;;) {
      const queryId = (queries += 1);
      surface.received.fire({ type: 'suggest', queryId, query: { kind: 'mention', text } });
      const { rows, notes } = await until(`an answer about ${text}`, () => {
        for (const message of surface.messages) {
          if (message.type !== 'suggestions' || message.queryId !== queryId) continue;
          if (!message.answer.isPending) return message.answer;
        }
        return undefined;
      });
      if (isSo(rows)) return rows;
      const given = JSON.stringify([notes, rows.map(({ icon, label }) => [icon, label])]);
      assert.ok(Date.now() < end, `Not among what is offered for ${text}: ${given}`);
    }
  }

  const find = (rows: readonly SuggestRow[], icon: string, label: string) =>
    rows.find((row) => row.icon === icon && row.label === label);

  it('a folder comes by its name, behind its files, with a slash at its end', async () => {
    const typed = plantedPath('src');
    const rows = await mention(typed, (all) => find(all, 'folder', 'src/') !== undefined);
    const folder = find(rows, 'folder', 'src/');
    assert.equal(folder?.insert, `${mentionText(`${plantedPath('src')}/`)} `);
  });

  it('a symbol comes with its lines, and none of a file that is excluded or outside', async () => {
    const at = (file: string): vscode.Location =>
      new vscode.Location(vscode.Uri.file(file), new vscode.Range(1, 0, 4, 0));
    const symbol = (name: string, file: string): vscode.SymbolInformation =>
      new vscode.SymbolInformation(name, vscode.SymbolKind.Class, '', at(file));
    const files = vscode.workspace.getConfiguration('files');
    const provider = vscode.languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: () => [
        symbol('OddlyNamed', plantedFile('src/plantedOrder.ts')),
        symbol('OddlyNamedHidden', plantedFile('src/plantedTotals.ts')),
        symbol('OddlyNamedOutside', '/elsewhere/a.ts'),
      ],
    });
    await files.update('exclude', { '**/plantedTotals.ts': true });
    try {
      const rows = await mention('OddlyNamed', (all) =>
        all.some(({ origin }) => origin === 'Symbol'),
      );
      assert.deepEqual(
        rows
          .filter(({ origin }) => origin === 'Symbol')
          .map(({ label, insert }) => [label, insert]),
        [['OddlyNamed', `${mentionText(`${plantedPath('src/plantedOrder.ts')}:2-4`)} `]],
      );
    } finally {
      await files.update('exclude', undefined);
      provider.dispose();
    }
  });

  it("a terminal's selection is offered while there is a terminal", async () => {
    const terminal = vscode.window.createTerminal('planted terminal');
    try {
      terminal.show(true);
      const isThere = (rows: readonly SuggestRow[]): boolean =>
        find(rows, 'terminal', 'Terminal selection') !== undefined;
      const rows = await mention('termin', isThere);
      const row = find(rows, 'terminal', 'Terminal selection');
      assert.equal(row?.insert, '@terminal:selection ');
    } finally {
      terminal.dispose();
    }
  });

  it('what differs from the last commit goes with its differences, without what is kept back', async function () {
    const repository = plantedFile('repository');
    const file = (name: string): string => path.join(repository, name);
    await mkdir(repository, { recursive: true });
    const git = (...args: string[]) =>
      run('git', ['-c', 'user.name=P', '-c', 'user.email=p@example.com', ...args], {
        cwd: repository,
      });
    try {
      await git('init', '-q', '-b', 'main');
      for (const name of ['a.txt', 'kept.txt']) await writeFile(file(name), 'one\ntwo\n');
      await git('add', '.');
      await git('commit', '-q', '-m', 'first');
      for (const name of ['a.txt', 'kept.txt']) await writeFile(file(name), 'one\nTWO\n');
      await writeFile(file('new.txt'), 'new\n');
      const api = await gitApi();
      // Not every build of the editor brings it; there the mention is refused with a reason.
      if (api === undefined) {
        assert.equal(await gitChanges(repository, undefined), undefined);
        return;
      }
      assert.ok(await api.openRepository(vscode.Uri.file(repository)));
      const guard: ReadGuard = {
        denied: () => Promise.resolve(new Map([[file('kept.txt'), 'Read(./kept.txt)']])),
      };
      const found = await gitChanges(repository, guard);
      assert.ok(found);
      assert.deepEqual([found.branch, found.left], ['main', 1]);
      const states = found.files.map(({ path: name, state }) => [name, state]);
      assert.deepEqual(states.sort(), [
        ['a.txt', 'changed'],
        ['new.txt', 'untracked'],
      ]);
      const changed = found.files.find(({ path: name }) => name === 'a.txt');
      assert.match(changed?.diff ?? '', /-two\n\+TWO/);
    } finally {
      await rm(repository, { recursive: true, force: true });
    }
  });

  it('code that was copied in an editor is known by its lines as long as they say the same', async () => {
    const editor = await show('src/plantedOrder.ts');
    const { document } = editor;
    const range = new vscode.Range(1, 0, 4, 0);
    const text = document.getText(range);
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    const mentioned = mentionText(`${plantedPath('src/plantedOrder.ts')}:2-4`);
    let isKept = false;
    const copied = new CopiedCode({
      denied: (all) =>
        Promise.resolve(new Map(isKept ? all.map((each) => [each, 'Read(**)']) : [])),
    });
    try {
      assert.equal(await copied.mentionOf(text, folder), undefined);
      copied.prepareDocumentPaste(document, [range]);
      assert.equal(await copied.mentionOf(text.replaceAll('\n', '\r\n'), folder), mentioned);
      assert.equal(await copied.mentionOf(`${text} `, folder), undefined);
      isKept = true;
      assert.equal(await copied.mentionOf(text, folder), undefined);
      isKept = false;
      await editor.edit((edit) => edit.insert(new vscode.Position(2, 0), '// new\n'));
      assert.equal(await copied.mentionOf(text, folder), undefined);
      copied.prepareDocumentPaste(document, [range, range]);
      assert.equal(await copied.mentionOf(text, folder), undefined);
    } finally {
      copied.dispose();
    }
  });
});
