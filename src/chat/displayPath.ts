import { segmentsBelow, shapePath } from '../rules/pathShape';

/**
 * A path as the panel shows it: relative to the working folder where it lies inside, else as it is.
 * Pure: the folder tells which platform it is of.
 */
export function displayPath(path: string, folder: string | undefined): string {
  if (folder === undefined || folder === '') return path;
  const isWindows = /^(?:[A-Za-z]:[\\/]|\\\\)/.test(folder);
  const platform = isWindows ? 'win32' : 'linux';
  const below = segmentsBelow(shapePath(path, platform), shapePath(folder, platform));
  if (below === undefined || below.length === 0) return path;
  const parts = path.split(isWindows ? /[\\/]+/ : /\/+/).filter((part) => part !== '');
  // With dots on the way it is shown as it was written.
  const isPlain = !parts.some((part) => part === '.' || part === '..');
  return isPlain ? parts.slice(-below.length).join(isWindows ? '\\' : '/') : path;
}
