import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { silentLogger } from '../../src/base/logger';
import type { SelectionOffer } from '../../src/chat/selectionProtocol';
import { createEditorContext, type EditorContext } from '../../src/editor/editorContext';
import { SelectionOffers } from '../../src/host/selectionOffers';
import {
  closeAll,
  layPlanted,
  plantedFile,
  plantedPath,
  restorePlanted,
  show,
  workspaceRoot,
} from './editorRoom';
import { patchbay, until } from './patchbay';

describe('what is selected in the editor', function () {
  this.timeout(120_000);
  const denied = new Set<string>();
  let isOn = true;
  let editor: EditorContext;
  let offers: SelectionOffers;

  before(async () => {
    await layPlanted();
    editor = createEditorContext();
    offers = new SelectionOffers({
      editor,
      log: silentLogger,
      isOn: () => isOn,
      guard: {
        denied: (files) =>
          Promise.resolve(
            new Map(files.flatMap((file) => (denied.has(file) ? [[file, 'R']] : []))),
          ),
      },
    });
  });

  beforeEach(async () => {
    denied.clear();
    isOn = true;
    await closeAll();
    await until('nothing is offered', () => offers.offer(undefined) === undefined);
  });

  after(async () => {
    offers.dispose();
    editor.dispose();
    await restorePlanted();
  });

  async function select(name: string, from: number, to: number): Promise<vscode.TextEditor> {
    const shown = await show(name);
    shown.selection = new vscode.Selection(from - 1, 0, to, 0);
    return shown;
  }

  const offered = (label: string): Promise<SelectionOffer> =>
    until(`the offer of ${label}`, () => {
      const offer = offers.offer(workspaceRoot());
      return offer?.label === label ? offer : undefined;
    });

  it('is offered with its lines, and taken with just the text that was offered', async () => {
    const shown = await select('src/plantedTotals.ts', 1, 2);
    const offer = await offered('plantedTotals.ts:1-2');
    assert.equal(offer.place, `${plantedPath('src/plantedTotals.ts')}:1-2`);
    const text = shown.document.getText(shown.selection);
    const taken = offers.take(offer.id, workspaceRoot());
    assert.deepEqual(taken, {
      ...{ file: plantedFile('src/plantedTotals.ts'), path: plantedPath('src/plantedTotals.ts') },
      ...{ from: 1, to: 2, text },
    });
    // The focus goes to the panel, a terminal or the settings: the person still sees the file.
    await vscode.commands.executeCommand('workbench.action.focusSideBar');
    await offered('plantedTotals.ts:1-2');
    shown.selection = new vscode.Selection(0, 0, 0, 0);
    await until('no offer', () => offers.offer(undefined) === undefined);
    assert.equal(offers.take(offer.id, undefined), undefined);
  });

  it('is gone with its document', async () => {
    await select('src/plantedTotals.ts', 1, 1);
    const offer = await offered('plantedTotals.ts:1');
    await closeAll();
    await until('no offer', () => offers.offer(undefined) === undefined);
    assert.equal(offers.take(offer.id, undefined), undefined);
  });

  it('is not offered of a file that must not be read, of another place, or switched off', async () => {
    denied.add(plantedFile('src/plantedTotals.ts'));
    await select('src/plantedTotals.ts', 1, 2);
    // What is selected after it comes after it.
    const open = plantedFile('src/open to all.ts');
    await writeFile(open, 'export const a = 1;\n');
    await select('src/open to all.ts', 1, 1);
    await offered('open to all.ts:1');
    await select('src/plantedTotals.ts', 1, 2);
    await until('no offer', () => offers.offer(undefined) === undefined);
    await rm(open);
    const outside = vscode.Uri.file(process.execPath).with({ path: '/etc/hosts' });
    const hosts = await vscode.window.showTextDocument(outside);
    hosts.selection = new vscode.Selection(0, 0, 1, 0);
    denied.clear();
    await select('src/plantedTotals.ts', 1, 2);
    const offer = await offered('plantedTotals.ts:1-2');
    isOn = false;
    assert.equal(offers.offer(undefined)?.isOn, false);
    assert.equal(offers.take(offer.id, undefined), undefined);
  });

  it('of an unsaved document is offered too; a very long one by its place only', async () => {
    const content = `${'x'.repeat(120)}\n`.repeat(1_000);
    const document = await vscode.workspace.openTextDocument({ content });
    const shown = await vscode.window.showTextDocument(document);
    shown.selection = new vscode.Selection(0, 0, 999, 0);
    const offer = await until('the offer', () => offers.offer(undefined));
    assert.equal(offer.isLong, true);
    const taken = offers.take(offer.id, undefined);
    assert.deepEqual(
      [taken?.from, taken?.to, taken?.text, taken?.file],
      [1, 999, undefined, undefined],
    );
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('stands in the panel, which can switch it off and on for good', async () => {
    const app = await patchbay();
    const place = app.hub.active;
    const seen = (): SelectionOffer | undefined => place.conversation.snapshot().selection;
    await select('src/plantedTotals.ts', 1, 2);
    await until('the chip', () => seen()?.label === 'plantedTotals.ts:1-2');
    const chat = () => vscode.workspace.getConfiguration('patchbay.chat');
    try {
      await chat().update('attachSelection', false, vscode.ConfigurationTarget.Global);
      await until('it is off', () => seen()?.isOn === false);
    } finally {
      await chat().update('attachSelection', undefined, vscode.ConfigurationTarget.Global);
    }
    await until('it is on', () => seen()?.isOn === true);
  });
});
