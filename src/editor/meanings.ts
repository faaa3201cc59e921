import * as vscode from 'vscode';
import { boundedCall } from './boundedCall';
import { type AskBounds, askOutline } from './documentOutline';
import { linkedPlace } from './placesByFile';
import { isInWorkspace, nameInWorkspace } from './servedFiles';
import { liesIn } from './symbolName';
import { ToolProblem } from './toolProblem';

/** Places in one document that are one symbol, as far as the language server tells. */
export interface Meaning {
  readonly places: readonly vscode.Position[];
  /** Where it is defined; undefined where that is not known. */
  readonly target?: vscode.Location;
}

/** More places of one name are not asked about: each is a question to the server. */
const ASKED = 12;

/**
 * Sorts places of one name by what they mean, in the order given. Those without a definition
 * (comments, texts) count only where no other has one.
 */
export async function sortMeanings(
  document: vscode.TextDocument,
  places: readonly vscode.Position[],
  bounds: AskBounds,
): Promise<readonly Meaning[]> {
  const asked = places.slice(0, ASKED);
  const targets = await Promise.all(asked.map((place) => definedAt(document.uri, place, bounds)));
  const meanings = new Map<string, { places: vscode.Position[]; target: vscode.Location }>();
  asked.forEach((place, index) => {
    const target = targets[index];
    if (target === undefined) return;
    const key = `${target.uri.toString()} ${target.range.start.line}:${target.range.start.character}`;
    const known = meanings.get(key);
    if (known) known.places.push(place);
    else meanings.set(key, { places: [place], target });
  });
  const all = [...meanings.values()];
  // The path of an import leads to a file as a whole, which often has the name of what it exports.
  const names = all.filter(({ target: { range } }) => range.start.line + range.start.character > 0);
  if (all.length > 0) return names.length > 0 ? names : all;
  return places.map((place) => ({ places: [place] }));
}

/** Whether what is meant lies in the wanted containers, by the outline of where it is defined. */
export async function isMeantIn(
  { target }: Meaning,
  containers: readonly string[],
  bounds: AskBounds,
): Promise<boolean> {
  if (target === undefined || !isInWorkspace(target.uri)) return false;
  try {
    const document = await vscode.workspace.openTextDocument(target.uri);
    const { nodes } = await askOutline(document, bounds);
    const around = nodes.filter(({ range }) => range.contains(target.range.start));
    return liesIn(
      containers,
      around.map(({ name }) => name),
    );
  } catch {
    // Not readable as text, or no outline: then nobody knows.
    return false;
  }
}

/**
 * Where a place is defined. Undefined where there is no provider, where it fails, and where it
 * answers rubbish.
 * @throws ToolProblem on Stop
 */
export async function definedAt(
  uri: vscode.Uri,
  place: vscode.Position,
  bounds: AskBounds,
): Promise<vscode.Location | undefined> {
  try {
    const answer = await boundedCall<unknown>(
      () => vscode.commands.executeCommand('vscode.executeDefinitionProvider', uri, place),
      { ...bounds, who: 'The language server' },
    );
    const found = Array.isArray(answer) ? linkedPlace(answer[0]) : undefined;
    return found && new vscode.Location((await nameInWorkspace())(found.uri), found.range);
  } catch (error) {
    if (error instanceof ToolProblem && !bounds.signal.aborted) return undefined;
    throw error;
  }
}
