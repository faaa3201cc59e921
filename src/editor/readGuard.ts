import type * as vscode from 'vscode';
import type { FoundFile } from './findFile';
import { ToolProblem } from './toolProblem';

/** Knows which files the person's rules forbid reading. */
export interface ReadGuard {
  /** By file, those of the given ones that a rule forbids, with the rule. Absolute paths. */
  denied(files: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** Says for a document which rule forbids giving anything of it. */
export type DeniedBy = (uri: vscode.Uri) => string | undefined;

/** Looks at many documents at once; without rules nothing is looked at. */
export async function lookAtRules(
  guard: ReadGuard | undefined,
  uris: Iterable<vscode.Uri>,
): Promise<DeniedBy> {
  const files = [...new Set([...uris].filter(isOnDisk).map(({ fsPath }) => fsPath))];
  const denied = files.length === 0 ? undefined : await guard?.denied(files);
  return (uri) => (isOnDisk(uri) ? denied?.get(uri.fsPath) : undefined);
}

/** @throws ToolProblem for a file that a rule forbids reading */
export async function refuseDenied(guard: ReadGuard | undefined, file: FoundFile): Promise<void> {
  const rule = (await lookAtRules(guard, [file.uri]))(file.uri);
  if (rule === undefined) return;
  throw new ToolProblem(
    `Not given out: the person's rule ${rule} forbids reading ${file.path}. Ask the person if it is needed`,
  );
}

/** One line for what a list leaves out; none where nothing is. */
export function leftByRules(count: number): readonly string[] {
  return count === 0 ? [] : [`(${count} left out: a rule forbids reading)`];
}

/** A notebook's cell and a file of the disk have a path; what is untitled has none. */
function isOnDisk(uri: vscode.Uri): boolean {
  return uri.scheme === 'file' || uri.scheme === 'vscode-notebook-cell';
}
