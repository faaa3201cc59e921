import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Disposable } from '../base/disposable';

/** Folders that are watched at most: each takes one of the system's watches. */
const MAX_FOLDERS = 500;
/** What comes in one go is looked at once, in milliseconds. */
const TOGETHER_MS = 20;
const LEFT_OUT = new Set(['node_modules', '.git']);

export interface TreeWatchOptions {
  /** Absolute; need not be there yet. */
  readonly root: string;
  /** Something at or below this path has changed. */
  readonly onChange: (path: string) => void;
}

/**
 * Watches a small tree folder by folder. Fact: on Linux the editor's own watcher can lose all changes
 * below a folder that was removed and made anew within a moment, as a checkout of git does. It does
 * tell that the folder itself came: {@link look} is to be called then.
 */
export class TreeWatch implements Disposable {
  readonly #options: TreeWatchOptions;
  readonly #watchers = new Map<string, FSWatcher>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #looking: Promise<void> | undefined;
  #isWanted = false;
  #isDisposed = false;

  constructor(options: TreeWatchOptions) {
    this.#options = options;
  }

  /** Follows the folders that are there now. Never rejects. */
  look(): Promise<void> {
    this.#isWanted = true;
    return (this.#looking ??= this.#rounds());
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#watchers.forEach((watcher) => watcher.close());
    this.#watchers.clear();
  }

  async #rounds(): Promise<void> {
    while (this.#isWanted && !this.#isDisposed) {
      this.#isWanted = false;
      const found = await foldersBelow(this.#options.root);
      for (const folder of this.#watchers.keys()) if (!found.has(folder)) this.#leave(folder);
      for (const folder of found) this.#follow(folder);
    }
    this.#looking = undefined;
  }

  #follow(folder: string): void {
    if (this.#isDisposed || this.#watchers.has(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        this.#changed(folder, watcher, name === null ? folder : path.join(folder, name));
      });
      watcher.on('error', () => this.#gone(folder, watcher));
      this.#watchers.set(folder, watcher);
    } catch {
      // It went meanwhile, or the system has no watch left: the editor's own watcher is there still.
      return;
    }
    // What came before it was watched was told by nobody.
    this.#options.onChange(folder);
    this.#isWanted = true;
  }

  #changed(folder: string, watcher: FSWatcher, at: string): void {
    if (this.#isDisposed) return;
    this.#options.onChange(at);
    // It may have been made anew under its name: then this one watches what is gone.
    if (path.basename(at) === path.basename(folder)) this.#gone(folder, watcher);
    this.#later();
  }

  #gone(folder: string, watcher: FSWatcher): void {
    watcher.close();
    if (this.#watchers.get(folder) === watcher) this.#watchers.delete(folder);
    this.#later();
  }

  #leave(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  #later(): void {
    clearTimeout(this.#timer);
    if (!this.#isDisposed) this.#timer = setTimeout(() => void this.look(), TOGETHER_MS);
  }
}

/** The folder and all below it, links left out; empty where it is not there. */
async function foldersBelow(root: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const rest = [root];
  for (let folder = rest.pop(); folder !== undefined; folder = rest.pop()) {
    if (found.size >= MAX_FOLDERS) break;
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      found.add(folder);
      for (const entry of entries) {
        if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) {
          rest.push(path.join(folder, entry.name));
        }
      }
    } catch {
      // It is not there, or went meanwhile.
    }
  }
  return found;
}
