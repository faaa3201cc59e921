import { CancellationTokenSource, type Uri, workspace } from 'vscode';
import type { Disposable } from '../base/disposable';
import { excludedFiles } from '../editor/servedFiles';

/** Files that one walk names at most. */
const WALK_LIMIT = 5_000;
/** Files that a search by name finds at most. */
const NAMED_LIMIT = 200;
/** A walk goes on while nobody waits for it any more: the next one who asks has it. In milliseconds. */
const WALK_MS = 30_000;
/** How long what a walk found counts as the present, in milliseconds. */
const KEPT_MS = 3_000;
/** Where there are always too many. */
const ALWAYS_OUT = '**/{node_modules,bower_components,.git}/**';

interface Walk {
  /** Undefined while it runs. */
  endedAt: number | undefined;
  readonly files: Promise<readonly Uri[]>;
}

/** The files of the workspace that the person does not hide, as far as a bounded walk names them. */
export class WorkspaceFiles implements Disposable {
  readonly #listener: Disposable;
  #walk: Walk | undefined;

  constructor() {
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

  /** All, or in a large workspace those that a walk came to and those whose name fits. */
  async matching(typed: string): Promise<readonly Uri[]> {
    const walked = await this.#walked();
    const name = typed.slice(typed.lastIndexOf('/') + 1);
    if (walked.length < WALK_LIMIT || name === '') return walked;
    const named = await find(`**/*${anyCase(name)}*`, NAMED_LIMIT);
    const known = new Set(walked.map(String));
    return [...walked, ...named.filter((uri) => !known.has(uri.toString()))];
  }

  /** One walk for all that ask in a moment: a person types faster than files come. */
  #walked(): Promise<readonly Uri[]> {
    const known = this.#walk;
    if (known !== undefined && Date.now() - (known.endedAt ?? Infinity) <= KEPT_MS) {
      return known.files;
    }
    const walk: Walk = {
      endedAt: undefined,
      files: find('**/*', WALK_LIMIT).finally(() => {
        walk.endedAt = Date.now();
      }),
    };
    this.#walk = walk;
    return walk.files;
  }
}

async function find(glob: string, limit: number): Promise<readonly Uri[]> {
  const source = new CancellationTokenSource();
  const timer = setTimeout(() => source.cancel(), WALK_MS);
  try {
    const found = await workspace.findFiles(glob, ALWAYS_OUT, limit, source.token);
    const isExcluded = excludedFiles();
    return found.filter((uri) => uri.scheme === 'file' && !isExcluded(uri));
  } finally {
    clearTimeout(timer);
    source.dispose();
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
