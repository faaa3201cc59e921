import { type PathShape, type Platform, segmentsBelow, shapePath } from './pathShape';

export type PathKind = 'inside' | 'outside' | 'protected';

export interface PathClass {
  readonly kind: PathKind;
  /** The protected folder's name, for a text; undefined for the other kinds. */
  readonly folder?: string;
}

export interface PathQuestion {
  /** Absolute, links resolved. */
  readonly realPath: string;
  /** Absolute, links resolved. */
  readonly workspaceRoots: readonly string[];
  readonly platform: Platform;
}

/** What is written here runs as code, or changes what runs, without a further question. */
const PROTECTED = new Set(['.patchbay', '.vscode', '.git']);

/** In any case: also on Linux a disk may ignore it, such as a Windows drive that is mounted there. */
function isProtected(segment: string): boolean {
  return PROTECTED.has(segment.toLowerCase());
}

/**
 * Where a file lies that is about to be written. Any folder level below a workspace folder counts,
 * so that a nested repository is protected too; the way to the workspace does not. A path that
 * cannot be placed is outside.
 */
export function classifyPath({ realPath, workspaceRoots, platform }: PathQuestion): PathClass {
  const shape = shapePath(realPath, platform);
  const roots = workspaceRoots.map((root) => shapePath(root, platform));
  let inside = false;
  for (const root of roots) {
    const below = segmentsBelow(shape, root);
    if (below === undefined) continue;
    inside = true;
    const folder = below.find(isProtected)?.toLowerCase();
    if (folder !== undefined) return { kind: 'protected', folder };
  }
  return { kind: inside ? 'inside' : 'outside' };
}

/**
 * The protected folder that a path names as it was written, links not resolved: a link called
 * `.patchbay` protects what lies behind it. The workspace itself may be reached through a link, so
 * outside the roots every level counts.
 */
export function namedProtectedFolder(
  path: string,
  roots: readonly string[],
  platform: Platform,
): string | undefined {
  const shape = shapePath(path, platform);
  const below = roots
    .map((root) => segmentsBelow(shape, shapePath(root, platform)))
    .find((segments): segments is readonly string[] => segments !== undefined);
  return (below ?? shape.segments).find(isProtected)?.toLowerCase();
}

/** True for a markdown file directly in the folder in which the CLI keeps its plans. */
export function isPlanFile(realPath: string, planFolder: string, platform: Platform): boolean {
  const folder: PathShape = shapePath(planFolder, platform);
  if (planFolder === '' || folder.segments.length === 0) return false;
  const below = segmentsBelow(shapePath(realPath, platform), folder);
  return below?.length === 1 && below[0]?.endsWith('.md') === true;
}
