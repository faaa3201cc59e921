import { type PathShape, type Platform, segmentsBelow, shapePath } from './pathShape';

export type PathKind = 'inside' | 'outside' | 'protected';

export interface PathClass {
  readonly kind: PathKind;
  /** The protected folder's or file's name, for a text; undefined for the other kinds. */
  readonly folder?: string;
}

export interface PathQuestion {
  /** Absolute, links resolved. */
  readonly realPath: string;
  /** Absolute, links resolved. */
  readonly workspaceRoots: readonly string[];
  readonly platform: Platform;
}

const TOOL_FILES = '.patchbay';
/**
 * Folders in which a change runs as code, or alters what runs, without a further question. But for
 * `.patchbay` the CLI itself asks before it writes there, whatever the mode and the rules.
 */
const FOLDERS = new Set(
  `${TOOL_FILES} .vscode .git .claude .husky .idea .devcontainer .cargo .yarn .mvn`.split(' '),
);
/** The same of single files: what shells start with, and what names programs to be run. */
const FILES = new Set(
  [
    '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .kshrc .mkshrc',
    '.zshrc .zshenv .zprofile .zlogin .zlogout .cshrc .tcshrc .login .logout .inputrc config.fish',
    'profile.ps1 .envrc .mcp.json .gitmodules .gitconfig .npmrc .yarnrc .yarnrc.yml .ripgreprc',
    '.claude.json .devcontainer.json .pre-commit-config.yaml pyrightconfig.json',
    'lefthook.yml .lefthook.yml lefthook.yaml .lefthook.yaml',
    '.pnp.cjs .pnp.js .pnp.loader.mjs .pnp.data.json .pnpmfile.cjs bunfig.toml .bunfig.toml',
    '.bazelrc .bazelversion .bazeliskrc gradle-wrapper.properties maven-wrapper.properties',
  ]
    .join(' ')
    .split(' '),
);
const FILE_KINDS = /(?:_profile\.ps1|\.code-workspace)$/;

/**
 * The protected place that a path goes through, as it is to be named. In any case: also on Linux a
 * disk may ignore it, such as a Windows drive that is mounted there.
 */
function protectedIn(segments: readonly string[]): string | undefined {
  const names = ownNames(segments.map((segment) => segment.toLowerCase()));
  const folder = names.find((name) => FOLDERS.has(name));
  if (folder !== undefined) return folder;
  if (names.some((name, at) => name === '.config' && names[at + 1] === 'git')) return '.config/git';
  const last = names.at(-1) ?? '';
  if (FILES.has(last) || FILE_KINDS.test(last)) return last;
  // fish runs every file of these, whatever its name.
  const fish = names.lastIndexOf('fish');
  const isFish = fish !== -1 && /^(?:conf\.d|functions|completions)$/.test(names[fish + 1] ?? '');
  return isFish ? `fish/${names[fish + 1]}` : undefined;
}

/** Where the agent has its worktrees, each is a checkout as any other; the CLI takes them so as well. */
function ownNames(names: readonly string[]): readonly string[] {
  const at = names.findIndex(
    (name, index) => name === '.claude' && names[index + 1] === 'worktrees',
  );
  return at === -1 || at + 3 >= names.length
    ? names
    : [...names.slice(0, at), ...names.slice(at + 3)];
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
    const folder = protectedIn(below);
    if (folder !== undefined) return { kind: 'protected', folder };
  }
  return { kind: inside ? 'inside' : 'outside' };
}

/**
 * The protected folder or file that a path names as it was written, links not resolved: a link called
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
  return protectedIn(below ?? shape.segments);
}

/**
 * Whether a path goes through a `.patchbay` of a workspace folder: what stands there runs inside the
 * editor, so a write asks in the modes too in which one elsewhere is refused without a question.
 */
export function isOfToolFiles(path: string, roots: readonly string[], platform: Platform): boolean {
  const shape = shapePath(path, platform);
  return roots.some((root) => {
    const below = segmentsBelow(shape, shapePath(root, platform)) ?? [];
    return below.some((segment) => segment.toLowerCase() === TOOL_FILES);
  });
}

/** True for a markdown file directly in the folder in which the CLI keeps its plans. */
export function isPlanFile(realPath: string, planFolder: string, platform: Platform): boolean {
  const folder: PathShape = shapePath(planFolder, platform);
  if (planFolder === '' || folder.segments.length === 0) return false;
  const below = segmentsBelow(shapePath(realPath, platform), folder);
  return below?.length === 1 && below[0]?.endsWith('.md') === true;
}
