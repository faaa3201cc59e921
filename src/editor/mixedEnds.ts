import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';
import * as vscode from 'vscode';
import { wideDecoder } from './markedEncoding';
import { shownPath } from './servedFiles';

const NAMED = 5;

/** No longer than the event loop may be held for it. */
const PART_BYTES = 1_048_576;

/**
 * Whether the file of a saved document has other line ends than the document: the editor makes all
 * of them one kind as it reads, and writes that for lines that nobody has changed.
 */
export async function hasOtherEnds({
  uri,
  isDirty,
  eol,
  encoding,
}: vscode.TextDocument): Promise<boolean> {
  if (uri.scheme !== 'file' || isDirty) return false;
  const other = eol === vscode.EndOfLine.CRLF ? /\r(?!\n)|(?<!\r)\n/u : /\r/u;
  // In all but UTF-16 these two letters are bytes of their own.
  const decoder = wideDecoder(encoding) ?? new TextDecoder('latin1');
  let held = '';
  try {
    for await (const part of createReadStream(uri.fsPath, { highWaterMark: PART_BYTES })) {
      // Without an encoding a stream gives bytes.
      const text = held + decoder.decode(part as Buffer, { stream: true });
      // What comes next tells what this is.
      held = text.endsWith('\r') ? '\r' : '';
      if (other.test(held === '' ? text : text.slice(0, -1))) return true;
    }
  } catch {
    // Gone, or not readable: saving will tell.
    return false;
  }
  return held !== '';
}

/** A line that says so of saved documents: the editor has one kind of line ends for a whole one. */
export function describeEnds(documents: readonly vscode.TextDocument[]): readonly string[] {
  if (documents.length === 0) return [];
  const named = documents
    .slice(0, NAMED)
    .map(({ uri, eol }) => `${shownPath(uri)} (${eol === vscode.EndOfLine.CRLF ? 'CRLF' : 'LF'})`);
  const more = documents.length > NAMED ? ` and ${documents.length - NAMED} more` : '';
  return [`line ends were mixed, the editor makes them one kind: ${named.join(', ')}${more}`];
}
