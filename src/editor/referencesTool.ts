import * as l10n from '@vscode/l10n';
import { describe, int, minimum, object, optional, string } from 'zod/mini';
import type * as vscode from 'vscode';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import type { ToolContext } from '../mcp/toolContext';
import { askLocations } from './askLocations';
import { LineReader } from './codeLines';
import { CursorStore, staleNote, takePage } from './cursor';
import type { AskBounds } from './documentOutline';
import {
  FIRST_READ,
  formatReferences,
  inReferenceOrder,
  listReferences,
  placeAt,
  type ReferenceFile,
  type ReferenceList,
} from './formatReferences';
import { tellNamed } from './namedFiles';
import { findPlace, type Place } from './place';
import { isSameUri, type PlacesOfFile } from './placesByFile';
import { forOneCall, refuseKeptSince } from './readGuard';
import { isInWorkspace, pathWorld } from './servedFiles';
import { describeLeft, type FilePlaces, servePlaces } from './servedPlaces';
import { answer, ToolProblem } from './toolProblem';
import { whySilent } from './whySilent';
import type { LanguageDeps } from './toolDeps';
import { toolState } from './toolState';

/** A list of places that a conversation was told a first part of. */
export interface ToldPage {
  readonly list: ReferenceList;
  readonly uris: ReadonlyMap<string, vscode.Uri>;
  /** `freshness.edits` when the list was made. */
  readonly edits: number;
}

const input = object({
  symbol: optional(string().check(describe('name or Class.member'))),
  path: optional(string().check(describe('any file where it occurs'))),
  line: optional(int().check(minimum(1))),
  cursor: optional(string()),
});

const AGAIN = 'references again without cursor';

export function createReferencesTool(deps: LanguageDeps): ToolDefinition {
  return defineTool({
    name: 'references',
    title: l10n.t('References'),
    description:
      'Every use of a symbol in the workspace, with its line of code. Exact where text search guesses: no namesakes.',
    input,
    annotations: { readOnlyHint: true },
    alwaysLoad: true,
    run: (given, ctx) =>
      answer(async () => {
        const pages = pagesOf(ctx);
        if (given.cursor !== undefined) return nextPage(pages, given.cursor, deps, ctx);
        const here = forOneCall(deps);
        const found = await findPlace(given, here, ctx);
        if (found.kind === 'choice') return tellNamed(found.text, found.paths, ctx);
        return firstPage(pages, found, here, ctx);
      }),
  });
}

async function firstPage(
  pages: CursorStore<ToldPage>,
  place: Place,
  deps: LanguageDeps,
  ctx: ToolContext,
): Promise<string> {
  const { document, position, name } = place;
  const { edits } = deps.freshness;
  const bounds = { timeoutMs: deps.answerMs ?? 10_000, signal: ctx.signal };
  const [found, declared] = await Promise.all([
    askLocations('vscode.executeReferenceProvider', document, position, bounds),
    declarations(document, position, bounds),
  ]);
  if (found.length === 0) throw noReferences(place);
  const nearness = deps.context.nearness();
  const lines = new LineReader();
  // The disk is asked for the lines while it is asked for what the rules say of the files.
  for (const uri of likelyFirst(found, declared, nearness)) lines.begin(uri);
  const { files, left } = await servePlaces(found, deps.readGuard);
  const list = listReferences(
    files.map((file) => referenceFile(file, declared, nearness)),
    'reference',
    name ?? '',
  );
  const page = { list, uris: new Map(files.map(({ path, uri }) => [path, uri])), edits };
  const notes = [...place.notes, ...describeLeft(left)];
  return showPage(pages, page, { from: 0, notes, lines }, ctx);
}

async function nextPage(
  pages: CursorStore<ToldPage>,
  cursor: string,
  { freshness, readGuard }: LanguageDeps,
  ctx: ToolContext,
): Promise<string> {
  const place = takePage(pages, cursor, AGAIN);
  // The lines are read for each page, and rules may have come since the first.
  await refuseKeptSince(readGuard, [...place.snapshot.uris.values()], AGAIN);
  const notes = staleNote(place.snapshot.edits, freshness.edits);
  const lines = new LineReader();
  return showPage(pages, place.snapshot, { from: place.offset, notes, lines }, ctx);
}

interface PagePart {
  readonly from: number;
  readonly notes: readonly string[];
  readonly lines: LineReader;
}

async function showPage(
  pages: CursorStore<ToldPage>,
  page: ToldPage,
  { from, notes, lines }: PagePart,
  ctx: ToolContext,
): Promise<string> {
  const readLine = lines.byPath((path) => page.uris.get(path));
  const cursor = (offset: number): string => pages.issue(page, offset);
  const { text, paths } = await formatReferences(page.list, from, readLine, { cursor, notes });
  return tellNamed(text, paths, ctx);
}

/** Only for the mark: the references are worth giving without it. */
async function declarations(
  document: vscode.TextDocument,
  position: vscode.Position,
  bounds: AskBounds,
): Promise<readonly PlacesOfFile[]> {
  try {
    return await askLocations('vscode.executeDefinitionProvider', document, position, bounds);
  } catch (error) {
    if (error instanceof ToolProblem) return [];
    throw error;
  }
}

/** The files that a first page most likely names, none of them served as yet. */
function likelyFirst(
  found: readonly PlacesOfFile[],
  declared: readonly PlacesOfFile[],
  nearness: (uri: vscode.Uri) => number,
): readonly vscode.Uri[] {
  const world = pathWorld();
  const inside = found.filter(({ uri }) => isInWorkspace(uri, world));
  const files = inside.map(({ uri, starts }) => ({
    uri,
    ...referenceFile({ uri, path: uri.path, starts }, declared, nearness),
  }));
  let rest = FIRST_READ;
  return inReferenceOrder(files).flatMap(({ uri, size }) => {
    if (rest <= 0) return [];
    rest -= size;
    return [uri];
  });
}

/** The places of a file, with those marked that a declaration starts at. */
function referenceFile(
  { uri, path, starts }: FilePlaces,
  declared: readonly PlacesOfFile[],
  nearness: (uri: vscode.Uri) => number,
): ReferenceFile {
  const here = declared.find((one) => isSameUri(one.uri, uri))?.starts;
  return {
    path,
    nearness: nearness(uri),
    size: starts.size,
    hasDeclaration: here !== undefined && starts.hasAny(here),
    at: (index) => placeAt(starts, index, here),
  };
}

function noReferences({ file, document, position, name }: Place): ToolProblem {
  const at = `${file.path.slice(-80)}:${position.line + 1}:${position.character + 1}`;
  return new ToolProblem(
    `No references of '${(name ?? '').slice(0, 40)}' at ${at}: ${whySilent(document.languageId)}. Grep the name`,
  );
}

/** For lists of other tools as well: `references` takes their cursors. */
export function pagesOf(ctx: ToolContext): CursorStore<ToldPage> {
  return toolState(ctx, 'references', () => new CursorStore('r'));
}
