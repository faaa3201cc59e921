import * as vscode from 'vscode';
import { type NameRelated, type RawProblem, relatedPlaces } from './problem';
import type { DeniedBy } from './readGuard';
import { isInWorkspace, shownPath } from './servedFiles';

/** The documents that problems are also about. */
export function relatedUris(problems: readonly RawProblem[]): readonly vscode.Uri[] {
  return problems.flatMap((problem) =>
    relatedPlaces(problem).flatMap(({ uri }) => (uri instanceof vscode.Uri ? [uri] : [])),
  );
}

/** Names them as the model sees them; nothing of what is kept back or lies outside. */
export function relatedNames(holder: vscode.Uri, denied: DeniedBy): NameRelated {
  const own = holder.toString();
  return (uri) => {
    if (!(uri instanceof vscode.Uri)) return undefined;
    if (uri.toString() === own) return '';
    return isInWorkspace(uri) && denied(uri) === undefined ? shownPath(uri) : undefined;
  };
}
