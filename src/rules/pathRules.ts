import { compilePathPattern, type PathPattern, type RuleWorld } from './pathPattern';
import { PatternIndex } from './patternIndex';
import { type PathShape, segmentsBelow, shapePath } from './pathShape';
import { type Behavior, namesTool, type PermissionRule } from './permissionRule';

export type PathUse = 'read' | 'edit';

/** What the rules for files say to one path. */
export interface PathFinding {
  readonly denied: PermissionRule | undefined;
  /** One that may mean it, though the CLI was not seen to take it so. */
  readonly maybeDenied: PermissionRule | undefined;
  readonly asked: PermissionRule | undefined;
  readonly allowed: PermissionRule | undefined;
  /** It lies in a folder that the CLI may work in. */
  readonly isInside: boolean;
}

export interface PathRules {
  find(use: PathUse, paths: readonly string[]): PathFinding;
  /** True where some rule says something about files of this use. */
  has(use: PathUse, behavior: Behavior): boolean;
}

interface Compiled {
  readonly rule: PermissionRule;
  /** Undefined for a rule about every file. */
  readonly pattern: PathPattern | undefined;
}

type Lists = Record<PathUse, Record<Behavior, Compiled[]>>;

/**
 * Rules for files. Facts: rules of `Edit` count for every tool that writes, rules of `Write` with a
 * path for none; what must not be read must not be written either.
 * @param folders in which the CLI works, absolute
 */
export function compilePathRules(
  rules: readonly PermissionRule[],
  world: RuleWorld,
  folders: readonly string[],
): PathRules {
  const none = (): Record<Behavior, Compiled[]> => ({ allow: [], ask: [], deny: [] });
  const table: Lists = { read: none(), edit: none() };
  for (const rule of rules) {
    const use = namesTool(rule.tool, 'Read') ? 'read' : rule.tool === 'Edit' ? 'edit' : undefined;
    // Fact: a rule about all of `Edit` counts for that tool alone.
    if (use === undefined || (use === 'edit' && rule.content === undefined)) continue;
    // Fact: one that forbids all reading holds the tools for files back, and no command.
    if (rule.content === undefined && rule.behavior === 'deny') continue;
    const pattern =
      rule.content === undefined ? undefined : compilePathPattern(rule.content, rule, world);
    table[use][rule.behavior].push({ rule, pattern });
  }
  const { platform } = world;
  const roots = folders.map((folder) => shapePath(folder, platform));
  const index = (compiled: readonly Compiled[]) => new PatternIndex(compiled);
  const indexes = {
    read: byBehavior(table.read, index),
    edit: {
      ...byBehavior(table.edit, index),
      deny: index([...table.edit.deny, ...table.read.deny]),
    },
  };
  return {
    has: (use, behavior) => table[use][behavior].length > 0,
    find: (use, paths) => {
      const shapes = paths.map((path) => shapePath(path, platform));
      const { deny, ask, allow } = indexes[use];
      const denials = deny.candidates(shapes);
      const denied = findRule(denials, shapes, 'some');
      const isTakenOut =
        denied !== undefined &&
        denials.some(({ pattern }) => shapes.some((shape) => pattern?.takesOut(shape)));
      return {
        denied: isTakenOut ? undefined : denied,
        maybeDenied: isTakenOut ? denied : maybe(denials, shapes),
        asked: findRule(ask.candidates(shapes), shapes, 'some'),
        allowed: findRule(allow.candidates(shapes), shapes, 'every'),
        isInside: shapes.every((shape) =>
          roots.some((root) => segmentsBelow(shape, root) !== undefined),
        ),
      };
    },
  };
}

function byBehavior<T, U>(
  { allow, ask, deny }: Record<Behavior, T>,
  make: (own: T) => U,
): Record<Behavior, U> {
  return { allow: make(allow), ask: make(ask), deny: make(deny) };
}

function findRule(
  compiled: readonly Compiled[],
  shapes: readonly PathShape[],
  how: 'some' | 'every',
): PermissionRule | undefined {
  return compiled.find(
    ({ pattern }) => pattern === undefined || shapes[how]((shape) => pattern.matches(shape)),
  )?.rule;
}

function maybe(
  compiled: readonly Compiled[],
  shapes: readonly PathShape[],
): PermissionRule | undefined {
  return compiled.find(({ pattern }) => shapes.some((shape) => pattern?.mayMean(shape) === true))
    ?.rule;
}
