import { codePointLength } from '../base/codePointLength';
import { compilePattern } from '../base/compilePattern';
import { isMultipleOf } from '../base/isMultipleOf';
import { resolveReference } from './localReference';
import { describeValue, expectedBelow, type FieldPath, onlyLeast, type Problem } from './problems';
import { isRecord, type JsonObject, ownField } from './wire';

/** Schemas on the way down, a few for each level of the value; three times as many fit on the stack. */
const MAX_DEPTH = 500;
/** Schemas for one and the same value: more is a reference that leads to itself. */
const MAX_STILL = 100;
/** Ends a schema of references that multiply; far above what any real call needs. */
const MAX_STEPS = 50_000;

class TooManySteps extends Error {}

interface Check {
  readonly root: JsonObject;
  readonly problems: Problem[];
  depth: number;
  /** How many of these look at one and the same value. */
  still: number;
  /** Shared by all trials of one check. */
  readonly budget: { left: number };
}

/**
 * Checks a value against a schema that `normalizeSchema` made. Covers what tool schemas use;
 * `format`, `unevaluatedItems`, `content…` and references out of the schema are not checked.
 */
export function checkAgainstSchema(value: unknown, schema: JsonObject): Problem[] {
  const budget = { left: MAX_STEPS };
  const check: Check = { root: schema, problems: [], depth: 0, still: 0, budget };
  try {
    visit(value, schema, [], check);
    return check.problems;
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
    // Refused, not passed: what could not be checked must not reach the handler.
    const expected = 'a value that is simpler to check';
    return [{ path: [], expected, received: describeValue(value) }];
  }
}

function visit(value: unknown, schema: unknown, path: FieldPath, check: Check): void {
  if (schema === false) fail(check, path, 'nothing', value);
  // A reference that leads to itself without going down into the value says nothing of it.
  if (!isRecord(schema) || check.still > MAX_STILL) return;
  if (check.budget.left <= 0 || check.depth > MAX_DEPTH) throw new TooManySteps();
  check.budget.left -= 1;
  check.depth += 1;
  check.still += 1;
  if (typeof schema.$ref === 'string') {
    visit(value, resolveReference(schema.$ref, check.root), path, check);
  }
  if (visitType(value, schema, path, check)) {
    if (typeof value === 'string') visitString(value, schema, path, check);
    else if (typeof value === 'number') visitNumber(value, schema, path, check);
    else if (Array.isArray(value)) visitArray(value, schema, path, check);
    else if (isRecord(value)) visitObject(value, schema, path, check);
    visitChoices(value, schema, path, check);
    if (isRecord(value)) visitDependents(value, schema, path, check);
  }
  check.depth -= 1;
  check.still -= 1;
}

/** Goes down into the value. */
function visitBelow(
  value: unknown,
  schema: unknown,
  path: FieldPath,
  key: PropertyKey,
  check: Check,
): void {
  const { still } = check;
  check.still = 0;
  visit(value, schema, [...path, key], check);
  check.still = still;
}

function visitType(
  value: unknown,
  schema: Record<string, unknown>,
  path: FieldPath,
  check: Check,
): boolean {
  const type = schema.type;
  const types: unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (types.length > 0 && !types.some((one) => isOfType(value, one))) {
    fail(check, path, types.join(' or '), value);
    return false;
  }
  const choices: unknown = Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum;
  if (Array.isArray(choices) && !choices.some((choice) => isSame(choice, value))) {
    const texts = choices.map((choice) => JSON.stringify(choice));
    fail(check, path, texts.length === 1 ? (texts[0] ?? '') : `one of ${texts.join(', ')}`, value);
    return false;
  }
  return true;
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function visitString(
  value: string,
  schema: Record<string, unknown>,
  path: FieldPath,
  check: Check,
): void {
  if (schema.minLength !== undefined || schema.maxLength !== undefined) {
    const length = codePointLength(value);
    limit(length, schema, 'Length', (text) => `text of ${text} characters`, path, check, value);
  }
  const pattern = schema.pattern;
  if (typeof pattern === 'string' && compile(pattern)?.test(value) === false) {
    fail(check, path, `text matching ${pattern}`, value);
  }
}

function visitNumber(
  value: number,
  schema: Record<string, unknown>,
  path: FieldPath,
  check: Check,
): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === 'number' && value < minimum)
    fail(check, path, `at least ${minimum}`, value);
  if (typeof maximum === 'number' && value > maximum)
    fail(check, path, `at most ${maximum}`, value);
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) {
    fail(check, path, `more than ${exclusiveMinimum}`, value);
  }
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) {
    fail(check, path, `less than ${exclusiveMaximum}`, value);
  }
  if (typeof multipleOf === 'number' && multipleOf > 0 && !isMultipleOf(value, multipleOf)) {
    fail(check, path, `a multiple of ${multipleOf}`, value);
  }
}

function visitArray(
  value: unknown[],
  schema: Record<string, unknown>,
  path: FieldPath,
  check: Check,
): void {
  limit(value.length, schema, 'Items', (text) => `array of ${text} items`, path, check, value);
  const prefix: unknown[] = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  value.forEach((item, index) => {
    const own = index < prefix.length ? prefix[index] : schema.items;
    if (own !== undefined) visitBelow(item, own, path, index, check);
  });
  if (schema.contains !== undefined) visitContains(value, schema, path, check);
  if (schema.uniqueItems === true && new Set(value.map(sortedJson)).size < value.length) {
    fail(check, path, 'array without repeats', value);
  }
}

function visitContains(
  value: unknown[],
  schema: Record<string, unknown>,
  path: FieldPath,
  check: Check,
): void {
  const { contains, minContains = 1, maxContains } = schema;
  const below = { ...check, still: 0 };
  const fitting = value.filter((item) => attempt(item, contains, path, below).length === 0);
  const say = (bound: string): string => `array of ${bound} items that it must contain`;
  limit(fitting.length, { minContains, maxContains }, 'Contains', say, path, check, value);
}

function visitObject(
  value: Record<string, unknown>,
  schema: Record<string, unknown>,
  path: FieldPath,
  check: Check,
): void {
  limit(
    Object.keys(value).length,
    schema,
    'Properties',
    (text) => `object of ${text} fields`,
    path,
    check,
    value,
  );
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const patterns = entriesOf(schema.patternProperties);
  visitRequired(value, schema.required, schema, path, check);
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    if (schema.propertyNames !== undefined) {
      const [fault] = attempt(key, schema.propertyNames, path, check);
      if (fault) fail(check, [...path, key], `a name that is ${fault.expected}`, key);
    }
    const matching = patterns.filter(([pattern]) => compile(pattern)?.test(key));
    const named = Object.hasOwn(properties, key);
    if (named) visitBelow(item, properties[key], path, key, check);
    for (const [, own] of matching) visitBelow(item, own, path, key, check);
    if (named || matching.length > 0) continue;
    visitRest(item, schema.additionalProperties, path, key, check);
  }
}

/** A field that is not named: as the schema has it for all such fields, if it does. */
function visitRest(item: unknown, rest: unknown, path: FieldPath, key: string, check: Check): void {
  if (rest === false) fail(check, [...path, key], 'no such field', item);
  else if (rest !== undefined) visitBelow(item, rest, path, key, check);
}

function visitRequired(
  value: Record<string, unknown>,
  names: unknown,
  schema: Record<string, unknown>,
  path: FieldPath,
  check: Check,
): void {
  for (const name of Array.isArray(names) ? names : []) {
    if (typeof name !== 'string' || isGiven(value, name)) continue;
    fail(check, [...path, name], expectedType(ownField(schema.properties, name)), undefined);
  }
}

/** What follows from other fields, or from all that was said of the object elsewhere. */
function visitDependents(
  value: Record<string, unknown>,
  schema: Record<string, unknown>,
  path: FieldPath,
  check: Check,
): void {
  const { dependentRequired, dependentSchemas, unevaluatedProperties: rest } = schema;
  for (const [key, names] of entriesOf(dependentRequired)) {
    if (isGiven(value, key)) visitRequired(value, names, schema, path, check);
  }
  for (const [key, own] of entriesOf(dependentSchemas)) {
    if (isGiven(value, key)) visit(value, own, path, check);
  }
  if (rest === undefined) return;
  const known = new Set<string>();
  addKnown(value, schema, known, path, check);
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || known.has(key)) continue;
    visitRest(item, rest, path, key, check);
  }
}

/** The fields about which a schema, or a part of it that fits, says something. */
function addKnown(
  value: Record<string, unknown>,
  given: unknown,
  known: Set<string>,
  path: FieldPath,
  check: Check,
): void {
  if (!isRecord(given)) return;
  if ((check.budget.left -= 1) <= 0) throw new TooManySteps();
  const { properties, patternProperties, additionalProperties, $ref } = given;
  const patterns = entriesOf(patternProperties).map(([pattern]) => compile(pattern));
  for (const key of Object.keys(value)) {
    const isNamed = ownField(properties, key) !== undefined;
    const isSaid = additionalProperties !== undefined || patterns.some((one) => one?.test(key));
    if (isNamed || isSaid) known.add(key);
  }
  const fits = (schema: unknown): boolean => attempt(value, schema, path, check).length === 0;
  const list = (key: string): unknown[] => (Array.isArray(given[key]) ? given[key] : []);
  const branch = given.if === undefined ? undefined : fits(given.if) ? 'then' : 'else';
  const dependent = entriesOf(given.dependentSchemas).filter(([key]) => isGiven(value, key));
  const parts = [
    ...(typeof $ref === 'string' ? [resolveReference($ref, check.root)] : []),
    ...list('allOf'),
    ...[...list('anyOf'), ...list('oneOf')].filter(fits),
    ...(branch === undefined ? [] : [given[branch]]),
    ...(branch === 'then' ? [given.if] : []),
    ...dependent.map(([, schema]) => schema),
  ];
  for (const part of parts) addKnown(value, part, known, path, check);
}

const NONE: readonly [string, unknown][] = [];

function entriesOf(map: unknown): readonly [string, unknown][] {
  return isRecord(map) ? Object.entries(map) : NONE;
}

function isGiven(value: Record<string, unknown>, key: string): boolean {
  return Object.hasOwn(value, key) && value[key] !== undefined;
}

function visitChoices(
  value: unknown,
  schema: Record<string, unknown>,
  path: FieldPath,
  check: Check,
): void {
  const list = (key: string): unknown[] => (Array.isArray(schema[key]) ? schema[key] : []);
  for (const all of list('allOf')) visit(value, all, path, check);
  const any = list('anyOf').map((one) => attempt(value, one, path, check));
  if (any.length > 0 && any.every((problems) => problems.length > 0))
    report(any, value, path, check);
  const one = list('oneOf').map((choice) => attempt(value, choice, path, check));
  const fitting = one.filter((problems) => problems.length === 0).length;
  if (one.length > 0 && fitting === 0) report(one, value, path, check);
  else if (fitting > 1) fail(check, path, 'a value that fits exactly one choice', value);
  if (schema.not !== undefined && attempt(value, schema.not, path, check).length === 0) {
    fail(check, path, 'another value', value);
  }
  if (schema.if !== undefined) {
    const branch = attempt(value, schema.if, path, check).length === 0 ? 'then' : 'else';
    if (schema[branch] !== undefined) visit(value, schema[branch], path, check);
  }
}

function attempt(value: unknown, schema: unknown, path: FieldPath, check: Check): Problem[] {
  const trial: Check = { ...check, problems: [] };
  visit(value, schema, path, trial);
  return trial.problems;
}

/** When one choice fails only deeper down, and less than all others that do, that choice was meant. */
function report(tries: readonly Problem[][], value: unknown, path: FieldPath, check: Check): void {
  const deep = tries.filter((problems) =>
    problems.every((problem) => problem.path.length > path.length),
  );
  const meant = onlyLeast(deep, (problems) => problems.length);
  if (meant !== undefined) check.problems.push(...meant);
  else {
    const texts = tries.flatMap((problems) =>
      problems
        .slice(0, 1)
        .map((problem) => expectedBelow(problem.path.slice(path.length), problem.expected)),
    );
    fail(check, path, [...new Set(texts)].join(' or '), value);
  }
}

function limit(
  size: number,
  schema: Record<string, unknown>,
  what: 'Length' | 'Items' | 'Contains' | 'Properties',
  say: (bound: string) => string,
  path: FieldPath,
  check: Check,
  value: unknown,
): void {
  const least = schema[`min${what}`];
  const most = schema[`max${what}`];
  if (typeof least === 'number' && size < least) fail(check, path, say(`at least ${least}`), value);
  if (typeof most === 'number' && size > most) fail(check, path, say(`at most ${most}`), value);
}

const patterns = new Map<string, RegExp | undefined>();
function compile(pattern: string): RegExp | undefined {
  if (!patterns.has(pattern)) {
    if (patterns.size > 500) patterns.clear();
    patterns.set(pattern, compilePattern(pattern));
  }
  return patterns.get(pattern);
}

function expectedType(schema: unknown): string {
  const type = isRecord(schema) ? schema.type : undefined;
  return typeof type === 'string' ? type : Array.isArray(type) ? type.join(' or ') : 'a value';
}

function isSame(a: unknown, b: unknown): boolean {
  return (
    a === b || (typeof a === 'object' && typeof b === 'object' && sortedJson(a) === sortedJson(b))
  );
}

function fail(check: Check, path: FieldPath, expected: string, value: unknown): void {
  check.problems.push({ path, expected, received: describeValue(value) });
}

/** Equal for equal values: in whatever order their keys came. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(byKey)) : part,
  );
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
