import path from 'node:path';

/** How many folders the editor tries for one workspace. */
const TWINS = 10;

/**
 * The files of this name in all storage folders that the editor may have given to this workspace,
 * the present one's first.
 *
 * Fact: the extension host locks the storage folder of its workspace. While another one lives that
 * has the same workspace open, such as the orphan of a window that was loaded anew right after its
 * extension host was killed, the next host gets a folder beside it: `<workspace>-1`, `-2`, … up to
 * `-9` (seen with VS Code 1.139.1).
 *
 * @param storage `ExtensionContext.storageUri` as a path: `<workspace>/<extension>`
 */
export function storageTwins(storage: string, fileName: string): [string, ...string[]] {
  const workspace = path.dirname(storage);
  const plain = path.join(path.dirname(workspace), plainWorkspace(storage));
  const all = Array.from({ length: TWINS }, (_, n) => (n === 0 ? plain : `${plain}-${n}`));
  const inside = (folder: string): string => path.join(folder, path.basename(storage), fileName);
  return [inside(workspace), ...all.filter((folder) => folder !== workspace).map(inside)];
}

/** The name that all storage folders of one workspace have in common. @param storage as above */
export function plainWorkspace(storage: string): string {
  return path.basename(path.dirname(storage)).replace(/-[1-9]$/, '');
}
