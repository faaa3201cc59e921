import { extensions, Uri } from 'vscode';
import type { GitChanges } from '../conversation/conversationPorts';
import { lookAtRules, type ReadGuard } from '../editor/readGuard';
import { mentionPath } from './mentionPath';

/**
 * The part of the built-in git extension's API, version 1, that is used here. Source of the fact:
 * `extensions/git/src/api/git.d.ts` of VS Code.
 */
interface GitChange {
  readonly uri: Uri;
  readonly status: number;
}
interface GitRepository {
  readonly rootUri: Uri;
  readonly state: {
    readonly HEAD: { readonly name?: string } | undefined;
    readonly mergeChanges: readonly GitChange[];
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    /** Missing in older versions. */
    readonly untrackedChanges?: readonly GitChange[];
  };
  status(): Promise<void>;
  diffWithHEAD(path: string): Promise<string>;
}
export interface GitApi {
  getRepository(uri: Uri): GitRepository | null;
  openRepository(root: Uri): Promise<GitRepository | null>;
}
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/** `Status` of the API, as the model reads it; what is not here is changed. */
const STATES: Readonly<Record<number, string>> = {
  1: 'added',
  2: 'deleted',
  3: 'renamed',
  6: 'deleted',
  7: 'untracked',
};
const UNTRACKED = 7;
const IGNORED = 8;
/** Of so many files the difference is asked for; the others are named. */
const DIFFED = 60;
/** All differences together, in characters. */
const MAX_DIFF = 60_000;
/** Files that are named. */
const MAX_FILES = 500;

/** Undefined where there is no git extension, or it is switched off. Starts it where it sleeps. */
export async function gitApi(): Promise<GitApi | undefined> {
  const extension = extensions.getExtension<GitExtension>('vscode.git');
  if (extension === undefined) return undefined;
  const exports = extension.isActive ? extension.exports : await extension.activate();
  return exports.enabled ? exports.getAPI(1) : undefined;
}

/** How many files differ, as far as is known without starting anything; undefined for no repository. */
export function countChanges(folder: string): number | undefined {
  const extension = extensions.getExtension<GitExtension>('vscode.git');
  if (extension?.isActive !== true || !extension.exports.enabled) return undefined;
  const repository = extension.exports.getAPI(1).getRepository(Uri.file(folder));
  return repository ? changesOf(repository).size : undefined;
}

/** What differs from the last commit, without what is kept back from the model. */
export async function gitChanges(
  folder: string,
  guard: ReadGuard | undefined,
): Promise<GitChanges | undefined> {
  const repository = (await gitApi())?.getRepository(Uri.file(folder));
  if (!repository) return undefined;
  // What was written a moment ago may not be known yet.
  await repository.status();
  const changes = [...changesOf(repository).values()];
  const isDenied = await lookAtRules(
    guard,
    changes.map(({ uri }) => uri),
  );
  const given = changes.filter(({ uri }) => isDenied(uri) === undefined);
  const files: GitChanges['files'][number][] = [];
  let room = MAX_DIFF;
  for (const [index, { uri, status }] of given.slice(0, MAX_FILES).entries()) {
    const isWanted = index < DIFFED && room > 0 && status !== UNTRACKED;
    const diff = isWanted ? await diffOf(repository, uri, room) : undefined;
    room -= diff?.length ?? 0;
    files.push({
      file: uri.fsPath,
      path: mentionPath(uri.fsPath, folder),
      state: STATES[status] ?? 'changed',
      ...(diff === undefined ? {} : { diff }),
    });
  }
  return {
    branch: repository.state.HEAD?.name,
    left: changes.length - given.length,
    more: given.length - files.length,
    files,
  };
}

/** Each file once: what is staged may be changed again. */
function changesOf({ state }: GitRepository): ReadonlyMap<string, GitChange> {
  const all = [
    ...state.mergeChanges,
    ...state.indexChanges,
    ...state.workingTreeChanges,
    ...(state.untrackedChanges ?? []),
  ];
  return new Map(
    all
      .filter(({ status, uri }) => status !== IGNORED && uri.scheme === 'file')
      .map((change) => [change.uri.toString(), change]),
  );
}

/** Undefined where git cannot tell, as before the first commit, and where there is no room. */
async function diffOf(
  repository: GitRepository,
  uri: Uri,
  room: number,
): Promise<string | undefined> {
  const diff = await repository.diffWithHEAD(uri.fsPath).catch(() => '');
  return diff === '' || diff.length > room ? undefined : diff.trimEnd();
}
