import type { OldZodShape, OldZodType } from './inputTypes';
import {
  describeValue,
  expectedBelow,
  type FieldPath,
  onlyLeast,
  type Problem,
  valueAt,
} from './problems';
import { isRecord, ownField } from './wire';

export interface Checked {
  readonly value: unknown;
  readonly problems: readonly Problem[];
}

/** Checks with a schema of zod 3; a promise only where something asynchronous is in it. */
export function parseOldZod(
  schema: OldZodType,
  value: unknown,
  at: FieldPath = [],
): Checked | Promise<Checked> {
  try {
    return read(schema.safeParse(value), value, at);
  } catch (error) {
    // zod 3 has no class for it: any other fault shows itself again.
    const late: unknown = Reflect.get(schema, 'safeParseAsync');
    if (typeof late !== 'function') throw error;
    const promise: unknown = Reflect.apply(late, schema, [value]);
    return Promise.resolve(promise).then((result) => read(result, value, at));
  }
}

/** The same with a shape: known fields only, as zod's own object does it. */
export function parseOldShape(
  shape: OldZodShape,
  args: Readonly<Record<string, unknown>>,
): Checked | Promise<Checked> {
  const fields = Object.entries(shape).map(
    ([key, schema]) => [key, parseOldZod(schema, ownField(args, key), [key])] as const,
  );
  if (!fields.some(([, checked]) => checked instanceof Promise)) {
    // None of them is a promise, as was just seen.
    return joined(fields as readonly (readonly [string, Checked])[]);
  }
  const all = fields.map(async ([key, checked]) => [key, await checked] as const);
  return Promise.all(all).then(joined);
}

function joined(fields: readonly (readonly [string, Checked])[]): Checked {
  const value: Record<string, unknown> = {};
  for (const [key, checked] of fields) {
    if (checked.value === undefined) continue;
    Object.defineProperty(value, key, {
      value: checked.value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return { value, problems: fields.flatMap(([, checked]) => checked.problems) };
}

function read(result: unknown, value: unknown, at: FieldPath): Checked {
  if (ownField(result, 'success') === true) {
    return { value: ownField(result, 'data'), problems: [] };
  }
  // `error` is a getter in zod 3's failed result.
  const error: unknown = isRecord(result) ? result.error : undefined;
  const issues: unknown = isRecord(error) ? error.issues : undefined;
  const problems = issuesOf(issues).flatMap((issue) => problemsOf(issue, value, at));
  return {
    value: undefined,
    problems: problems.length > 0 ? problems : [unknownProblem(value, at)],
  };
}

function unknownProblem(value: unknown, at: FieldPath): Problem {
  return { path: at, expected: 'another value', received: describeValue(value) };
}

function issuesOf(issues: unknown): Record<string, unknown>[] {
  return Array.isArray(issues) ? issues.filter(isRecord) : [];
}

function problemsOf(issue: Record<string, unknown>, root: unknown, at: FieldPath): Problem[] {
  const own = Array.isArray(issue.path) ? issue.path.filter(isKey) : [];
  const path = [...at, ...own];
  const received = describeValue(valueAt(root, own));
  if (issue.code === 'unrecognized_keys' && Array.isArray(issue.keys)) {
    return issue.keys.filter(isKey).map((key) => ({
      path: [...path, key],
      expected: 'no such field',
      received: describeValue(valueAt(root, [...own, key])),
    }));
  }
  if (issue.code === 'invalid_union' && Array.isArray(issue.unionErrors)) {
    const branches = issue.unionErrors.map((error) =>
      issuesOf(Reflect.get(Object(error), 'issues')),
    );
    const deep = branches.filter((branch) =>
      branch.every((one) => Array.isArray(one.path) && one.path.length > own.length),
    );
    const meant = onlyLeast(deep, (branch) => branch.length);
    if (meant) return meant.flatMap((one) => problemsOf(one, root, at));
    const texts = branches.flatMap(([first]) => {
      if (first === undefined) return [];
      const below = Array.isArray(first.path) ? first.path.filter(isKey).slice(own.length) : [];
      return [expectedBelow(below, expectedText(first))];
    });
    return [{ path, expected: [...new Set(texts)].join(' or '), received }];
  }
  return [{ path, expected: expectedText(issue), received }];
}

function isKey(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function expectedText(issue: Record<string, unknown>): string {
  switch (issue.code) {
    case 'invalid_type':
      return text(issue.expected);
    case 'invalid_literal':
      return describeLiteral(issue.expected);
    case 'invalid_enum_value':
    case 'invalid_union_discriminator':
      return Array.isArray(issue.options)
        ? `one of ${issue.options.map((option) => JSON.stringify(option)).join(', ')}`
        : 'another value';
    case 'too_small':
      return sized(issue, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'too_big':
      return sized(issue, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'not_multiple_of':
      return `a multiple of ${text(issue.multipleOf)}`;
    case 'invalid_string':
      return stringText(issue.validation);
    case 'custom':
      return issue.message === 'Invalid input' ? 'another value' : text(issue.message);
    default:
      return 'another value';
  }
}

function stringText(validation: unknown): string {
  if (typeof validation === 'string') {
    return validation === 'regex' ? 'text of another form' : `${validation} text`;
  }
  const [how, part] = Object.entries(isRecord(validation) ? validation : {})[0] ?? [];
  const words = new Map([
    ['startsWith', 'text that starts with'],
    ['endsWith', 'text that ends with'],
    ['includes', 'text that holds'],
  ]).get(how ?? '');
  return words === undefined ? 'text of another form' : `${words} ${JSON.stringify(part)}`;
}

function sized(issue: Record<string, unknown>, bound: string, size: unknown): string {
  const unit =
    issue.type === 'string' ? ' characters long' : issue.type === 'array' ? ' items long' : '';
  return `${text(issue.type)} ${issue.exact === true ? 'exactly' : bound} ${text(size)}${unit}`;
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    ? String(value)
    : 'another value';
}

function describeLiteral(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
