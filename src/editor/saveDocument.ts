import type * as vscode from 'vscode';
import { boundedCall } from './boundedCall';
import type { SaveState } from './formatWritten';
import { ownEdits } from './ownEdits';
import { ToolProblem } from './toolProblem';

/** Saving runs formatters and other steps of the person's, which may be slow. */
const SAVE_MS = 20_000;

export interface Saved {
  readonly state: SaveState;
  /** A formatter or another step of saving changed the text further. */
  readonly isReformatted: boolean;
}

/** Saves as the person would, with what they have set to run on saving. Never rejects. */
export async function saveDocument(document: vscode.TextDocument): Promise<Saved> {
  if (document.isUntitled) return { state: 'untitled', isReformatted: false };
  const before = document.getText();
  let isSaved = false;
  try {
    // Not ended by Stop: a change that stands half saved helps nobody.
    const bounds = { timeoutMs: SAVE_MS, signal: new AbortController().signal, who: 'Saving' };
    isSaved = await boundedCall(() => ownEdits.run([document.uri], () => document.save()), bounds);
  } catch (error) {
    if (!(error instanceof ToolProblem)) throw error;
  }
  const isReformatted = document.getText() !== before;
  return { state: isSaved && !document.isDirty ? 'saved' : 'saveFailed', isReformatted };
}
