interface NamedFolder {
  readonly name: string;
  readonly path: string;
}

/** Where a new conversation works, in a window with several folders. */
export interface FolderChoice {
  readonly folders: readonly NamedFolder[];
  /** Path of the one that the person chose; absent for the folder of what they look at. */
  readonly chosen?: string | undefined;
}

/** The name, with the folder around it where another has the same: `shop (work)`. */
export function folderLabel(folder: NamedFolder, all: readonly NamedFolder[]): string {
  const isAlone = all.every(({ name, path }) => name !== folder.name || path === folder.path);
  const around = folder.path.split(/[\\/]/u).at(-2) ?? '';
  return isAlone || around === '' ? folder.name : `${folder.name} (${around})`;
}

/** Whether a conversation can still go to another folder: the person has said nothing in it. */
export function isUnsaid(items: readonly { readonly kind: string }[]): boolean {
  return items.every(({ kind }) => kind !== 'user');
}
