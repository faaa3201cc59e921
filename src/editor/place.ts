import type * as vscode from 'vscode';
import { awaitDisk } from './diskState';
import type { AskBounds } from './documentOutline';
import type { EditorContext } from './editorContext';
import { findServed, type FoundFile } from './findFile';
import { type ChoicePlace, formatChoice } from './formatChoice';
import { openDocument } from './openDocument';
import { findOpen } from './openFile';
import { findByLine, findByName, type NameQuestion } from './placeInDocument';
import { findDeclared } from './placeInWorkspace';
import type { ReadGuard } from './readGuard';
import { readSymbolName } from './symbolName';
import { ToolProblem } from './toolProblem';

/**
 * A place as a model gives it; line and column are 1-based. `path` may be left out for a name that
 * is declared once in the workspace, and may carry the place as `path:line:column`.
 */
export interface PlaceInput {
  readonly path?: string;
  readonly symbol?: string;
  readonly line?: number;
  readonly column?: number;
}

export interface Place {
  readonly kind: 'place';
  readonly file: FoundFile;
  readonly document: vscode.TextDocument;
  /** Inside the document. */
  readonly position: vscode.Position;
  /** The name that stands there; undefined for a place that is no name. */
  readonly name: string | undefined;
  /** What the model should know of how the place was found; lines of their own. */
  readonly notes: readonly string[];
}

/** Several places may be meant. Not an error: `text` is the answer. */
export interface Choice {
  readonly kind: 'choice';
  readonly text: string;
  /** Paths that the text names, to be told with `tellNamed`. */
  readonly paths: readonly string[];
}

export interface PlaceDeps {
  readonly context?: EditorContext;
  readonly readGuard?: ReadGuard;
  /** How long one answer of a language server may take; 10 s by default. */
  readonly answerMs?: number;
}

export interface PlaceOptions {
  readonly signal: AbortSignal;
  /** `line`: a line without a name is enough, such as for a breakpoint. `name` by default. */
  readonly need?: 'name' | 'line';
}

/**
 * Finds the document and the position that a model means: by a name and a file in which it occurs,
 * by a name alone, or by a line. Documents are opened in the background; no tab appears.
 * @throws ToolProblem for unknown paths and names (with the nearest ones), lines past the end, files
 * that are not served or that a rule forbids reading, and on Stop
 */
export async function findPlace(
  input: PlaceInput,
  deps: PlaceDeps,
  { signal, need = 'name' }: PlaceOptions,
): Promise<Place | Choice> {
  const bounds = { timeoutMs: deps.answerMs ?? 10_000, signal };
  const symbol = given(input.symbol);
  // A name may end with a blank.
  const path = given(input.path) && input.path;
  if (path === undefined) {
    if (symbol === undefined) throw new ToolProblem('Give symbol (a name), or path and line');
    return findAnywhere(symbol, input, deps, bounds);
  }
  return findInFile({ ...input, path, symbol }, deps, bounds, need);
}

/** The file of a question, and the line and column that came with its path. */
async function readPath(
  input: PlaceInput & { readonly path: string },
  guard: ReadGuard | undefined,
  signal: AbortSignal,
): Promise<{
  readonly file: FoundFile;
  readonly line?: number;
  readonly column?: number;
  /** Its document where that was open, compared with the disk. */
  readonly compared: vscode.TextDocument | undefined;
}> {
  let compared: vscode.TextDocument | undefined;
  const file = await findServed(input.path, guard, async (uri) => {
    compared = findOpen(uri);
    if (compared) await awaitDisk(compared, signal);
  });
  const [suffix, line, column] = /:(\d+)(?::(\d+))?$/u.exec(input.path.trim()) ?? [];
  // A file may have such a name itself.
  const isPlace = suffix !== undefined && !file.uri.path.endsWith(suffix);
  return {
    file,
    compared,
    line: input.line ?? (isPlace ? numberOf(line) : undefined),
    column: input.column ?? (isPlace ? numberOf(column) : undefined),
  };
}

async function findInFile(
  input: PlaceInput & { readonly path: string; readonly symbol: string | undefined },
  deps: PlaceDeps,
  bounds: AskBounds,
  need: 'name' | 'line',
): Promise<Place | Choice> {
  const { file, line, column, compared } = await readPath(input, deps.readGuard, bounds.signal);
  const document = await openDocument(file);
  if (document !== compared) await awaitDisk(document, bounds.signal);
  if (bounds.signal.aborted) throw new ToolProblem('Stopped');
  if (line !== undefined && (line > document.lineCount || line < 1)) {
    throw new ToolProblem(
      `${file.path} has ${document.lineCount} lines; line=${line} is past the end`,
    );
  }
  const { symbol } = input;
  if (symbol === undefined) {
    if (line === undefined) throw new ToolProblem(`Give symbol (a name in ${file.path}) or line`);
    const found = await findByLine({ document, line, column, need }, bounds);
    return settle(file, document, found, `line ${line}`);
  }
  const question: NameQuestion = { document, path: file.path, symbol, line, column };
  return settle(file, document, await findByName(question, bounds), symbol);
}

/** Places in one document, as they were found: one is the answer, several are a choice. */
function settle(
  file: FoundFile,
  document: vscode.TextDocument,
  { spots, notes }: Awaited<ReturnType<typeof findByName>>,
  wanted: string,
): Place | Choice {
  const [first] = spots;
  if (first !== undefined && spots.length === 1) {
    const { position, name } = first;
    return { kind: 'place', file, document, position, name, notes };
  }
  const places = spots.map(({ position, text }): ChoicePlace => ({
    path: file.path,
    line: position.line + 1,
    column: position.character + 1,
    text: text ?? document.lineAt(position.line).text,
  }));
  return { kind: 'choice', text: formatChoice(wanted, places, notes), paths: [file.path] };
}

async function findAnywhere(
  symbol: string,
  { line }: PlaceInput,
  deps: PlaceDeps,
  bounds: AskBounds,
): Promise<Place | Choice> {
  const nearness = deps.context?.nearness() ?? (() => 0);
  const { places, notes } = await findDeclared(readSymbolName(symbol), nearness, bounds, deps);
  const wanted = line === undefined ? places : places.filter((place) => place.line === line);
  const declared = wanted.length > 0 ? wanted : places;
  const [first] = declared;
  if (first === undefined || declared.length > 1) {
    const text = formatChoice(symbol, declared, notes);
    return { kind: 'choice', text, paths: declared.map(({ path }) => path) };
  }
  const only = { path: first.path, symbol, line: first.line };
  const found = await findInFile(only, deps, bounds, 'name');
  // The search may give the start of the declaration, whose line need not have the name.
  return found.kind === 'place' ? { ...found, notes } : found;
}

function given(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? undefined : trimmed;
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
