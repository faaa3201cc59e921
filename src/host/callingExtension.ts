import { realpathSync } from 'node:fs';

/** An extension as VS Code lists it. */
export interface InstalledExtension {
  readonly id: string;
  readonly extensionPath: string;
}

/**
 * Whose code a call came from, by the files that its stack names: the first that lies in the folder
 * of an extension, our own left out. VS Code itself does not tell who uses an extension's exports.
 * Undefined where no file is that of an extension.
 */
export function callingExtension(
  stack: string,
  installed: readonly InstalledExtension[],
  own: string,
): string | undefined {
  const folders = installed
    .flatMap(({ id, extensionPath }) =>
      [extensionPath, realFolder(extensionPath)].map((folder) => ({
        id,
        folder: `${comparable(folder)}/`,
      })),
    )
    // Of two that lie in each other the inner one.
    .sort((a, b) => b.folder.length - a.folder.length);
  for (const line of stack.split('\n')) {
    const place = comparable(line);
    const found = folders.find(({ folder }) => place.includes(folder));
    if (found !== undefined && found.id !== own) return found.id;
  }
  return undefined;
}

const realFolders = new Map<string, string>();

/** Of one that is linked there, as those do who write it: Node names its files by where they are. */
function realFolder(folder: string): string {
  const known = realFolders.get(folder);
  if (known !== undefined) return known;
  let real = folder;
  try {
    real = realpathSync(folder);
  } catch {
    // It lies on no disk, or is gone.
  }
  realFolders.set(folder, real);
  return real;
}

/** Files stand in stacks as paths or as URLs; Windows does not tell upper from lower case. */
function comparable(text: string): string {
  const forward = text.replaceAll('\\', '/').replace(/\/+$/, '');
  return decoded(forward).toLowerCase();
}

function decoded(text: string): string {
  try {
    return text.includes('file://') ? decodeURI(text) : text;
  } catch {
    return text;
  }
}
