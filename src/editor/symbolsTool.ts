import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { describe, object, optional, string } from 'zod/mini';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import type { ToolContext } from '../mcp/toolContext';
import { CursorStore, staleNote, takePage } from './cursor';
import type { AskBounds, OutlineNode } from './documentOutline';
import { findServed, type FoundFile } from './findFile';
import { formatSymbols, listOutline, listSymbols, type SymbolList } from './formatSymbols';
import { tellNamed } from './namedFiles';
import { nearestNames } from './pathDisplay';
import { refuseKeptSince } from './readGuard';
import { describeLeft } from './servedPlaces';
import { findSymbols, readOutline } from './symbolSource';
import { bareName, liesIn, readSymbolName } from './symbolName';
import { answer, ToolProblem } from './toolProblem';
import type { LanguageDeps } from './toolDeps';
import { toolState } from './toolState';

interface ToldPage {
  readonly list: SymbolList;
  readonly uris: readonly vscode.Uri[];
  /** `freshness.edits` when the list was made. */
  readonly edits: number;
}

const input = object({
  query: optional(string().check(describe('name or part of it; with path: filters the outline'))),
  path: optional(string().check(describe('a file: its outline'))),
  cursor: optional(string()),
});

const AGAIN = 'symbols again without cursor';

export function createSymbolsTool(deps: LanguageDeps): ToolDefinition {
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
        const { notes, ...made } = await makeList(deps, given.query, given.path, ctx.signal);
        const { list } = made;
        const page = { ...made, edits: deps.freshness.edits };
        const cursor = (offset: number): string => pages.issue(page, offset);
        return tellNamed(formatSymbols(list, 0, cursor, notes), pathsOf(list), ctx);
      }),
  });
}

async function makeList(
  deps: LanguageDeps,
  query = '',
  path = '',
  signal: AbortSignal,
): Promise<Pick<ToldPage, 'list' | 'uris'> & { readonly notes: readonly string[] }> {
  const wanted = query.trim();
  const bounds = { timeoutMs: deps.answerMs ?? 10_000, signal };
  if (path.trim() !== '') {
    const file = await findServed(path, deps.readGuard);
    const outline = await outlineOf(file, wanted, bounds);
    return { list: listOutline(file.path, outline), uris: [file.uri], notes: [] };
  }
  if (wanted === '') throw new ToolProblem('Give query (a name), or path (a file for its outline)');
  const nearness = deps.context.nearness();
  // A search knows plain names only; what lies in a container is picked out of what it finds.
  const { name: last = wanted, containers = [] } = readSymbolName(wanted).at(-1) ?? {};
  const found = await findSymbols(last, nearness, bounds, deps.readGuard);
  const symbols = found.symbols.filter(({ container }) =>
    liesIn(containers, container ? [container] : []),
  );
  if (symbols.length === 0 && found.symbols.length > 0) {
    const names = found.symbols.map(({ name, container }) =>
      container ? `${container}.${name}` : name,
    );
    throw noMatch(wanted, 'the workspace', names);
  }
  const notes = [...found.notes, ...describeLeft(found)];
  return { list: listSymbols(symbols, last), uris: found.uris, notes };
}

/** The outline, or the part of it that fits a name. */
async function outlineOf(
  file: FoundFile,
  wanted: string,
  bounds: AskBounds,
): Promise<readonly OutlineNode[]> {
  const outline = await readOutline(file, bounds);
  const low = wanted.toLowerCase();
  const plain = outline.filter(({ name }) => name.toLowerCase().includes(low));
  if (plain.length > 0) return plain;
  const { name: last = wanted, containers: holders = [] } = readSymbolName(wanted).at(-1) ?? {};
  const inside = outline.filter(
    ({ name, containers }) => bareName(name) === last && liesIn(holders, containers),
  );
  if (inside.length > 0) return inside;
  throw noMatch(
    wanted,
    file.path,
    outline.map(({ name }) => name),
  );
}

async function nextPage(
  pages: CursorStore<ToldPage>,
  cursor: string,
  { freshness, readGuard }: LanguageDeps,
  ctx: ToolContext,
): Promise<string> {
  const place = takePage(pages, cursor, AGAIN);
  const { list, uris, edits } = place.snapshot;
  await refuseKeptSince(readGuard, uris, AGAIN);
  const notes = staleNote(edits, freshness.edits);
  const next = (offset: number): string => pages.issue(place.snapshot, offset);
  return tellNamed(formatSymbols(list, place.offset, next, notes), pathsOf(list), ctx);
}

function pathsOf({ items }: SymbolList): readonly string[] {
  return items.map(({ group }) => group);
}

function noMatch(query: string, path: string, names: readonly string[]): ToolProblem {
  return new ToolProblem(
    `No symbol '${query.slice(0, 60)}' in ${path}. Nearest: ${nearestNames(query, names.slice(0, 1_500)).join(', ')}`,
  );
}

function pagesOf(ctx: ToolContext): CursorStore<ToldPage> {
  return toolState(ctx, 'symbols', () => new CursorStore('s'));
}
