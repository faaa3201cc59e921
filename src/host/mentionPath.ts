import path from 'node:path';

/** A file as a message mentions it: below the working folder with `/`, elsewhere its absolute path. */
export function mentionPath(file: string, folder: string | undefined): string {
  const below = folder === undefined ? undefined : path.relative(folder, file);
  const isBelow =
    below !== undefined && below !== '' && !below.startsWith('..') && !path.isAbsolute(below);
  return isBelow ? below.split(path.sep).join('/') : file;
}
