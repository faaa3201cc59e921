import * as l10n from '@vscode/l10n';
import { commands, Range, type SymbolInformation, SymbolKind, type Uri } from 'vscode';
import { fuzzyScore } from '../chat/fuzzyMatch';
import { mentionText } from '../chat/mentions';
import type { SuggestPart } from '../conversation/conversationPorts';
import { isSymbolInformation } from '../editor/documentOutline';
import type { ReadGuard } from '../editor/readGuard';
import { excludedFiles, isInWorkspace } from '../editor/servedFiles';
import { mentionPath } from './mentionPath';
import { rulesInTime } from './rulesInTime';

type Row = SuggestPart['rows'][number];

/** With fewer letters every language server would be asked for nearly all it knows. */
const FEWEST_LETTERS = 2;
/** Who types on is not asked for: nobody can take a question back from a language server. */
const TYPING_MS = 120;
/** A server that starts may take minutes; the list does not wait for it. */
const WITHIN_MS = 2_000;
const LOOKED_AT = 100;
const SHOWN = 15;

const ICONS: Readonly<Partial<Record<SymbolKind, string>>> = {
  [SymbolKind.Class]: 'symbol-class',
  [SymbolKind.Interface]: 'symbol-interface',
  [SymbolKind.Function]: 'symbol-method',
  [SymbolKind.Method]: 'symbol-method',
  [SymbolKind.Constructor]: 'symbol-method',
  [SymbolKind.Enum]: 'symbol-enum',
  [SymbolKind.Constant]: 'symbol-constant',
  [SymbolKind.Variable]: 'symbol-variable',
  [SymbolKind.Property]: 'symbol-property',
  [SymbolKind.Field]: 'symbol-field',
  [SymbolKind.Module]: 'symbol-namespace',
  [SymbolKind.Namespace]: 'symbol-namespace',
};

/** Symbols of the workspace: each is mentioned by the lines at which it stands. */
export async function symbolRows(
  text: string,
  folder: string | undefined,
  guard: ReadGuard | undefined,
  signal: AbortSignal,
): Promise<SuggestPart> {
  if (text.length < FEWEST_LETTERS || /[/\\:.]/u.test(text)) return { rows: [] };
  await later(TYPING_MS);
  signal.throwIfAborted();
  const answer = await Promise.race([ask(text), later(WITHIN_MS)]);
  signal.throwIfAborted();
  const found = (answer ?? []).flatMap((symbol) => scored(symbol, text)).slice(0, LOOKED_AT);
  const isDenied = await rulesInTime(
    guard,
    found.map(({ symbol }) => symbol.location.uri),
  );
  return {
    rows: found
      .filter(({ symbol }) => isDenied(symbol.location.uri) === undefined)
      .sort((a, b) => b.score - a.score)
      .slice(0, SHOWN)
      .map(({ symbol, score }) => row(symbol, score, folder)),
  };
}

interface Scored {
  readonly symbol: SymbolInformation;
  readonly score: number;
}

function scored(symbol: SymbolInformation, text: string): readonly Scored[] {
  const score = fuzzyScore(text, symbol.name);
  // Behind a file of that name.
  return score === undefined ? [] : [{ symbol, score: score - 40 }];
}

async function ask(text: string): Promise<readonly SymbolInformation[]> {
  const answer: unknown = await commands.executeCommand(
    'vscode.executeWorkspaceSymbolProvider',
    text,
  );
  const isExcluded = excludedFiles();
  const isServed = (uri: Uri): boolean =>
    uri.scheme === 'file' && isInWorkspace(uri) && !isExcluded(uri);
  return Array.isArray(answer)
    ? answer.filter(
        (one): one is SymbolInformation => isSymbolInformation(one) && isServed(one.location.uri),
      )
    : [];
}

function row(symbol: SymbolInformation, score: number, folder: string | undefined): Row {
  const { name, kind, location } = symbol;
  const path = mentionPath(location.uri.fsPath, folder);
  // A provider may name a file without a place in it.
  const range: unknown = location.range;
  const lines = range instanceof Range ? linesOf(range) : undefined;
  const where = lines === undefined ? path : `${path}:${lines}`;
  return {
    id: `symbol ${name} ${location.uri.toString()} ${lines ?? ''}`,
    icon: ICONS[kind] ?? 'symbol-misc',
    label: name,
    detail: where,
    origin: l10n.t('Symbol'),
    insert: `${mentionText(where)} `,
    score,
  };
}

/** From 1. */
function linesOf({ start, end }: Range): string {
  const from = start.line + 1;
  // The break behind the last line belongs to it.
  const to = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return from === to ? `${from}` : `${from}-${to}`;
}

function later(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}
