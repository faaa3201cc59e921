import * as l10n from '@vscode/l10n';
import { describe, int, minimum, object, optional, string } from 'zod/mini';
import type * as vscode from 'vscode';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import { awaitDisk, type DiskState } from './diskState';
import { findServed, type FoundFile } from './findFile';
import { formatLines } from './formatLines';
import { readLargeFile } from './largeFile';
import { isTooLarge, openDocument, refuseBinary } from './openDocument';
import { findOpenNotebook } from './openFile';
import type { ReadGuard } from './readGuard';
import { asTyped } from './sameFile';
import { answer, ToolProblem } from './toolProblem';

const line = (text: string) => optional(int().check(minimum(1), describe(text)));

const input = object({
  path: string().check(describe('file, or URI of an untitled document')),
  from: line('first line'),
  to: line('last line'),
});

export function createReadBufferTool(deps: { readonly readGuard?: ReadGuard }): ToolDefinition {
  return defineTool({
    name: 'read_buffer',
    title: l10n.t('Read buffer'),
    description:
      'Text of a file as the editor has it, unsaved changes included, with line numbers. Of saved files Read gives the same.',
    input,
    annotations: { readOnlyHint: true },
    searchHint: 'unsaved text of an open or untitled file',
    run: ({ path, from, to }, { signal, tellFile }) =>
      answer(async () => {
        const file = await findServed(path, deps.readGuard);
        if (to !== undefined && to < (from ?? 1)) {
          throw new ToolProblem(`to=${to} is before from=${from ?? 1}`);
        }
        const typed = await asTyped(file, deps.readGuard);
        const text = await readFile(typed, { from: from ?? 1, to }, signal);
        tellFile(typed.path, Buffer.byteLength(text));
        return text;
      }),
  });
}

async function readFile(
  file: FoundFile,
  { from, to }: { readonly from: number; readonly to: number | undefined },
  signal: AbortSignal,
): Promise<string> {
  const { uri, path, size = 0 } = file;
  if (isTooLarge(file) && !file.isFolder && uri.scheme === 'file') {
    await refuseBinary(file);
    const range = { from, ...(to === undefined ? {} : { to }) };
    return readLargeFile({ path, file: uri.fsPath, bytes: size }, range, signal);
  }
  refuseNotebook(file);
  const document = await openDocument(file);
  return readLines(document, { path, disk: await awaitDisk(document, signal) }, from, to);
}

/** What is unsaved in a notebook stands in its cells: of the file the editor has the old text. */
function refuseNotebook({ uri, path }: FoundFile): void {
  const open = findOpenNotebook(uri);
  if (open?.isDirty !== true && open?.isUntitled !== true) return;
  throw new ToolProblem(`${path} is a notebook with unsaved changes. Read it with cells`);
}

function readLines(
  document: vscode.TextDocument,
  { path, disk }: { readonly path: string; readonly disk: DiskState },
  from: number,
  to: number | undefined,
): string {
  const { lineCount } = document;
  if (from > lineCount) {
    throw new ToolProblem(`${path} has ${lineCount} lines; from=${from} is past the end`);
  }
  return formatLines({
    path,
    lineCount,
    disk,
    from,
    to: Math.min(to ?? lineCount, lineCount),
    lineAt: (number) => document.lineAt(number - 1).text,
  });
}
