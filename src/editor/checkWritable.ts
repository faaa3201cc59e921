import * as vscode from 'vscode';
import { awaitDisk } from './diskState';
import { readBytes, tryStat } from './fileBytes';
import { ToolProblem } from './toolProblem';
import type { WriteTarget } from './writeTarget';

/** Larger files are not read again to see whether all of their bytes were understood. */
const CHECKED_BYTES = 5_000_000;
const LOST = '\uFFFD';
const LOST_IN_UTF8 = Buffer.from(LOST);

/**
 * Looks whether a document can be changed and saved without a loss.
 * @param texts that will be put into it
 * @throws ToolProblem for a file that is gone, newer on disk, or could not be saved as it is
 */
export async function checkWritable(
  document: vscode.TextDocument,
  { path }: Pick<WriteTarget, 'path'>,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { uri, isDirty, encoding } = document;
  if (uri.scheme === 'file' && !isDirty && (await tryStat(uri)) === undefined) {
    throw new ToolProblem(
      `${path} was removed from the disk. To make it anew give old: "" and all of its text`,
    );
  }
  if ((await awaitDisk(document, signal)) === 'diskNewer') {
    throw new ToolProblem(
      `${path} has changed on disk and the editor still has the old text. Try again in a moment`,
    );
  }
  if (!document.isUntitled && (await losesBytes(document))) {
    throw new ToolProblem(
      `${path} has bytes that are not ${encoding}: saving would lose them. Ask the person to reopen it with its encoding (files.encoding)`,
    );
  }
  for (const text of texts) await refuseUnknownLetters(text, path, encoding);
}

/** An encoding of one byte a letter has few letters; the editor would write `?` for the others. */
async function refuseUnknownLetters(text: string, path: string, encoding: string): Promise<void> {
  if (!/[^\0-\x7F]/u.test(text)) return;
  const back = await vscode.workspace.decode(await vscode.workspace.encode(text, { encoding }), {
    encoding,
  });
  if (back === text) return;
  const letters = [...new Set(text)].filter((letter) => !back.includes(letter));
  throw new ToolProblem(
    `Nothing was changed: ${path} is in ${encoding}, which cannot hold ${letters.slice(0, 5).join(' ')}. Use other letters, or ask the person to save it as UTF-8`,
  );
}

/** Bytes that were not understood stand as U+FFFD in the document; the file itself may have that too. */
async function losesBytes(document: vscode.TextDocument): Promise<boolean> {
  if (document.uri.scheme !== 'file' || !document.getText().includes(LOST)) return false;
  const stat = await tryStat(document.uri);
  if (stat === undefined || stat.size > CHECKED_BYTES) return stat !== undefined;
  const bytes = await readBytes(document.uri);
  if (document.encoding.startsWith('utf16')) return false;
  return !document.encoding.startsWith('utf8') || !bytes.includes(LOST_IN_UTF8);
}
