import * as vscode from 'vscode';
import type { AskBounds } from './documentOutline';
import { definedAt } from './meanings';
import { openDocument } from './openDocument';
import type { Place } from './place';
import { isInWorkspace, shownPath } from './servedFiles';
import { ToolProblem } from './toolProblem';

/**
 * Where the name of a place is declared. To rename an import in one of its users gives it an alias
 * there and leaves all other files as they are. An alias of the file's own, and what is declared
 * outside the workspace, stays where it is.
 */
export async function declaredPlace(place: Place, bounds: AskBounds): Promise<Place> {
  const { document, position, name } = place;
  // Where nobody answers, the rename itself says what is wrong.
  const target = await definedAt(document.uri, position, bounds);
  if (target === undefined || name === undefined || !isInWorkspace(target.uri)) return place;
  if (target.uri.toString() === document.uri.toString()) return place;
  try {
    const file = { uri: target.uri, path: shownPath(target.uri), isFolder: false };
    const declared = await openDocument(file);
    const start = declared.validatePosition(target.range.start);
    const here = new vscode.Range(start, start.translate(0, name.length));
    if (declared.getText(here) !== name) return place;
    return { ...place, file, document: declared, position: start };
  } catch (error) {
    if (error instanceof ToolProblem) return place;
    throw error;
  }
}
