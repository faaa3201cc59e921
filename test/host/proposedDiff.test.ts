import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { PermissionCard } from '../../src/chat/viewStateProtocol';
import type { App } from '../../src/host/app';
import type { ConversationPlace } from '../../src/host/conversationPlace';
import { closeAll, workspaceRoot } from './editorRoom';
import { openPanel, patchbay, until } from './patchbay';

const BEFORE = 'one\ntwo\nthree\n';

describe('the difference of a proposed edit, in the editor', () => {
  let app: App;
  let place: ConversationPlace;
  const name = 'proposed lines.txt';
  const file = (): string => path.join(workspaceRoot(), name);

  before(async () => {
    await closeAll();
    app = await patchbay();
    place = await openPanel(app);
  });
  beforeEach(async () => {
    place.startNew();
    await writeFile(file(), BEFORE);
  });
  after(async () => {
    place.startNew();
    await closeAll();
    await rm(file(), { force: true });
  });

  const card = (): PermissionCard | undefined => place.turn.permissions[0];

  function submit(...edits: readonly (readonly [from: string, to: string])[]): void {
    const calls = edits.map(([old_string, new_string]) => [
      'Edit',
      { file_path: file(), old_string, new_string },
    ]);
    const words = JSON.stringify([['Read', { file_path: file() }], ...calls]);
    assert.deepEqual(place.submit(randomUUID(), `call ${words}`), { accepted: true });
  }

  /** Both sides of the tab that the card's button opens. */
  async function sides(id: string): Promise<readonly [vscode.TextDocument, vscode.TextDocument]> {
    await app.diffs.show(place.conversation, id);
    const input = await until('the difference', () => {
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return tab instanceof vscode.TabInputTextDiff && tab.modified.query.includes(id) && tab;
    });
    const open = (uri: vscode.Uri): Thenable<vscode.TextDocument> =>
      vscode.workspace.openTextDocument(uri);
    return Promise.all([open(input.original), open(input.modified)]);
  }

  it('a card that does not wait shows nothing, whatever it is called', async () => {
    await closeAll();
    for (const id of ['nobody', '__proto__', 'constructor', '']) {
      await assert.rejects(app.diffs.show(place.conversation, id), /no difference to show/);
      await assert.rejects(app.diffs.showRequest(place.conversation, id), /does not wait any more/);
    }
    assert.deepEqual(vscode.window.tabGroups.activeTabGroup.tabs, []);
  });

  it('can only be read: what is typed into it changes nothing, so nothing of it can be lost', async () => {
    submit(['two', 'TWO']);
    const { id } = await until('the card', card);
    const [left, right] = await sides(id);
    assert.equal(left.getText(), BEFORE);
    assert.equal(right.getText(), BEFORE.replace('two', 'TWO'));
    await until(
      'the proposal has the focus',
      () => vscode.window.activeTextEditor?.document.uri.toString() === right.uri.toString(),
    );
    await vscode.commands.executeCommand('type', { text: 'typed' });
    assert.equal(right.getText(), BEFORE.replace('two', 'TWO'));
    assert.ok(!right.isDirty);
    place.conversation.answerPermission(id, 'allowOnce');
    await until('the end of the turn', () => place.turn.kind === 'idle' && card() === undefined);
    assert.equal(await readFile(file(), 'utf8'), BEFORE.replace('two', 'TWO'));
  });

  it('of a notebook is that of its cell, as text and in no editor of notebooks', async () => {
    const notebook = path.join(workspaceRoot(), 'proposed cells.ipynb');
    const cells = ['one', 'two'].map((source, at) => ({
      ...{ cell_type: 'code', id: `cell${at}`, metadata: {}, outputs: [], execution_count: null },
      source: `${source}\n`,
    }));
    await writeFile(
      notebook,
      JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }),
    );
    const edit = { notebook_path: notebook, cell_id: 'cell1', new_source: 'TWO\n' };
    const calls = [
      ['Read', { file_path: notebook }],
      ['NotebookEdit', edit],
    ];
    place.submit(randomUUID(), `call ${JSON.stringify(calls)}`);
    const { id, diff } = await until('the card', card);
    assert.deepEqual(diff?.hunks[0]?.lines, ['-two', '+TWO']);
    const [left, right] = await sides(id);
    assert.deepEqual([left.getText(), right.getText()], ['two\n', 'TWO\n']);
    place.conversation.answerPermission(id, 'allowOnce');
    await until('the end of the turn', () => place.turn.kind === 'idle' && card() === undefined);
    const written = await readFile(notebook, 'utf8');
    await rm(notebook);
    assert.match(written, /TWO/);
    assert.match(written, /one/);
  });

  it('is against the file as it is, for each of several edits in a turn', async () => {
    submit(['one', 'ONE'], ['two', 'TWO'], ['three', 'THREE']);
    let text = BEFORE;
    let last = '';
    for (const word of ['one', 'two', 'three']) {
      const { id } = await until(`the card of ${word}`, () => {
        const next = card();
        return next?.id !== last && next;
      });
      const [left, right] = await sides(id);
      assert.equal(left.getText(), text);
      text = text.replace(word, word.toUpperCase());
      assert.equal(right.getText(), text);
      last = id;
      place.conversation.answerPermission(id, 'allowOnce');
    }
    await until('the end of the turn', () => place.turn.kind === 'idle' && card() === undefined);
    assert.equal(await readFile(file(), 'utf8'), text);
  });
});
