import type { $ZodIssue } from 'zod/v4/core';
import { describeValue, valueAt, type FieldPath, type Problem } from './problems';

/** zod's issues in our words: without a locale zod itself only says `Invalid input`. */
export function zodProblems(
  issues: readonly $ZodIssue[],
  args: unknown,
  at: FieldPath = [],
): Problem[] {
  return issues.flatMap((issue) => {
    const path = [...at, ...issue.path];
    const received = describeValue(valueAt(args, path));
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        path: [...path, key],
        expected: 'no such field',
        received: describeValue(valueAt(args, [...path, key])),
      }));
    }
    if (issue.code === 'invalid_union') {
      const inner = bestBranch(issue.errors, args, path);
      return inner ?? [{ path, expected: unionText(issue.errors), received }];
    }
    return [{ path, expected: expectedText(issue), received }];
  });
}

/** When exactly one choice fails only deeper down, that choice was meant: tell its problems. */
function bestBranch(
  branches: readonly (readonly $ZodIssue[])[],
  args: unknown,
  path: FieldPath,
): Problem[] | undefined {
  const deep = branches.filter(
    (issues) => issues.length > 0 && issues.every((issue) => issue.path.length > 0),
  );
  const only = deep.length === 1 ? deep[0] : undefined;
  return only === undefined ? undefined : zodProblems(only, args, path);
}

function unionText(branches: readonly (readonly $ZodIssue[])[]): string {
  const texts = branches.flatMap((issues) =>
    issues[0] === undefined
      ? []
      : issues[0].path.length > 0
        ? ['object']
        : [expectedText(issues[0])],
  );
  return texts.length === 0 ? 'another value' : [...new Set(texts)].join(' or ');
}

function expectedText(issue: $ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' ? 'integer' : issue.expected;
    case 'invalid_value':
      return issue.values.length === 1
        ? show(issue.values[0])
        : `one of ${issue.values.map(show).join(', ')}`;
    case 'too_small':
      return `${issue.origin} ${bound('at least', 'more than', issue.inclusive)} ${issue.minimum}${unit(issue.origin)}`;
    case 'too_big':
      return `${issue.origin} ${bound('at most', 'less than', issue.inclusive)} ${issue.maximum}${unit(issue.origin)}`;
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return issue.format === 'regex' && issue.pattern !== undefined
        ? `text matching ${issue.pattern}`
        : `${issue.format} text`;
    case 'invalid_key':
      return 'other keys';
    case 'invalid_element':
      return `another element`;
    case 'invalid_union':
      return unionText(issue.errors);
    case 'unrecognized_keys':
      return `no field ${issue.keys.join(', ')}`;
    case 'custom':
      return issue.message === 'Invalid input' ? 'another value' : issue.message;
    default:
      // A newer zod of a tool file may know more codes than ours.
      return 'another value';
  }
}

function bound(inclusive: string, exclusive: string, isInclusive: boolean | undefined): string {
  return isInclusive === false ? exclusive : inclusive;
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' || origin === 'set' ? ' items long' : '';
}

function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
