import { compilePathPattern, type PathPattern, type RuleWorld } from './pathPattern';
import { PatternIndex } from './patternIndex';
import { createShaper } from './pathShape';
import { namesTool, plainContent } from './permissionRule';

/** A permission rule that forbids reading, as the CLI lists it. */
export interface ReadRule {
  /** As it is written: `Read(./secrets/**)`. */
  readonly text: string;
  /** Where it stands: `userSettings`, `projectSettings`, `session` and the like. */
  readonly source: string;
}

const READ = /^Read(?:\(([^]*)\))?$/;
const EDIT = /^Edit\(([^]*)\)$/;

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
  return compile(
    rules.filter(({ text }) => isReadRule(text)),
    worlds,
  );
}

/** The same of writing: rules of `Edit` count, and what must not be read must not be written either. */
export function compileWriteRules(
  rules: readonly ReadRule[],
  worlds: readonly RuleWorld[],
): ReadDenied {
  return compile(
    rules.filter(({ text }) => isReadRule(text) || isEditRule(text)),
    worlds,
  );
}

function compile(rules: readonly ReadRule[], worlds: readonly RuleWorld[]): ReadDenied {
  const compiled = rules.flatMap((rule): { rule: ReadRule; pattern: PathPattern | undefined }[] => {
    const text = rule.text.trim();
    const glob = (EDIT.exec(text) ?? READ.exec(text))?.[1] ?? '';
    if (glob.trim() === '' || glob === '*') return [{ rule, pattern: undefined }];
    const { source } = rule;
    // A backslash that the CLI has put there, or one of Windows.
    return [...new Set([plainContent(glob), glob])].flatMap((one) =>
      worlds.map((world) => ({
        rule,
        pattern: compilePathPattern(one, { source, behavior: 'deny' }, world),
      })),
    );
  });
  const index = new PatternIndex(compiled);
  const shapeOf = createShaper(worlds[0]?.platform ?? 'linux');
  return (paths) => {
    const shapes = paths.map(shapeOf);
    return index
      .candidates(shapes)
      .find(
        ({ pattern }) => pattern === undefined || shapes.some((shape) => pattern.mayMean(shape)),
      )?.rule;
  };
}

/** True for a rule that can forbid reading at all. */
export function isReadRule(text: string): boolean {
  const name = text.trim();
  return READ.test(name) || namesTool(name.replace(/\(\*\)$/, ''), 'Read');
}

/** True for a rule that can forbid writing files. One about all of `Edit` counts for that tool alone. */
export function isEditRule(text: string): boolean {
  const content = EDIT.exec(text.trim())?.[1]?.trim() ?? '';
  return content !== '' && content !== '*';
}
