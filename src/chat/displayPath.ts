/**
 * A path as the panel shows it: relative to the working folder where it lies inside, else as it is.
 * Pure text: both separators are understood, Windows drive letters compare without case.
 */
export function displayPath(path: string, folder: string | undefined): string {
  if (folder === undefined || folder === '') return path;
  const root = folder.replace(/[\\/]+$/, '');
  const separator = path.charAt(root.length);
  if (separator !== '/' && separator !== '\\') return path;
  const head = path.slice(0, root.length);
  return sameFolder(head, root) ? path.slice(root.length + 1) : path;
}

function sameFolder(a: string, b: string): boolean {
  if (a === b) return true;
  // Windows spells one folder `C:\x` and `c:/x`; elsewhere case and backslash tell files apart.
  const windows = /^[A-Za-z]:[\\/]/;
  if (!windows.test(a) || !windows.test(b)) return false;
  const plain = (text: string): string => text.replaceAll('\\', '/').toLowerCase();
  return plain(a) === plain(b);
}
