import {
  accessSync,
  closeSync,
  constants,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs';
import path from 'node:path';

/** What the search for the CLI asks of the disk. A port, so that other platforms can be played. */
export interface CliDisk {
  /** True for a file, links followed. */
  isFile(file: string): boolean;
  /** Whether this user may run it. */
  isExecutable(file: string): boolean;
  /** The names in a folder; empty when it cannot be read. */
  list(folder: string): readonly string[];
  /** The first 64 KiB as text; empty when it cannot be read. */
  read(file: string): string;
}

const MAX_READ = 64 * 1024;

export const realDisk: CliDisk = {
  isFile: (file) => attempt(() => statSync(file).isFile(), false),
  isExecutable: (file) =>
    attempt(() => {
      accessSync(file, constants.X_OK);
      return true;
    }, false),
  list: (folder) => attempt(() => readdirSync(folder), []),
  read: (file) => attempt(() => readStart(file), ''),
};

/** The path rules of a platform, which may not be the one that this runs on. */
export function pathsOf(platform: NodeJS.Platform): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix;
}

function readStart(file: string): string {
  const bytes = Buffer.alloc(MAX_READ);
  const descriptor = openSync(file, 'r');
  try {
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, MAX_READ, 0));
  } finally {
    closeSync(descriptor);
  }
}

function attempt<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
