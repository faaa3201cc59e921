import { compilePathPattern, type RuleWorld } from './pathPattern';
import { shapePath } from './pathShape';

/** A permission rule that forbids reading, as the CLI lists it. */
export interface ReadRule {
  /** As it is written: `Read(./secrets/**)`. */
  readonly text: string;
  /** Where it stands: `userSettings`, `projectSettings`, `session` and the like. */
  readonly source: string;
}

const READ = /^Read(?:\(([^]*)\))?$/;

/** Finds the first of its rules that forbids reading a file. */
export type ReadDenied = (
  /** The file's absolute path, and the one behind its links where that differs. */
  paths: readonly string[],
) => ReadRule | undefined;

/**
 * Rules against reading, compiled once. It fails closed: what a rule may mean is forbidden as well,
 * also where the CLI of today does not take it so (see {@link compilePathPattern}).
 */
export function compileReadRules(
  rules: readonly ReadRule[],
  worlds: readonly RuleWorld[],
): ReadDenied {
  const compiled = rules.flatMap((rule) => {
    const found = READ.exec(rule.text.trim());
    if (found === null) return [];
    const glob = found[1] ?? '';
    const patterns =
      glob.trim() === '' || glob === '*'
        ? undefined
        : worlds.map((world) =>
            compilePathPattern(glob, { source: rule.source, behavior: 'deny' }, world),
          );
    return [{ rule, patterns }];
  });
  const platform = worlds[0]?.platform ?? 'linux';
  return (paths) => {
    const shapes = paths.map((path) => shapePath(path, platform));
    return compiled.find(
      ({ patterns }) =>
        patterns === undefined ||
        patterns.some((pattern) => shapes.some((shape) => pattern.mayMean(shape))),
    )?.rule;
  };
}

/** True for a rule that can forbid reading at all. */
export function isReadRule(text: string): boolean {
  return READ.test(text.trim());
}
