import path from 'node:path';

/** Where a workspace folder keeps what it contributes. */
export const PATCHBAY_FOLDER = '.patchbay';
/** Choices of tools. It is data, which is asked about where it is used, unless code imports it. */
export const TOOL_SETS_FILE = `${PATCHBAY_FOLDER}/toolsets.json`;
const TOOL_FILE = /^\.patchbay\/tools\/(?:.*\/)?[^/]*\.tool\.(?:ts|mts|js|mjs|cjs)$/;

/** @param relative below the workspace folder, with `/` */
export function isToolFile(relative: string): boolean {
  return TOOL_FILE.test(relative);
}

/** `todo` of `.patchbay/tools/todo.tool.ts`. */
export function stemOf(relative: string): string {
  return path.posix.basename(relative).replace(/\.tool\.[a-z]+$/, '');
}

/** The absolute path of what lies below a folder. */
export function absolutePath(folder: string, relative: string): string {
  return path.join(folder, ...relative.split('/'));
}

/** The path below the folder with `/`; undefined for what is not in its `.patchbay`. */
export function relativePath(folder: string, file: string): string | undefined {
  const relative = path.relative(folder, file).split(path.sep).join('/');
  return relative === PATCHBAY_FOLDER || relative.startsWith(`${PATCHBAY_FOLDER}/`)
    ? relative
    : undefined;
}

/** Where the whole of results that were cut is kept, below the room's storage. */
export function resultsFolder(storage: string): string {
  return path.join(storage, 'results');
}

/** Characters that mean nothing in a rule; a path with others is asked about as any other. */
const PLAIN_PATH = /^[\p{L}\p{N} /_.@+~:-]+$/u;

/**
 * The permission rule by which the agent reads kept results with no question: they were given to it
 * already, cut. Undefined for a path that cannot be written as a rule.
 */
export function resultsRule(storage: string, platform: NodeJS.Platform): string | undefined {
  const folder = resultsFolder(storage);
  // The CLI writes a drive as the first folder.
  const rooted =
    platform === 'win32'
      ? `/${folder.replaceAll('\\', '/').replace(/^([A-Za-z]):/, (_all, drive: string) => drive.toLowerCase())}`
      : folder;
  return PLAIN_PATH.test(rooted) ? `Read(/${rooted}/**)` : undefined;
}
