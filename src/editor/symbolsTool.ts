import * as l10n from '@vscode/l10n';
import { describe, object, optional, string } from 'zod/mini';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import type { ToolContext } from '../mcp/toolContext';
import { CursorStore } from './cursor';
import type { DiagnosticsFreshness } from './diagnosticsFreshness';
import type { EditorContext } from './editorContext';
import { findFile } from './findFile';
import { formatSymbols, listOutline, listSymbols, type SymbolList } from './formatSymbols';
import { tellNamed } from './namedFiles';
import { leftByRules, type ReadGuard, refuseDenied } from './readGuard';
import { findSymbols, readOutline } from './symbolSource';
import { answer, ToolProblem } from './toolProblem';

export interface SymbolsDeps {
  readonly freshness: DiagnosticsFreshness;
  readonly context: EditorContext;
  readonly readGuard?: ReadGuard;
  /** How long one answer of a language server may take; 10 s by default. */
  readonly answerMs?: number;
}

interface ToldPage {
  readonly list: SymbolList;
  /** `freshness.edits` when the list was made. */
  readonly edits: number;
}

const input = object({
  query: optional(string().check(describe('name or part of it; with path: filters the outline'))),
  path: optional(string().check(describe('a file: its outline'))),
  cursor: optional(string().check(describe('next page, as given by the last result'))),
});

export function createSymbolsTool(deps: SymbolsDeps): ToolDefinition {
  return defineTool({
    name: 'symbols',
    title: l10n.t('Symbols'),
    description:
      'Finds declarations by name in the whole workspace (query), or gives the outline of a file (path): kind, name, line:column. Exact where text search guesses.',
    input,
    annotations: { readOnlyHint: true },
    alwaysLoad: true,
    run: (given, ctx) =>
      answer(async () => {
        const pages = pagesOf(ctx);
        if (given.cursor !== undefined) return nextPage(pages, given.cursor, deps, ctx);
        const { list, notes } = await makeList(deps, given.query, given.path, ctx.signal);
        const page = { list, edits: deps.freshness.edits };
        const cursor = (offset: number): string => pages.issue(page, offset);
        return tellNamed(formatSymbols(list, 0, cursor, notes), pathsOf(list), ctx);
      }),
  });
}

async function makeList(
  deps: SymbolsDeps,
  query = '',
  path = '',
  signal: AbortSignal,
): Promise<{ list: SymbolList; notes: readonly string[] }> {
  const wanted = query.trim();
  const bounds = { timeoutMs: deps.answerMs ?? 10_000, signal };
  if (path.trim() !== '') {
    const file = await findFile(path);
    await refuseDenied(deps.readGuard, file);
    const outline = await readOutline(file, bounds);
    const low = wanted.toLowerCase();
    const entries = outline.filter(({ name }) => name.toLowerCase().includes(low));
    if (entries.length === 0)
      throw noMatch(
        wanted,
        file.path,
        outline.map(({ name }) => name),
      );
    return { list: listOutline(file.path, entries), notes: [] };
  }
  if (wanted === '') throw new ToolProblem('Give query (a name), or path (a file for its outline)');
  const nearness = deps.context.nearness();
  const { symbols, outside, denied } = await findSymbols(wanted, nearness, bounds, deps.readGuard);
  const notes = [
    ...(outside > 0 ? [`(${outside} more outside the workspace)`] : []),
    ...leftByRules(denied),
  ];
  return { list: listSymbols(symbols, wanted), notes };
}

function nextPage(
  pages: CursorStore<ToldPage>,
  cursor: string,
  { freshness }: SymbolsDeps,
  ctx: ToolContext,
): string {
  const place = pages.open(cursor);
  if (place === undefined) {
    throw new ToolProblem('The cursor is stale or unknown. Call symbols again without cursor');
  }
  const { list, edits } = place.snapshot;
  const notes =
    edits === freshness.edits ? [] : ['stale: files were edited since this list was made'];
  const next = (offset: number): string => pages.issue(place.snapshot, offset);
  return tellNamed(formatSymbols(list, place.offset, next, notes), pathsOf(list), ctx);
}

function pathsOf({ items }: SymbolList): readonly string[] {
  return items.map(({ group }) => group);
}

function noMatch(query: string, path: string, names: readonly string[]): ToolProblem {
  return new ToolProblem(
    `No symbol '${query.slice(0, 60)}' in ${path}. It has: ${names.slice(0, 5).join(', ')}`,
  );
}

function pagesOf(ctx: ToolContext): CursorStore<ToldPage> {
  const known = ctx.state.get('symbols');
  // Only this function writes the key.
  if (known !== undefined) return known as CursorStore<ToldPage>;
  const pages = new CursorStore<ToldPage>('s');
  ctx.state.set('symbols', pages);
  return pages;
}
