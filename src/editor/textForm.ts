import * as vscode from 'vscode';
import { readBytes, tryStat } from './fileBytes';
import { markedEncoding, zeroBytes } from './markedEncoding';
import { openFile } from './openFile';

/** How the text of a file is written down. */
export interface TextForm {
  /** As the editor names it; empty where the bytes are no UTF-8 and nothing says what they are. */
  readonly encoding: string;
  readonly hasCrlf: boolean;
}

/** Larger files are not read for this. */
const MAX_BYTES = 5_000_000;

/** As the editor has it, or would open it. Undefined for what is not there, or too large. */
export async function textForm(path: string): Promise<TextForm | undefined> {
  const uri = vscode.Uri.file(path);
  const open = openFile(path);
  if (open) return { encoding: open.encoding, hasCrlf: open.eol === vscode.EndOfLine.CRLF };
  const stat = await tryStat(uri);
  if (stat?.isFile !== true || stat.size > MAX_BYTES) return undefined;
  const bytes = await readBytes(uri);
  const set: unknown = vscode.workspace.getConfiguration('files', uri).get('encoding');
  return {
    encoding: encodingOf(bytes, typeof set === 'string' ? set : 'utf8'),
    // In UTF-16 a zero byte stands beside each of both.
    hasCrlf: bytes.includes('\r\n') || bytes.includes('\r\0\n'),
  };
}

function encodingOf(bytes: Buffer, set: string): string {
  const found = markedEncoding(bytes) ?? zeroBytes(bytes);
  if (found !== undefined && found !== 'binary') return found;
  if (!set.startsWith('utf8')) return set;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return set;
  } catch {
    return '';
  }
}
