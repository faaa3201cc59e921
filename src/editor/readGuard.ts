import type * as vscode from 'vscode';
import type { FoundFile } from './findFile';
import { ToolProblem } from './toolProblem';

/** Knows which files the person's rules forbid reading. */
export interface ReadGuard {
  /** By file, those of the given ones that a rule forbids, with the rule. Absolute paths. */
  denied(files: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The same of writing: what must not be read must not be written either. */
  deniedWrites?(files: readonly string[]): Promise<ReadonlyMap<string, string>>;
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

/** The first rule that forbids writing one of the documents, and how many it and others forbid. */
export async function writeDenied(
  guard: ReadGuard | undefined,
  uris: readonly vscode.Uri[],
): Promise<
  { readonly rule: string; readonly uri: vscode.Uri; readonly count: number } | undefined
> {
  const files = [...new Set(uris.filter(isOnDisk).map(({ fsPath }) => fsPath))];
  const denied = await (guard?.deniedWrites?.(files) ?? guard?.denied(files));
  const uri = uris.find(({ fsPath }) => denied?.has(fsPath) === true);
  const rule = uri && denied?.get(uri.fsPath);
  return denied === undefined || uri === undefined || rule === undefined
    ? undefined
    : { rule, uri, count: denied.size };
}

/** @throws ToolProblem where a rule forbids writing one of the files that the model has named */
export async function refuseDeniedWrites(
  guard: ReadGuard | undefined,
  files: readonly Pick<FoundFile, 'uri' | 'path'>[],
): Promise<void> {
  const uris = files.map(({ uri }) => uri);
  const found = await writeDenied(guard, uris);
  if (found === undefined) return;
  const { path } = files.find(({ uri }) => uri === found.uri) ?? { path: '' };
  throw new ToolProblem(
    `Nothing was changed: the person's rule ${found.rule} forbids writing ${path}. Ask the person if it is needed`,
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
