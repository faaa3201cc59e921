import * as vscode from 'vscode';
import { askActions, askFormat, type OfferedAction } from './askActions';
import { chooseAction } from './chooseAction';
import type { AskBounds } from './documentOutline';
import { findServed } from './findFile';
import { formatCandidates, type ListedAction } from './formatActions';
import { tryParts, withoutKeptBack } from './keptBackActions';
import { openDocument } from './openDocument';
import { shownDocuments } from './openTabs';
import { findPlace } from './place';
import { ToolProblem } from './toolProblem';
import { writtenUris } from './workspaceEditParts';
import type { LanguageDeps } from './toolDeps';

export interface ActionsInput {
  readonly path: string;
  readonly symbol?: string;
  readonly line?: number;
  readonly apply?: string;
}

/** The list of one place, as one conversation was last told it. */
export interface ToldList {
  readonly titles: readonly string[];
  /** The document's. */
  readonly version: number;
}
/** By place. */
export type ToldLists = Map<string, ToldList>;

/** What is offered at a place. */
export interface FoundActions {
  readonly document: vscode.TextDocument;
  readonly path: string;
  /** The place in words. */
  readonly where: string;
  /** Equal for one place of one file. */
  readonly key: string;
  readonly actions: readonly OfferedAction[];
  /** How many are left out. */
  readonly hidden: number;
}

/** What a call would apply. */
export interface Offer extends Pick<FoundActions, 'document' | 'path'> {
  readonly action: OfferedAction;
  /** Titles of others of the same kind, of other servers, which would change something as well. */
  readonly others?: readonly string[];
}

/** The place is not clear: the answer for the model. */
export interface Unclear {
  readonly text: string;
  readonly paths: readonly string[];
}

/** What is asked for by name, of a file as a whole. */
const WHOLE_FILE: ReadonlyMap<string, string> = new Map([
  ['organizeimports', 'source.organizeImports'],
  ['fixall', 'source.fixAll'],
]);

/** @throws ToolProblem for an unknown place, and where nobody answers */
export async function findActions(
  given: ActionsInput,
  deps: LanguageDeps,
  signal: AbortSignal,
): Promise<FoundActions | Unclear> {
  const spot = await findSpot(given, deps, signal);
  if ('text' in spot) return spot;
  const { document, range, path } = spot;
  const offered = await askActions(document, range, undefined, boundsOf(deps, signal));
  const actions = await withoutKeptBack(offered, document, deps.readGuard);
  const lines = `${range.start.line + 1}-${range.end.line + 1}`;
  const where = given.line === undefined && given.symbol === undefined ? path : `${path}:${lines}`;
  const closed = shownDocuments().has(document.uri.toString())
    ? ''
    : ' (not open in a tab: fixes of problems may be missing; show opens it)';
  const key = `${path}\0${given.symbol ?? ''}\0${given.line ?? ''}`;
  const hidden = offered.length - actions.length;
  return { document, path, key, where: `${where}${closed}`, actions, hidden };
}

/** Numbers mean this list from now on. */
export function tellList({ document, key, actions }: FoundActions, told: ToldLists): void {
  const titles = actions.map(({ title }) => title);
  told.set(key, { titles, version: document.version });
}

/**
 * The one that is to be applied.
 * @param told what the model was told; undefined takes a number as one of the present offer
 */
export async function findOffer(
  given: ActionsInput,
  deps: LanguageDeps,
  told: ToldLists | undefined,
  signal: AbortSignal,
): Promise<Offer | Unclear> {
  const wanted = given.apply ?? '';
  const kind = WHOLE_FILE.get(wanted.toLowerCase());
  if (kind !== undefined || wanted.toLowerCase() === 'format') {
    return ofWholeFile(given.path, kind, deps, signal);
  }
  const found = await findActions(given, deps, signal);
  if ('text' in found) return found;
  const { document, path, actions, key } = found;
  const list = told?.get(key);
  const titles = told === undefined ? actions.map(({ title }) => title) : list?.titles;
  const isSameText = list === undefined || list.version === document.version;
  const chosen = chooseAction(wanted, actions, titles, isSameText);
  if (chosen.ok) return { document, path, action: chosen.action };
  const { why, candidates } = chosen;
  if (candidates === undefined) {
    throw new ToolProblem(`Nothing was changed: ${why}. Call actions without apply for the list`);
  }
  if (told) tellList(found, told);
  return { text: formatCandidates(why, listedActions(found), candidates), paths: [path] };
}

export function listedActions({ actions, document }: FoundActions): readonly ListedAction[] {
  const key = document.uri.toString();
  return actions.map((action) => {
    const parts = tryParts(action);
    const own = parts?.texts.find(([uri]) => uri.toString() === key)?.[1][0];
    const line = own && own.range.start.line + 1;
    return { ...action, line, ...(parts ? { places: writtenUris(parts).length } : {}) };
  });
}

async function ofWholeFile(
  path: string,
  kind: string | undefined,
  deps: LanguageDeps,
  signal: AbortSignal,
): Promise<Offer> {
  const file = await findServed(path, deps.readGuard);
  const document = await openDocument(file);
  const bounds = boundsOf(deps, signal);
  if (kind === undefined) {
    return { document, path: file.path, action: await askFormat(document, bounds) };
  }
  const offered = await askActions(document, wholeRange(document), kind, bounds);
  const changing = offered.filter(({ edit, command }) => (edit ? edit.size > 0 : command));
  const action = changing.find(({ edit }) => edit !== undefined) ?? changing[0] ?? offered[0];
  if (action) {
    const others = changing.filter((one) => one !== action).map(({ title }) => title);
    return { document, path: file.path, action, others };
  }
  throw new ToolProblem(
    `Nothing was changed: nothing offers ${kind} for ${file.path} ('${document.languageId}')`,
  );
}

async function findSpot(
  given: ActionsInput,
  deps: LanguageDeps,
  signal: AbortSignal,
): Promise<{ document: vscode.TextDocument; range: vscode.Range; path: string } | Unclear> {
  if (given.symbol === undefined && given.line === undefined) {
    const file = await findServed(given.path, deps.readGuard);
    const document = await openDocument(file);
    return { document, range: wholeRange(document), path: file.path };
  }
  const need = given.symbol === undefined ? 'line' : 'name';
  const place = await findPlace(given, deps, { signal, need });
  if (place.kind === 'choice') return place;
  const { document, position, file } = place;
  const line = document.lineAt(position.line).range;
  const word = document.getWordRangeAtPosition(position);
  return { document, range: need === 'line' ? line : (word ?? line), path: file.path };
}

function wholeRange(document: vscode.TextDocument): vscode.Range {
  return new vscode.Range(
    new vscode.Position(0, 0),
    document.lineAt(document.lineCount - 1).range.end,
  );
}

function boundsOf({ answerMs = 10_000 }: LanguageDeps, signal: AbortSignal): AskBounds {
  return { timeoutMs: answerMs, signal };
}
