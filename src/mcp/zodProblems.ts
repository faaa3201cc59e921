import type { $ZodIssue } from 'zod/v4/core';
import {
  describeValue,
  expectedBelow,
  type FieldPath,
  onlyLeast,
  type Problem,
  valueAt,
} from './problems';

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
    if (issue.code === 'invalid_key') {
      const [own] = issue.issues;
      const expected = own === undefined ? 'another name' : `a name that is ${expectedText(own)}`;
      return [{ path, expected, received: describeValue(path.at(-1)) }];
    }
    if (issue.code === 'invalid_union') {
      const inner = bestBranch(issue.errors, args, path);
      return inner ?? [{ path, expected: unionText(issue), received }];
    }
    return [{ path, expected: expectedText(issue), received }];
  });
}

/** When one choice fails only deeper down, and less than all others that do, it was meant: tell its problems. */
function bestBranch(
  branches: readonly (readonly $ZodIssue[])[],
  args: unknown,
  path: FieldPath,
): Problem[] | undefined {
  const deep = branches.filter(
    (issues) => issues.length > 0 && issues.every((issue) => issue.path.length > 0),
  );
  const only = onlyLeast(deep, (issues) => issues.length);
  return only === undefined ? undefined : zodProblems(only, args, path);
}

function unionText(issue: Extract<$ZodIssue, { code: 'invalid_union' }>): string {
  // Of the field by which the choices are told apart.
  if ('options' in issue && Array.isArray(issue.options) && issue.options.length > 0) {
    return `one of ${issue.options.map(show).join(', ')}`;
  }
  const texts = issue.errors.flatMap((issues) =>
    issues[0] === undefined ? [] : [expectedBelow(issues[0].path, expectedText(issues[0]))],
  );
  return texts.length === 0 ? 'another value' : [...new Set(texts)].join(' or ');
}

/** zod's own words for types that are none to a model. */
const TYPE_WORDS = new Map([
  ['int', 'integer'],
  ['nonoptional', 'a value'],
  ['never', 'no such field'],
]);

function formatText(issue: Extract<$ZodIssue, { code: 'invalid_format' }>): string {
  const { format, pattern } = issue;
  const part = 'prefix' in issue ? issue.prefix : 'suffix' in issue ? issue.suffix : undefined;
  if (format === 'starts_with') return `text that starts with ${show(part)}`;
  if (format === 'ends_with') return `text that ends with ${show(part)}`;
  if (format === 'includes' && 'includes' in issue)
    return `text that holds ${show(issue.includes)}`;
  const isPattern = format === 'regex' || format === 'template_literal';
  return isPattern && pattern !== undefined ? `text matching ${pattern}` : `${format} text`;
}

function expectedText(issue: $ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_WORDS.get(issue.expected) ?? issue.expected;
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
      return formatText(issue);
    case 'invalid_key':
      return 'other keys';
    case 'invalid_element':
      return `another element`;
    case 'invalid_union':
      return unionText(issue);
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
