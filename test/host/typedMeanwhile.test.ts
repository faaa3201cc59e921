import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, symlink, unlink, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import {
  createEditorRoom,
  type EditorRoom,
  plantedFile,
  plantedPath,
  replaceAll,
  show,
  until,
  usePlantedRoom,
} from './editorRoom';
import { placeIn, referenceProvider } from './placeProviders';

const OLD = 'the  word\n';
const NEW = 'the word\n';
const TYPED = 'typed by the person\n';

/** What a provider would change in a document as it is now: a change in the wrong place is seen. */
function tidy(document: vscode.TextDocument): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (let line = 0; line < document.lineCount; line += 1) {
    const at = document.lineAt(line).text.indexOf('  ');
    if (at >= 0) edit.replace(document.uri, new vscode.Range(line, at, line, at + 2), ' ');
  }
  return edit;
}

/** Each call that a language server answers with a change. */
const CALLS: Readonly<Record<string, (file: string) => [tool: string, input: object]>> = {
  rename: (path) => ['rename', { path, symbol: 'word', to: 'other' }],
  format: (path) => ['actions', { path, apply: 'format' }],
  'a quick fix': (path) => ['actions', { path, apply: 'Tidy' }],
};

describe('what the person types while the tool asks a language server', () => {
  let room: EditorRoom;
  const offers: vscode.Disposable[] = [];
  /** Called as the server has its answer, before the tool gets it. */
  let onAnswer: (document: vscode.TextDocument) => Promise<void> = () => Promise.resolve();

  usePlantedRoom((made) => {
    room = made;
  });

  before(() => {
    const files = { pattern: '**/*.typedin' };
    const give = async (document: vscode.TextDocument): Promise<vscode.WorkspaceEdit> => {
      const edit = tidy(document);
      await onAnswer(document);
      return edit;
    };
    offers.push(
      vscode.languages.registerRenameProvider(files, { provideRenameEdits: give }),
      vscode.languages.registerDocumentFormattingEditProvider(files, {
        provideDocumentFormattingEdits: async (document) =>
          (await give(document)).get(document.uri),
      }),
      vscode.languages.registerCodeActionsProvider(files, {
        provideCodeActions: async (document, _range, { triggerKind }) => {
          // The editor asks too, for its light bulb.
          if (triggerKind !== vscode.CodeActionTriggerKind.Invoke) return [];
          const action = new vscode.CodeAction('Tidy', vscode.CodeActionKind.QuickFix);
          action.edit = await give(document);
          return [action];
        },
      }),
    );
  });
  after(() => {
    for (const offer of offers) offer.dispose();
  });
  afterEach(() => {
    onAnswer = () => Promise.resolve();
  });

  async function type({ uri }: vscode.TextDocument): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), TYPED);
    assert.ok(await vscode.workspace.applyEdit(edit));
  }

  async function plant(name: string) {
    await writeFile(plantedFile(name), OLD);
    const document = await vscode.workspace.openTextDocument(plantedFile(name));
    return { document, file: plantedFile(name), path: plantedPath(name) };
  }

  let made = 0;
  for (const [what, call] of Object.entries(CALLS)) {
    it(`does not misplace ${what}, and is not saved, at whichever answer it comes`, async () => {
      // Without anything typed, how often is it asked?
      let answers = 0;
      onAnswer = () => {
        answers += 1;
        return Promise.resolve();
      };
      const plain = await plant(`plain${(made += 1)}.typedin`);
      const done = await room.call(...call(plain.path));
      assert.equal(done.isError, false, done.text);
      assert.equal(await readFile(plain.file, 'utf8'), NEW);
      assert.ok(answers >= 2);
      for (let when = 1; when <= answers; when += 1) {
        const { document, file, path } = await plant(`typed${(made += 1)}.typedin`);
        let count = 0;
        onAnswer = async (one) => {
          count += 1;
          if (count === when) await type(one);
        };
        const { text, isError } = await room.call(...call(path));
        assert.equal(isError, false, text);
        assert.equal(document.getText(), `${TYPED}${NEW}`, `typed at answer ${when}`);
        assert.match(text, /: 1 place; left unsaved: it had unsaved changes before/);
        assert.equal(await readFile(file, 'utf8'), OLD);
        assert.equal(document.isDirty, true);
      }
    });

    it(`makes ${what} refuse where it comes at every answer, with nothing changed`, async () => {
      const { document, file, path } = await plant(`always${(made += 1)}.typedin`);
      let count = 0;
      onAnswer = async (one) => {
        count += 1;
        await type(one);
      };
      const { text, isError } = await room.call(...call(path));
      assert.equal(isError, true, text);
      assert.match(text, /^Nothing was changed: a text was changed meanwhile.* Try again/);
      assert.equal(document.getText(), `${TYPED.repeat(count)}${OLD}`);
      assert.equal(await readFile(file, 'utf8'), OLD);
      assert.ok(count <= 5, `asked ${count} times`);
    });
  }

  for (const [what, call] of Object.entries(CALLS)) {
    it(`by another name of the file is not gone behind by ${what}`, async () => {
      const { file } = await plant(`named${(made += 1)}.typedin`);
      const link = `link${made}.typedin`;
      await symlink(file, plantedFile(link));
      const document = await vscode.workspace.openTextDocument(file);
      await type(document);
      const { text, isError } = await room.call(...call(plantedPath(link)));
      assert.equal(isError, true, text);
      assert.match(text, /^Nothing was changed: .* is the same file as .*, which has unsaved/);
      assert.equal(await readFile(file, 'utf8'), OLD);
      assert.equal(document.getText(), `${TYPED}${OLD}`);
    });
  }

  for (const [what, call] of Object.entries(CALLS)) {
    it(`does not bring back by ${what} a file that was removed and is still open`, async () => {
      const { file, path } = await plant(`removed${(made += 1)}.typedin`);
      const { document } = await show(`removed${made}.typedin`);
      await unlink(file);
      const { text, isError } = await room.call(...call(path));
      assert.equal(isError, true, text);
      assert.match(text, /^Nothing was changed: .* was removed from the disk and is still open/);
      assert.equal(existsSync(file), false);
      assert.equal(document.getText(), OLD);
    });
  }

  it("counts as the person's, and what the tool did does not", async () => {
    const { document, path } = await plant('counted.typedin');
    room.newTurn();
    let count = 0;
    onAnswer = async (one) => {
      count += 1;
      if (count === 2) await type(one);
    };
    await room.call('actions', { path, apply: 'format' });
    assert.equal(document.getText(), `${TYPED}${NEW}`);
    let told = '';
    await until('what was typed is told', async () => {
      told = (await room.call('user_changes', { path })).text;
      return told.includes(`+${TYPED.trim()}`);
    });
    assert.match(told, /: \+1 -0\n/, told);
  });

  it('references of lines that the person deletes before they are read are moved to the last one', async () => {
    const path = plantedPath('shrinking.crowd');
    await writeFile(plantedFile('shrinking.crowd'), 'crowd\n'.repeat(50));
    const { document } = await show('shrinking.crowd');
    const provider = referenceProvider('crowd', (uri) =>
      Array.from({ length: 50 }, (_, line) => placeIn(uri, line, 0)),
    );
    let asked = 0;
    let deletedAt = Infinity;
    const looking = createEditorRoom({
      readGuard: {
        denied: async () => {
          asked += 1;
          if (asked === deletedAt) await replaceAll(document, 'crowd\n');
          return new Map();
        },
      },
    });
    try {
      const input = { path, line: 1 };
      assert.match((await looking.call('references', input)).text, /^50 references /);
      // Whenever the rules are asked, the files are being looked at.
      const looks = asked;
      for (let look = 1; look <= looks; look += 1) {
        await replaceAll(document, 'crowd\n'.repeat(50));
        [asked, deletedAt] = [0, look];
        const { text, isError } = await looking.call('references', input);
        assert.equal(isError, false, text);
        assert.match(text, /\n 2:1 \(reported at line 50\)$/);
      }
    } finally {
      provider.dispose();
      looking.dispose();
    }
  });
});
