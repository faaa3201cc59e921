import { isUtf8 } from 'node:buffer';
import * as vscode from 'vscode';
import { awaitDisk } from './diskState';
import { fileId, readBytes, tryStat } from './fileBytes';
import { markedEncoding } from './markedEncoding';
import { shownPath } from './servedFiles';
import { type UnsavedFiles, unsavedFiles, unsavedTwin } from './sameFile';
import { ToolProblem } from './toolProblem';
import type { WriteTarget } from './writeTarget';

/** Larger files are not read again to see whether all of their bytes were understood. */
const CHECKED_BYTES = 5_000_000;
const LOST = '\uFFFD';

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
  const disk = await awaitDisk(document, signal);
  if (disk === 'removed') {
    throw new ToolProblem(
      `${path} was removed from the disk. To make it anew give old: "" and all of its text`,
    );
  }
  if (disk === 'diskNewer') {
    throw new ToolProblem(
      `${path} has changed on disk and the editor still has the old text. Try again in a moment`,
    );
  }
  await refuseOtherBuffer(document.uri, path, await unsavedFiles());
  await checkEncoding(document, path, texts);
}

/**
 * Looks whether a document can be saved with these texts in it, and all else as it is.
 * @throws ToolProblem for bytes that were not understood, and for letters that its encoding has not
 */
export async function checkEncoding(
  document: vscode.TextDocument,
  path: string,
  texts: readonly string[],
): Promise<void> {
  const { encoding } = document;
  if (await losesBytes(document)) {
    throw new ToolProblem(
      `Nothing was changed: ${path} has bytes that are not ${encoding}: saving would lose them. Ask the person to reopen it with its encoding (files.encoding)`,
    );
  }
  const letters = await unknownLetters(texts, codingOf(document));
  if (letters === '') return;
  throw new ToolProblem(
    `Nothing was changed: ${path} is in ${encoding}, which cannot hold ${letters}. Use other letters, or ask the person to save it as UTF-8`,
  );
}

/** Whether saving a document would write other bytes or letters than it was read from, or holds. */
export async function losesText(document: vscode.TextDocument): Promise<boolean> {
  if (await losesBytes(document)) return true;
  if (document.encoding.startsWith('utf')) return false;
  return (await unknownLetters([document.getText()], codingOf(document))) !== '';
}

function codingOf({ encoding }: vscode.TextDocument): Coding {
  return {
    encode: (text) => vscode.workspace.encode(text, { encoding }),
    decode: (bytes) => vscode.workspace.decode(bytes, { encoding }),
  };
}

/**
 * The same of a file that is made.
 * @throws ToolProblem for letters that the encoding of new files has not
 */
export async function checkNewText(
  { uri, path }: Pick<WriteTarget, 'uri' | 'path'>,
  texts: readonly string[],
): Promise<void> {
  const letters = await unknownLetters(texts, {
    encode: (text) => vscode.workspace.encode(text, { uri }),
    decode: (bytes) => vscode.workspace.decode(bytes, { uri }),
  });
  if (letters === '') return;
  throw new ToolProblem(
    `Nothing was changed: files.encoding, in which ${path} would be made, cannot hold ${letters}. Use other letters, or ask the person to set it to utf8`,
  );
}

/**
 * By another name the same file may be open with unsaved text, which this change would not know.
 * @throws ToolProblem that begins with `what`, such as `Nothing was changed`
 */
export async function refuseOtherBuffer(
  uri: vscode.Uri,
  path: string,
  unsaved: UnsavedFiles,
  what = 'Nothing was changed',
): Promise<void> {
  const twin = await unsavedTwin(uri, unsaved);
  if (twin === undefined) return;
  throw new ToolProblem(
    `${what}: ${path} is the same file as ${shownPath(twin.uri)}, which has unsaved changes. Give that path`,
  );
}

/** @throws ToolProblem for two names of one file: what is saved by the one the other would not know */
export async function refuseTwins(
  targets: readonly Pick<WriteTarget, 'uri' | 'path'>[],
): Promise<void> {
  const known = new Map<string, string>();
  for (const { uri, path } of targets) {
    const id = uri.scheme === 'file' ? await fileId(uri) : undefined;
    if (id === undefined) continue;
    const twin = known.get(id);
    if (twin !== undefined) {
      throw new ToolProblem(
        `Nothing was changed: ${path} is the same file as ${twin}. Give one of the paths`,
      );
    }
    known.set(id, path);
  }
}

interface Coding {
  readonly encode: (text: string) => Thenable<Uint8Array>;
  readonly decode: (bytes: Uint8Array) => Thenable<string>;
}

/**
 * Some of the letters that an encoding cannot hold, the editor would write `?` for them; empty where
 * it can hold all of the text.
 */
async function unknownLetters(
  texts: readonly string[],
  { encode, decode }: Coding,
): Promise<string> {
  // At once: each question goes to the window and back.
  const text = texts.join('\n');
  if (!/[^\0-\x7F]/u.test(text)) return '';
  const bytes = Buffer.from(await encode(text));
  if (isUtf8(bytes) && bytes.toString('utf8').endsWith(text)) return '';
  const back = await decode(bytes);
  if (back === text) return '';
  const letters = [...new Set(text)].filter((letter) => !back.includes(letter));
  return letters.slice(0, 5).join(' ') || 'some of its letters';
}

/** Bytes that were not understood stand as U+FFFD in the document; the file itself may have that too. */
async function losesBytes(document: vscode.TextDocument): Promise<boolean> {
  const { uri, encoding } = document;
  if (uri.scheme !== 'file' || !document.getText().includes(LOST)) return false;
  const stat = await tryStat(uri);
  if (stat === undefined || stat.size > CHECKED_BYTES) return stat !== undefined;
  const bytes = await readBytes(uri);
  if (encoding.startsWith('utf8')) return !isUtf8(bytes);
  const text = await vscode.workspace.decode(bytes, { encoding });
  const back = await vscode.workspace.encode(text, { encoding });
  return !withoutMark(bytes).equals(withoutMark(Buffer.from(back)));
}

/** What is decoded has no byte-order mark, and some encodings are written with one. */
function withoutMark(bytes: Buffer): Buffer {
  return markedEncoding(bytes)?.startsWith('utf16') === true ? bytes.subarray(2) : bytes;
}
