import * as l10n from '@vscode/l10n';
import { createHash } from 'node:crypto';
import { type Dirent, readFileSync, type Stats } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, isAbsent, isMissing } from '../base/errors';
import type { ToolFileFault } from './toolFile';
import { absolutePath, isToolFile, PATCHBAY_FOLDER } from './toolFilePaths';

/** A file below `.patchbay` as it was read once. What is approved and what runs is this, not the disk. */
export interface SnapshotFile {
  readonly sha: string;
  readonly bytes: number;
  /** Undefined for what is not UTF-8 text. */
  readonly text: string | undefined;
  /** By it a file that has not changed is not read again; undefined where that would not be safe. */
  readonly stamp: string | undefined;
}

export interface Snapshot {
  /** By the path below the workspace folder, with `/`. */
  readonly files: ReadonlyMap<string, SnapshotFile>;
  /** Of files that are left out. */
  readonly faults: readonly ToolFileFault[];
}

export const EMPTY_SNAPSHOT: Snapshot = { files: new Map(), faults: [] };

const MAX_FILE_BYTES = 5_000_000;
const MAX_ALL_BYTES = 50_000_000;
const MAX_FILES = 2_000;
/** Files that are read at the same time. */
const AT_ONCE = 16;
/** The clock of a disk is coarse: what changed just now may change again under the same time. */
const SETTLED_MS = 100;
/** Packages are the workspace's own, not tool files; the others are left by editors and systems. */
const LEFT_OUT = /^(?:node_modules|\.git|\.DS_Store|Thumbs\.db|\.#.*|.*~|.*\.sw[a-p])$/;

/**
 * Reads all that lies below a folder's `.patchbay`. Never rejects: what cannot be read is a fault.
 * @param before files of it that have not changed on the disk since are taken over
 */
export async function readSnapshot(folder: string, before?: Snapshot): Promise<Snapshot> {
  return new SnapshotReader(folder, before).read();
}

class SnapshotReader {
  readonly #folder: string;
  readonly #before: Snapshot;
  readonly #files = new Map<string, SnapshotFile>();
  readonly #faults: ToolFileFault[] = [];
  readonly #found: string[] = [];
  #bytes = 0;

  constructor(folder: string, before = EMPTY_SNAPSHOT) {
    this.#folder = folder;
    this.#before = before;
  }

  async read(): Promise<Snapshot> {
    const root = await this.#root();
    if (root !== undefined) {
      await this.#walk(PATCHBAY_FOLDER, root);
      await this.#readAll();
    }
    const files = new Map([...this.#files].sort(([a], [b]) => (a < b ? -1 : 1)));
    return { files, faults: this.#faults };
  }

  /** The real path of `.patchbay`; undefined where there is none. */
  async #root(): Promise<string | undefined> {
    const whole = absolutePath(this.#folder, PATCHBAY_FOLDER);
    try {
      const [real, home] = [await realpath(whole), await realpath(this.#folder)];
      if (isInside(real, home)) return real;
      this.#fault(PATCHBAY_FOLDER, l10n.t('This link leads out of the workspace folder.'));
    } catch (error) {
      if (!isMissing(error)) this.#fault(PATCHBAY_FOLDER, unreadable(error));
    }
    return undefined;
  }

  async #walk(relative: string, root: string): Promise<void> {
    let entries: Dirent[];
    try {
      const whole = absolutePath(this.#folder, relative);
      entries = await readdir(whole, { withFileTypes: true });
    } catch (error) {
      if (!isAbsent(error)) this.#fault(relative, unreadable(error));
      return;
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (LEFT_OUT.test(entry.name)) continue;
      const below = `${relative}/${entry.name}`;
      if (entry.isDirectory()) await this.#walk(below, root);
      else if (entry.isFile()) this.#add(below);
      else if (entry.isSymbolicLink()) await this.#link(below, root);
    }
  }

  async #link(relative: string, root: string): Promise<void> {
    try {
      const real = await realpath(absolutePath(this.#folder, relative));
      if (!isInside(real, root)) {
        this.#fault(relative, l10n.t('This link leads out of .patchbay, so it is not followed.'));
      } else if ((await lstat(real)).isFile()) {
        this.#add(relative);
      } else {
        this.#fault(relative, l10n.t('A link to a folder is not followed.'));
      }
    } catch (error) {
      this.#fault(
        relative,
        isMissing(error) ? l10n.t('This link leads to nothing.') : unreadable(error),
      );
    }
  }

  #add(relative: string): void {
    if (this.#found.length < MAX_FILES) this.#found.push(relative);
    else if (this.#found.length === MAX_FILES) {
      this.#found.push(relative);
      this.#fault(
        PATCHBAY_FOLDER,
        l10n.t('There are more than {0} files here; the rest is not read.', MAX_FILES),
      );
    }
  }

  async #readAll(): Promise<void> {
    const waiting = this.#found.slice(0, MAX_FILES).reverse();
    const work = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
        await this.#file(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  async #file(relative: string): Promise<void> {
    try {
      const handle = await open(absolutePath(this.#folder, relative), 'r');
      try {
        const stats = await handle.stat();
        const known = this.#before.files.get(relative);
        const stamp = stampOf(stats);
        if (known !== undefined && stamp !== undefined && known.stamp === stamp) {
          this.#keep(relative, known);
        } else if (this.#fits(relative, stats.size)) {
          this.#keep(relative, describe(await handle.readFile(), stamp));
        }
      } finally {
        await handle.close();
      }
    } catch (error) {
      // Gone since it was listed: as if it had never been there.
      if (!isMissing(error)) this.#fault(relative, unreadable(error));
    }
  }

  #fits(relative: string, bytes: number): boolean {
    if (bytes <= MAX_FILE_BYTES) return true;
    const limit = MAX_FILE_BYTES / 1_000_000;
    this.#fault(relative, l10n.t('This file is larger than {0} MB, so it is not read.', limit));
    return false;
  }

  #keep(relative: string, file: SnapshotFile): void {
    this.#bytes += file.bytes;
    if (this.#bytes > MAX_ALL_BYTES) {
      const limit = MAX_ALL_BYTES / 1_000_000;
      this.#fault(
        relative,
        l10n.t('The files here have more than {0} MB together; this one is not read.', limit),
      );
      return;
    }
    // It may have grown while it was read.
    if (!this.#fits(relative, file.bytes)) return;
    if (file.text === undefined && isToolFile(relative)) {
      this.#fault(relative, l10n.t('This is no text in UTF-8.'));
    }
    this.#files.set(relative, file);
  }

  #fault(relative: string, message: string): void {
    this.#faults.push({ kind: 'file', path: absolutePath(this.#folder, relative), message });
  }
}

function describe(bytes: Uint8Array, stamp: string | undefined): SnapshotFile {
  return { sha: shaOf(bytes), bytes: bytes.length, text: textOf(bytes), stamp };
}

export function shaOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** At once: the next moment another text may stand there. Undefined where no file is, or it cannot be read. */
export function shaOnDisk(file: string): string | undefined {
  try {
    return shaOf(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** Undefined for what is no UTF-8, or holds a NUL. A byte order mark stays. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function stampOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string | undefined {
  const isSettled = Date.now() - Math.max(mtimeMs, ctimeMs) > SETTLED_MS;
  return isSettled ? [dev, ino, size, mtimeMs, ctimeMs].join(' ') : undefined;
}

function isInside(real: string, root: string): boolean {
  return real === root || real.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}

function unreadable(error: unknown): string {
  return l10n.t('This cannot be read: {0}', errorCode(error) ?? String(error));
}
