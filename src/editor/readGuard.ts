import type * as vscode from 'vscode';
import { LINK_OUT, OUTSIDE } from './keptBackReasons';
import { holderOf, isInWorkspace, pathWorld } from './servedFiles';
import { ToolProblem } from './toolProblem';

/** Knows which files are kept from the model. Absolute paths. */
export interface ReadGuard {
  /** By file, those of the given ones that a rule of the person forbids reading, with the rule. */
  denied(files: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** By file, those that are kept back without a rule: why, to be followed by the path. */
  withheld?(files: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The same of writing: what must not be read must not be written either. */
  deniedWrites?(files: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The same for one call of a tool, which may ask more than once: what it judges by is read once. */
  forOneCall?(): ReadGuard;
}

/** What a tool knows, for one call of it. */
export function forOneCall<T extends { readonly readGuard?: ReadGuard }>(deps: T): T {
  const readGuard = deps.readGuard?.forOneCall?.();
  return readGuard ? { ...deps, readGuard } : deps;
}

/** A file and its path as the model sees it. */
interface NamedFile {
  readonly uri: vscode.Uri;
  readonly path: string;
}

/** Says for a document why nothing of it is given: words to be followed by its path. */
export type DeniedBy = (uri: vscode.Uri) => string | undefined;

/** Of a file that the rules were not asked about: it is not given before they are. */
const UNSEEN = 'the rules were not looked at yet:';

/**
 * Looks at many documents at once. What lies outside the workspace is never given unasked, nor is a
 * document that is not among these.
 */
export async function lookAtRules(
  guard: ReadGuard | undefined,
  uris: Iterable<vscode.Uri>,
): Promise<DeniedBy> {
  const seen = new Set([...uris].flatMap((uri) => fileOf(uri)?.fsPath ?? []));
  const files = [...seen];
  const asked = files.length === 0 ? undefined : guard;
  const [denied, withheld] = await Promise.all([asked?.denied(files), asked?.withheld?.(files)]);
  // One for all: what is found out of it is kept with it.
  const world = pathWorld();
  return (uri) => {
    const file = fileOf(uri);
    if (file === undefined) return undefined;
    const rule = denied?.get(file.fsPath);
    if (rule !== undefined) return `the person's rule ${rule} forbids reading`;
    const reason = withheld?.get(file.fsPath);
    if (reason !== undefined) return reason;
    if (guard !== undefined && !seen.has(file.fsPath)) return UNSEEN;
    return !isOfDisk(uri) || isInWorkspace(file, world) ? undefined : OUTSIDE;
  };
}

/** The same, with those looked at as well that came meanwhile. */
export async function lookAgain(
  denied: DeniedBy,
  guard: ReadGuard | undefined,
  uris: Iterable<vscode.Uri>,
): Promise<DeniedBy> {
  const late = [...uris].filter((uri) => denied(uri) === UNSEEN);
  if (late.length === 0) return denied;
  const more = await lookAtRules(guard, late);
  return (uri) => {
    const reason = denied(uri);
    return reason === UNSEEN ? more(uri) : reason;
  };
}

/** @throws ToolProblem for a file that is kept from the model, with the reason */
export async function refuseDenied(guard: ReadGuard | undefined, file: NamedFile): Promise<void> {
  refuseIfDenied(await lookAtRules(guard, [file.uri]), file);
}

/** As {@link refuseDenied}, where the rules have been looked at. */
export function refuseIfDenied(denied: DeniedBy, file: NamedFile): void {
  const reason = denied(file.uri);
  if (reason === undefined) return;
  throw new ToolProblem(`Not given out: ${reason} ${file.path}. Ask the person if it is needed`);
}

/** Why the first of the documents must not be written, and how many of them must not. */
export async function writeDenied(
  guard: ReadGuard | undefined,
  uris: readonly vscode.Uri[],
): Promise<
  { readonly reason: string; readonly uri: vscode.Uri; readonly count: number } | undefined
> {
  const files = [...new Set(uris.flatMap((uri) => fileOf(uri)?.fsPath ?? []))];
  const [rules, withheld] = await Promise.all([
    guard?.deniedWrites?.(files) ?? guard?.denied(files),
    guard?.withheld?.(files),
  ]);
  // Whether a link may be written through is for the permission policy: it asks.
  const kept = [...(withheld ?? [])].filter(([, reason]) => reason !== LINK_OUT);
  const ruled = [...(rules ?? [])].map(
    ([file, rule]) => [file, `the person's rule ${rule} forbids writing`] as const,
  );
  const denied = new Map([...kept, ...ruled]);
  const reasonOf = (each: vscode.Uri): string | undefined => denied.get(fileOf(each)?.fsPath ?? '');
  const uri = uris.find((each) => reasonOf(each) !== undefined);
  const reason = uri && reasonOf(uri);
  return uri === undefined || reason === undefined
    ? undefined
    : { reason, uri, count: denied.size };
}

/** @throws ToolProblem where a rule forbids writing one of the files that the model has named */
export async function refuseDeniedWrites(
  guard: ReadGuard | undefined,
  files: readonly NamedFile[],
): Promise<void> {
  const uris = files.map(({ uri }) => uri);
  const found = await writeDenied(guard, uris);
  if (found === undefined) return;
  const { path } = files.find(({ uri }) => uri === found.uri) ?? { path: '' };
  throw new ToolProblem(
    `Nothing was changed: ${found.reason} ${path}. Ask the person if it is needed`,
  );
}

/**
 * Looks at the files of a list of which a further page is wanted.
 * @param tool how the model gets a list without them
 * @throws ToolProblem where one is kept back by now
 */
export async function refuseKeptSince(
  guard: ReadGuard | undefined,
  uris: readonly vscode.Uri[],
  tool: string,
): Promise<void> {
  const denied = await lookAtRules(guard, uris);
  if (uris.every((uri) => denied(uri) === undefined)) return;
  throw new ToolProblem(`Kept back since the first page: some of its files. Call ${tool}`);
}

/** One line for what a list leaves out; none where nothing is. */
export function leftByRules(count: number): readonly string[] {
  return count === 0 ? [] : [`(${count} left out: kept back by a rule or setting, or outside)`];
}

/**
 * The file of a document: of a notebook's cell the notebook. An older state in git, a view of another
 * extension and a document that is yet to be saved have the path of the file whose text they hold.
 */
export function fileOf(uri: vscode.Uri): vscode.Uri | undefined {
  const holder = holderOf(uri);
  if (holder.scheme === 'file') return holder;
  if (!holder.path.startsWith('/')) return undefined;
  const path = holder.path.replace(/^\/+/u, '/');
  return holder.with({ scheme: 'file', authority: '', path, query: '', fragment: '' });
}

/** Of other schemes the path says nothing about where in the workspace a document lies. */
function isOfDisk(uri: vscode.Uri): boolean {
  return uri.scheme === 'git' || holderOf(uri).scheme === 'file';
}
