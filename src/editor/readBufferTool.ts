import * as l10n from '@vscode/l10n';
import { describe, int, minimum, object, optional, string } from 'zod/mini';
import type * as vscode from 'vscode';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import { awaitDisk, type DiskState } from './diskState';
import { findFile } from './findFile';
import { formatLines } from './formatLines';
import { openDocument } from './openDocument';
import { type ReadGuard, refuseDenied } from './readGuard';
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
        const file = await findFile(path);
        await refuseDenied(deps.readGuard, file);
        const document = await openDocument(file);
        const disk = await awaitDisk(document, signal);
        const text = readLines(document, { path: file.path, disk }, from ?? 1, to);
        tellFile(file.path, Buffer.byteLength(text));
        return text;
      }),
  });
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
  if (to !== undefined && to < from) throw new ToolProblem(`to=${to} is before from=${from}`);
  return formatLines({
    path,
    lineCount,
    disk,
    from,
    to: Math.min(to ?? lineCount, lineCount),
    lineAt: (number) => document.lineAt(number - 1).text,
  });
}
