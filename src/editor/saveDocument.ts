import * as vscode from 'vscode';
import { boundedCall } from './boundedCall';
import { awaitDisk, decodeBytes, plainText } from './diskState';
import { readBytes } from './fileBytes';
import type { SaveState } from './formatWritten';
import { ownEdits } from './ownEdits';
import { ToolProblem } from './toolProblem';

/** Saving runs formatters and other steps of the person's, which may be slow. */
const SAVE_MS = 20_000;
const TRIES = 2;

export interface Saved {
  readonly state: SaveState;
  /** A formatter or another step of saving changed the text further. */
  readonly isReformatted: boolean;
}

/** Saves as the person would, with what they have set to run on saving. Never rejects. */
export async function saveDocument(document: vscode.TextDocument): Promise<Saved> {
  if (document.isUntitled) return { state: 'untitled', isReformatted: false };
  const before = document.getText();
  const wasDirty = document.isDirty;
  // Another extension may be saving it as well, and one of the two then fails.
  for (let round = 0; round < TRIES && document.isDirty; round += 1) await trySave(document);
  if (!wasDirty && (await awaitDisk(document, AbortSignal.abort())) === 'diskNewer') {
    await putBack(document);
    return { state: 'readOnly', isReformatted: false };
  }
  const isReformatted = document.getText() !== before;
  return { state: document.isDirty ? 'saveFailed' : 'saved', isReformatted };
}

/** What is read-only in the editor does not turn unsaved, and would hold for ever what no file has. */
async function putBack(document: vscode.TextDocument): Promise<void> {
  const text = await decodeBytes(await readBytes(document.uri), document.encoding);
  const edit = new vscode.WorkspaceEdit();
  const all = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
  edit.replace(document.uri, all, plainText(text));
  await ownEdits.run([document.uri], () => vscode.workspace.applyEdit(edit));
}

async function trySave(document: vscode.TextDocument): Promise<void> {
  try {
    // Not ended by Stop: a change that stands half saved helps nobody.
    const bounds = { timeoutMs: SAVE_MS, signal: new AbortController().signal, who: 'Saving' };
    await boundedCall(() => ownEdits.runSaving(document.uri, () => document.save()), bounds);
  } catch (error) {
    if (!(error instanceof ToolProblem)) throw error;
  }
}
