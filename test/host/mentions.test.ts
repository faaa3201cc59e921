import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { mentionText } from '../../src/chat/mentions';
import type { SuggestAnswer, SuggestQuery, SuggestRow } from '../../src/chat/suggestProtocol';
import type { UserItem } from '../../src/chat/viewStateProtocol';
import type { App } from '../../src/host/app';
import type { ConversationPlace } from '../../src/host/conversationPlace';
import { FakeSurface } from '../unit/host/hostFakes';
import { closeAll, layPlanted, plantedFile, plantedPath, restorePlanted, show } from './editorRoom';
import { patchbay, until } from './patchbay';

describe('suggestions of the message box', function () {
  // The first walk over the files of a window that has just started may be slow.
  this.timeout(120_000);
  let app: App;
  let place: ConversationPlace;
  const surface = new FakeSurface('suggesting');
  let queries = 0;

  before(async () => {
    app = await patchbay();
    await layPlanted();
    await writeFile(plantedFile('with space.md'), '# Planted\n');
    app.attach(surface);
    place = app.hub.place(surface.place);
    surface.received.fire({ type: 'ready' });
    await vscode.extensions.getExtension('acme.sample')?.activate();
    await app.serversMenu()?.extensions?.allow('acme.sample', true);
    await mention('plantedTotals', (rows) => rows.length > 0);
  });

  after(async () => {
    surface.disposed.fire();
    await app.serversMenu()?.extensions?.allow('acme.sample', false);
    await restorePlanted();
  });

  beforeEach(closeAll);

  /** Asks as the page does, and waits for the last answer. */
  async function ask(query: SuggestQuery): Promise<SuggestAnswer> {
    const queryId = (queries += 1);
    surface.received.fire({ type: 'suggest', queryId, query });
    return until(`an answer about ${query.text}`, () => {
      for (const message of surface.messages) {
        if (message.type !== 'suggestions' || message.queryId !== queryId) continue;
        if (!message.answer.isPending) return message.answer;
      }
      return undefined;
    });
  }

  /** What a planted file puts into the box: its folder's name has a blank. */
  const inserted = (name: string, lines = ''): string =>
    `${mentionText(plantedPath(name) + lines)} `;

  /** Asks until the rows are so: on a busy machine a source may be late, and what is hidden follows. */
  async function mention(
    text: string,
    isSo: (rows: readonly SuggestRow[]) => boolean,
  ): Promise<readonly SuggestRow[]> {
    for (;;) {
      const { rows } = await ask({ kind: 'mention', text });
      if (isSo(rows)) return rows;
    }
  }

  it('files come by name and path, what is hidden does not, and blanks are quoted', async () => {
    const has = (rows: readonly SuggestRow[], name: string): boolean =>
      rows.some(({ label }) => label === name);
    const [first] = await mention('plantedTotals', (rows) => has(rows, 'plantedTotals.ts'));
    assert.equal(first?.insert, inserted('src/plantedTotals.ts'));
    assert.deepEqual([first.label, first.detail], ['plantedTotals.ts', plantedPath('src')]);
    const [second] = await mention('with space', (rows) => rows.length > 0);
    assert.equal(second?.insert, inserted('with space.md'));
    const files = vscode.workspace.getConfiguration('files');
    await files.update('exclude', { '**/plantedTotals.ts': true });
    try {
      const isHidden = (rows: readonly SuggestRow[]): boolean =>
        has(rows, 'plantedOrder.ts') && !has(rows, 'plantedTotals.ts');
      await mention('planted', isHidden);
      await show('src/plantedTotals.ts');
      const rows = await mention('planted', (all) => has(all, 'plantedTotals.ts'));
      assert.equal(rows[0]?.label, 'plantedTotals.ts', 'what is open counts, and comes first');
    } finally {
      await files.update('exclude', undefined);
    }
  });

  it('what is selected and reported comes first, then what is open', async () => {
    const editor = await show('src/plantedOrder.ts');
    editor.selection = new vscode.Selection(1, 0, 3, 0);
    const collection = vscode.languages.createDiagnosticCollection('patchbay-mentions');
    try {
      const problem = new vscode.Diagnostic(new vscode.Range(1, 0, 1, 2), 'planted fault');
      collection.set(editor.document.uri, [problem]);
      const wanted = [
        inserted('src/plantedOrder.ts', ':2-3'),
        '@problems ',
        `${mentionText(`problems:${plantedPath('src/plantedOrder.ts')}`)} `,
        inserted('src/plantedOrder.ts'),
      ].join();
      await mention('', (rows) =>
        rows
          .map(({ insert }) => insert)
          .join()
          .startsWith(wanted),
      );
    } finally {
      collection.dispose();
    }
  });

  it('prompts and resources of another extension are offered', async () => {
    const commands = (await ask({ kind: 'command', text: 'welcome' })).rows;
    assert.equal(commands[0]?.insert, '/acme_sample:welcome who=');
    const [motto] = await mention('motto', (rows) => rows.length > 0);
    assert.equal(motto?.insert, '@acme_sample:sample://motto ');
  });

  it('a resource and unsaved lines go with the message, which stands as it was typed', async () => {
    const editor = await show('src/plantedEdited.ts');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// not saved yet\n'));
    const lines = inserted('src/plantedEdited.ts', ':1');
    const text = `Does @acme_sample:sample://motto fit ${lines}?`;
    surface.received.fire({ type: 'submit', promptId: 'mention-1', text });
    await until('it is taken', () =>
      surface.messages.some(
        (message) => message.type === 'submitted' && message.promptId === 'mention-1',
      ),
    );
    const said = place.conversation
      .snapshot()
      .items.find((item): item is UserItem => item.kind === 'user');
    assert.equal(said?.text, text);
    assert.deepEqual(
      said.expansion?.map((part) => part.text),
      ['Less is more.', '// not saved yet'],
    );
  });

  it('what cannot be read is refused with the reason', async () => {
    const text = 'See @acme_sample:sample://nowhere';
    surface.received.fire({ type: 'submit', promptId: 'mention-2', text });
    const answer = await until('the refusal', () =>
      surface.messages.find(
        (message) => message.type === 'submitted' && message.promptId === 'mention-2',
      ),
    );
    assert.match(
      answer.type === 'submitted' ? (answer.refused ?? '') : '',
      /sample:\/\/nowhere.*not found.*Your message is kept/,
    );
  });
});
