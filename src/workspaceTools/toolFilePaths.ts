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
