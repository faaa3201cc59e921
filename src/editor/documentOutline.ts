import * as vscode from 'vscode';
import { boundedCall, pause } from './boundedCall';
import type { OutlineEntry } from './formatSymbols';

/** How long one answer of a provider may take. */
export interface AskBounds {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A symbol of an outline with what it lies in, outermost first. */
export interface OutlineNode extends OutlineEntry {
  readonly containers: readonly string[];
  /** 0-based; all of the symbol, its body with it. */
  readonly range: vscode.Range;
}

/** Pauses between tries while a language server may still be starting; there is no ready signal. */
export const RETRY_MS: readonly number[] = [300, 700, 1_500];

/** Languages whose provider has answered: an empty answer is an answer then. */
const answered = new Set<string>();
/** Languages that stayed silent through all tries once: they are not waited for again. */
const silent = new Set<string>();

export interface Outline {
  readonly nodes: readonly OutlineNode[];
  /** Whether some document of this language has had an outline: none is then no sign of a start. */
  readonly isKnown: boolean;
}

/**
 * The symbols of a document in its order. An empty answer is asked for again, bounded, as long as
 * the language server may be starting.
 * @throws ToolProblem when the provider fails or does not answer, and on Stop
 */
export async function askOutline(
  document: vscode.TextDocument,
  bounds: AskBounds,
): Promise<Outline> {
  const { languageId } = document;
  let nodes = await askOnce(document, bounds);
  for (const ms of silent.has(languageId) ? RETRY_MS.slice(0, 1) : RETRY_MS) {
    if (nodes.length > 0 || answered.has(languageId) || bounds.signal.aborted) break;
    if (document.getText().trim() === '') break;
    await pause(ms, bounds.signal);
    nodes = await askOnce(document, bounds);
  }
  if (nodes.length > 0) answered.add(languageId);
  else if (document.getText().trim() !== '') silent.add(languageId);
  return { nodes, isKnown: answered.has(languageId) };
}

async function askOnce(
  document: vscode.TextDocument,
  bounds: AskBounds,
): Promise<readonly OutlineNode[]> {
  const answer = await boundedCall<unknown>(
    () => vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', document.uri),
    { ...bounds, who: `The outline of '${document.languageId}'` },
  );
  return flatten(answer, []);
}

/**
 * Providers give trees or flat lists; a flat entry names its container and has no children. The
 * order is the document's: TypeScript gives a class's methods before its properties.
 */
function flatten(answer: unknown, containers: readonly string[]): readonly OutlineNode[] {
  if (!Array.isArray(answer)) return [];
  const branches = answer.flatMap((entry: unknown): readonly (readonly OutlineNode[])[] => {
    if (isDocumentSymbol(entry)) {
      const { name, kind, selectionRange, range, children } = entry;
      const node = toNode({ name, kind, start: selectionRange.start, range, containers });
      return [[node, ...flatten(children, [...containers, name])]];
    }
    if (!isSymbolInformation(entry)) return [];
    const { name, kind, containerName, location } = entry;
    if (!(location.range instanceof vscode.Range)) return [];
    const { range } = location;
    const holder = containerName ? [containerName] : [];
    return [
      [{ ...toNode({ name, kind, start: range.start, range, containers: holder }), depth: 0 }],
    ];
  });
  return branches.sort(([a], [b]) => comparePlaces(a, b)).flat();
}

function comparePlaces(a?: OutlineEntry, b?: OutlineEntry): number {
  return (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}

function toNode(given: {
  readonly name: string;
  readonly kind: number;
  readonly start: vscode.Position;
  readonly range: vscode.Range;
  readonly containers: readonly string[];
}): OutlineNode {
  const { name, kind, start, range, containers } = given;
  const place = { line: start.line + 1, column: start.character + 1 };
  return { name, kind, depth: containers.length, ...place, containers, range };
}

/** A symbol of a search or of a flat outline; its place may be missing. */
export function isSymbolInformation(value: unknown): value is vscode.SymbolInformation {
  if (typeof value !== 'object' || value === null) return false;
  const { name, location } = value as Partial<vscode.SymbolInformation>;
  return typeof name === 'string' && location?.uri instanceof vscode.Uri;
}

function isDocumentSymbol(value: unknown): value is vscode.DocumentSymbol {
  if (typeof value !== 'object' || value === null) return false;
  const { name, selectionRange, range } = value as Partial<vscode.DocumentSymbol>;
  return (
    typeof name === 'string' &&
    selectionRange instanceof vscode.Range &&
    range instanceof vscode.Range
  );
}
