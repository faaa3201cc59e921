import path from 'node:path';
import { pathBelow } from '../workFiles/pathBelow';

/** A file as a message mentions it: below the working folder with `/`, elsewhere its absolute path. */
export function mentionPath(file: string, folder: string | undefined): string {
  const below = folder === undefined ? '' : (pathBelow(folder, file) ?? '');
  return below !== '' ? below.split(path.sep).join('/') : file;
}
