import path from 'node:path';

/**
 * The way from a folder down to a file or folder, by their names alone: empty for the folder itself,
 * undefined for what is not in it.
 */
export function pathBelow(folder: string, file: string): string | undefined {
  const below = path.relative(folder, file);
  // A name may begin with two dots.
  const isOutside = below === '..' || below.startsWith(`..${path.sep}`) || path.isAbsolute(below);
  return isOutside ? undefined : below;
}
