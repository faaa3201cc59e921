import path from 'node:path';
import { CancellationTokenSource, FileType, RelativePattern, type Uri, workspace } from 'vscode';
import type { Disposable } from '../base/disposable';
import { excludedFiles } from '../editor/servedFiles';
import type { GitIgnored } from './gitIgnored';

/** Files that one walk names at most. */
const WALK_LIMIT = 5_000;
/** Files that a search by name finds at most. */
const NAMED_LIMIT = 200;
/** A walk goes on while nobody waits for it any more: the next one who asks has it. In milliseconds. */
const WALK_MS = 30_000;
/** How long what a walk found counts as the present, in milliseconds. */
const KEPT_MS = 3_000;
/** Where there are always too many. */
const ALWAYS_OUT = ['**/node_modules/**', '**/bower_components/**', '**/.git/**'];

interface Walk {
  /** Undefined while it runs. */
  endedAt: number | undefined;
  readonly files: Promise<readonly Uri[]>;
}

/** What is known of what somebody types. */
export interface MatchingFiles {
  readonly files: readonly Uri[];
  /** There are more than these. */
  readonly isPart: boolean;
}

/** The files of the workspace that the person does not hide, as far as a bounded walk names them. */
export class WorkspaceFiles implements Disposable {
  readonly #listener: Disposable;
  readonly #git: Pick<GitIgnored, 'verdicts'>;
  #walk: Walk | undefined;

  constructor(git: Pick<GitIgnored, 'verdicts'>) {
    this.#git = git;
    this.#listener = workspace.onDidChangeConfiguration((event) => {
      const hides = ['files.exclude', 'search.exclude'].some((key) =>
        event.affectsConfiguration(key),
      );
      if (hides) this.#walk = undefined;
    });
  }

  dispose(): void {
    this.#listener.dispose();
  }

  /** All, or in a large workspace those that a walk came to and those whose name fits, or their folder's. */
  async matching(typed: string): Promise<MatchingFiles> {
    const walked = await this.#walked();
    const isPart = walked.length >= WALK_LIMIT;
    const name = typed.slice(typed.lastIndexOf('/') + 1);
    if (!isPart || name === '') return { files: walked, isPart };
    const glob = `**/*${anyCase(name)}*`;
    const named = await Promise.all([
      this.#find(glob, NAMED_LIMIT),
      this.#find(`${glob}/*`, NAMED_LIMIT),
    ]);
    const known = new Set(walked.map(String));
    const more = named.flat().filter((uri) => !known.has(uri.toString()));
    return { files: [...walked, ...more], isPart };
  }

  /** One walk for all that ask in a moment: a person types faster than files come. */
  #walked(): Promise<readonly Uri[]> {
    const known = this.#walk;
    if (known !== undefined && Date.now() - (known.endedAt ?? Infinity) <= KEPT_MS) {
      return known.files;
    }
    const walk: Walk = {
      endedAt: undefined,
      files: this.#find('**/*', WALK_LIMIT).finally(() => {
        walk.endedAt = Date.now();
      }),
    };
    this.#walk = walk;
    return walk.files;
  }

  async #find(glob: string, limit: number): Promise<readonly Uri[]> {
    const source = new CancellationTokenSource();
    const timer = setTimeout(() => source.cancel(), WALK_MS);
    try {
      const found = await Promise.all(
        (workspace.workspaceFolders ?? []).map(async ({ uri }) => {
          const out = [...ALWAYS_OUT, ...(await this.#ignoredFolders(uri))];
          const pattern = new RelativePattern(uri, glob);
          return workspace.findFiles(pattern, `{${out.join(',')}}`, limit, source.token);
        }),
      );
      const isExcluded = excludedFiles();
      return found.flat().filter((uri) => uri.scheme === 'file' && !isExcluded(uri));
    } finally {
      clearTimeout(timer);
      source.dispose();
    }
  }

  /**
   * The folders at the top that git leaves out, as globs: what was built there would use up the limit
   * before a file comes that somebody means. The editor's search knows no `.gitignore` here.
   */
  async #ignoredFolders(root: Uri): Promise<readonly string[]> {
    if (root.scheme !== 'file') return [];
    const entries = await Promise.resolve(workspace.fs.readDirectory(root)).catch(() => []);
    const folders = entries
      .filter(([name, type]) => type === FileType.Directory && /^[\w.-]+$/u.test(name))
      .map(([name]) => path.join(root.fsPath, name));
    const verdicts = await this.#git.verdicts(root.fsPath, folders);
    return folders
      .filter((folder) => verdicts.get(folder) === true)
      .map((folder) => `${path.basename(folder)}/**`);
  }
}

/** The editor's globs know case; what has a meaning in a glob stands for any one character. */
function anyCase(text: string): string {
  return Array.from(text, (letter) => {
    if (!/[\p{L}\p{N}_-]/u.test(letter)) return '?';
    const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
    const isPlain = lower === upper || lower.length !== 1 || upper.length !== 1;
    return isPlain ? letter : `[${lower}${upper}]`;
  }).join('');
}
