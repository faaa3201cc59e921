import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { absolutePath, PATCHBAY_FOLDER } from './toolFilePaths';

export interface StackPlace {
  /** Absolute. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

const PLACE = /:(\d+):(\d+)\)?$/;

/** The innermost place of a stack that lies in a folder's `.patchbay`; undefined where there is none. */
export function stackPlace(error: unknown, folder: string): StackPlace | undefined {
  const stack: unknown = error instanceof Error ? error.stack : undefined;
  if (typeof stack !== 'string') return undefined;
  const root = absolutePath(folder, PATCHBAY_FOLDER) + path.sep;
  for (const line of stack.split('\n')) {
    const at = line.indexOf(root);
    const place = PLACE.exec(line);
    if (at === -1 || place?.[1] === undefined || place[2] === undefined) continue;
    return {
      path: line.slice(at, place.index),
      line: Number(place[1]),
      column: Number(place[2]),
    };
  }
  return undefined;
}

/** Whether an error comes from code of the folder's `.patchbay`. */
export function isFromFolder(error: unknown, folder: string): boolean {
  return (
    stackPlace(error, folder) !== undefined ||
    (error instanceof Error &&
      error.stack?.includes(`${pathToFileURL(absolutePath(folder, PATCHBAY_FOLDER)).href}/`) ===
        true)
  );
}
