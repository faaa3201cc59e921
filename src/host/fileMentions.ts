import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Uri, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import { pathScore } from '../chat/fuzzyMatch';
import { mentionText } from '../chat/mentions';
import { rankBest } from '../chat/rankBest';
import type { SuggestPart } from '../conversation/conversationPorts';
import type { EditorContext } from '../editor/editorContext';
import { shownDocuments } from '../editor/openTabs';
import type { ReadGuard } from '../editor/readGuard';
import { isInWorkspace } from '../editor/servedFiles';
import { GitIgnored } from './gitIgnored';
import { mentionPath } from './mentionPath';
import { rulesInTime } from './rulesInTime';
import { WorkspaceFiles } from './workspaceFiles';

type Row = SuggestPart['rows'][number];

/** What git and the rules are asked about at once, and what one list has. */
const CANDIDATES = 120;
const SHOWN = 40;
/** So often the next candidates are looked at where too many are left out: behind those nobody looks. */
const ROUNDS = 5;
/** With so many letters the search by name has what the walk has not. */
const NAME_LETTERS = 3;

/** A file or a folder. */
interface Place {
  readonly uri: Uri;
  /** As a message mentions it; a folder ends in a slash. */
  readonly path: string;
  readonly isOpen: boolean;
}

/** Files and folders of the workspace that the person does not hide and may be given to the model. */
export class FileMentions implements Disposable {
  readonly #editor: EditorContext;
  readonly #guard: ReadGuard | undefined;
  readonly #store = new DisposableStore();
  readonly #files: WorkspaceFiles;
  readonly #git: GitIgnored;

  constructor(
    editor: EditorContext,
    env: () => Readonly<Record<string, string>>,
    guard: ReadGuard | undefined,
  ) {
    this.#editor = editor;
    this.#guard = guard;
    this.#git = this.#store.add(
      new GitIgnored({
        mayRun: () => workspace.isTrusted && usesIgnoreFiles(),
        env,
        now: Date.now,
      }),
    );
    this.#files = this.#store.add(new WorkspaceFiles(this.#git));
    this.#store.add(
      workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.path.endsWith('/.gitignore')) this.#git.forget();
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  async rows(text: string, folder: string | undefined, signal: AbortSignal): Promise<SuggestPart> {
    const { files, isPart } = await this.#files.matching(text);
    signal.throwIfAborted();
    const near = this.#editor.nearness();
    const places = placesOf(files, folder, text !== '');
    const bare = text.replace(/\/$/u, '');
    const ranked = await rankBest(
      places,
      ({ uri, path: shown }) => {
        const isFolder = shown.endsWith('/');
        // By its bare name: who has typed all of it means the folder rather than what it holds.
        const score = isFolder ? pathScore(bare, shown.slice(0, -1)) : pathScore(text, shown);
        if (score === undefined) return undefined;
        // Of a file and its folder that fit alike the file is meant.
        return isFolder ? score - 5 : score + nearScore(near(uri));
      },
      { most: CANDIDATES * ROUNDS, pause: nextTurn, signal },
    );
    const rows: Row[] = [];
    for (let from = 0; from < ranked.length && rows.length < SHOWN; from += CANDIDATES) {
      const some = ranked.slice(from, from + CANDIDATES);
      const kept = await this.#kept(some.map(({ item }) => item));
      signal.throwIfAborted();
      rows.push(
        ...some.filter(({ item }) => kept(item)).map(({ item, score }) => rowOf(item, score)),
      );
    }
    return {
      rows: rows.slice(0, SHOWN),
      ...(isPart && text.length < NAME_LETTERS ? { note: partOnly() } : {}),
    };
  }

  /** What is open counts, whatever git leaves out. */
  async #kept(places: readonly Place[]): Promise<(place: Place) => boolean> {
    const uris = places.map(({ uri }) => uri);
    const [notIgnored, isDenied] = await Promise.all([
      this.#withoutIgnored(uris),
      rulesInTime(this.#guard, uris),
    ]);
    return ({ uri, isOpen }) =>
      (isOpen || notIgnored.has(uri.fsPath)) && isDenied(uri) === undefined;
  }

  async #withoutIgnored(uris: readonly Uri[]): Promise<ReadonlySet<string>> {
    const byFolder = new Map<string, string[]>();
    for (const uri of uris) {
      const root = workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? path.dirname(uri.fsPath);
      byFolder.set(root, [...(byFolder.get(root) ?? []), uri.fsPath]);
    }
    const kept = await Promise.all(
      [...byFolder].map(([root, files]) => this.#git.without(root, files)),
    );
    return new Set(kept.flat());
  }
}

function placesOf(
  files: readonly Uri[],
  folder: string | undefined,
  withFolders: boolean,
): readonly Place[] {
  const open = [...shownDocuments().values()].filter(
    (uri) => uri.scheme === 'file' && isInWorkspace(uri),
  );
  const isOpen = new Set(open.map(String));
  const all = new Map([...open, ...files].map((uri) => [uri.toString(), uri]));
  const places = [...all].map(([key, uri]) => ({
    uri,
    path: mentionPath(uri.fsPath, folder),
    isOpen: isOpen.has(key),
  }));
  if (!withFolders) return places;
  const folders = foldersOf([...all.values()].map(({ fsPath }) => fsPath));
  return [
    ...places,
    ...folders.map((each) => ({
      uri: Uri.file(each),
      path: `${mentionPath(each, folder)}/`,
      isOpen: false,
    })),
  ];
}

/** The folders that hold the files, below the workspace's own. */
function foldersOf(files: readonly string[]): readonly string[] {
  const roots = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const found = new Set<string>(roots);
  for (const file of files) {
    const above: string[] = [];
    let at = path.dirname(file);
    while (!found.has(at) && at !== path.dirname(at)) {
      above.push(at);
      at = path.dirname(at);
    }
    // What leads to no folder of the workspace lies outside.
    if (found.has(at)) for (const each of above) found.add(each);
  }
  return [...found].filter((each) => !roots.includes(each));
}

function rowOf({ uri, path: whole }: Place, score: number): Row {
  const isFolder = whole.endsWith('/');
  const name = path.basename(uri.fsPath) + (isFolder ? '/' : '');
  const where = whole.slice(0, -name.length - 1);
  return {
    id: `${isFolder ? 'folder' : 'file'} ${uri.toString()}`,
    icon: isFolder ? 'folder' : 'file',
    label: name,
    ...(where === '' ? {} : { detail: where }),
    ...(isFolder ? { origin: l10n.t('Folder') } : {}),
    insert: `${mentionText(whole)} `,
    score,
  };
}

/** 0 the active file, 1 seen, 2 in a tab, more by folders. */
function nearScore(nearness: number): number {
  return nearness <= 2 ? 90 - 10 * nearness : Math.max(0, 30 - 3 * nearness);
}

function partOnly(): string {
  return l10n.t('Only some of the many files are listed: type more of the name.');
}

function usesIgnoreFiles(): boolean {
  return workspace.getConfiguration('search').get('useIgnoreFiles') !== false;
}
