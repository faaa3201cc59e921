import * as vscode from 'vscode';
import { decodeBytes } from './diskState';
import { readSmall } from './fileBytes';
import type { CodeLine, ReadLine } from './formatReferences';
import { markedEncoding, zeroBytes } from './markedEncoding';
import { findOpen } from './openFile';

/** Larger files are not read for a line of theirs: taking one apart would hold the event loop. */
const LARGEST = 2_000_000;

/**
 * Reads lines of code: from the editor where the file is loaded, unsaved text included, else from the
 * disk. Each file is read once for one reader, and nothing is opened.
 */
export class LineReader {
  readonly #files = new Map<string, Promise<Lines | undefined>>();

  /** Reads a file whose lines will probably be asked for, while something else is waited for. */
  begin(uri: vscode.Uri): void {
    void this.#file(uri);
  }

  /** @param line 1-based */
  async at(uri: vscode.Uri, line: number): Promise<CodeLine | undefined> {
    return (await this.#file(uri))?.at(line);
  }

  /** For pages that know their files by the paths that are shown. */
  byPath(uriOf: (path: string) => vscode.Uri | undefined): ReadLine {
    return async (path, line) => {
      const uri = uriOf(path);
      return uri && this.at(uri, line);
    };
  }

  #file(uri: vscode.Uri): Promise<Lines | undefined> {
    const key = uri.toString();
    let file = this.#files.get(key);
    if (file === undefined) this.#files.set(key, (file = readLines(uri)));
    return file;
  }
}

interface Lines {
  /** By 1-based number. */
  at(line: number): CodeLine;
}

async function readLines(uri: vscode.Uri): Promise<Lines | undefined> {
  const document = findOpen(uri);
  if (document) {
    return {
      at: (line) => {
        // As it is by then: the person may be typing.
        const { lineCount } = document;
        const isInside = line >= 1 && line <= lineCount;
        return { text: isInside ? document.lineAt(line - 1).text : undefined, lineCount };
      },
    };
  }
  const text = await readText(uri);
  if (text === undefined) return undefined;
  const lines = text.split(/\r\n|\r|\n/u);
  return { at: (line) => ({ text: lines[line - 1], lineCount: lines.length }) };
}

function unmarked(bytes: Uint8Array): string | undefined {
  const found = zeroBytes(bytes);
  return found === 'binary' ? undefined : found;
}

async function readText(uri: vscode.Uri): Promise<string | undefined> {
  if (uri.scheme !== 'file') return undefined;
  try {
    const bytes = await readSmall(uri, LARGEST);
    if (bytes === undefined) return undefined;
    const set = vscode.workspace.getConfiguration('files', uri).get('encoding', 'utf8');
    return await decodeBytes(bytes, markedEncoding(bytes) ?? unmarked(bytes) ?? set);
  } catch {
    // Removed meanwhile, or not readable: the place is given without its line.
    return undefined;
  }
}
