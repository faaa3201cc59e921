import { compilePattern } from '../base/compilePattern';

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

interface Kind {
  readonly fits: (value: unknown) => boolean;
  readonly otherwise: string;
}

const NUMBER: Kind = { fits: (value) => Number.isFinite(value), otherwise: 'needs a number' };
const ABOVE_0: Kind = {
  fits: (value) => typeof value === 'number' && Number.isFinite(value) && value > 0,
  otherwise: 'needs a number above 0',
};
const COUNT: Kind = {
  fits: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
  otherwise: 'needs a whole number from 0',
};
/** Draft-04 says of a bound whether it is itself allowed. */
const BOUND: Kind = {
  fits: (value) => Number.isFinite(value) || typeof value === 'boolean',
  otherwise: 'needs a number',
};
const TRUTH: Kind = {
  fits: (value) => typeof value === 'boolean',
  otherwise: 'needs true or false',
};
const TEXT: Kind = { fits: (value) => typeof value === 'string', otherwise: 'needs a text' };
const ANCHOR: Kind = {
  fits: (value) => typeof value === 'string' && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value),
  otherwise: 'needs a name',
};
/** Draft-07 names a place by `#name`, which is rewritten; a URI must not have such an end. */
const ID: Kind = {
  fits: (value) =>
    typeof value === 'string' && /^(?:[^#]*#?|#[A-Za-z_][-A-Za-z0-9._]*)$/.test(value),
  otherwise: 'needs a URI without a fragment',
};
const NAMES: Kind = {
  fits: (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  otherwise: 'needs a list of names',
};
const VALUES: Kind = {
  fits: (value) => Array.isArray(value) && value.length > 0,
  otherwise: 'needs a list of values',
};
const LIST: Kind = { fits: Array.isArray, otherwise: 'needs a list' };

/** What the metaschema of 2020-12 wants of keywords that hold no schemas. */
const KINDS = new Map<string, Kind>([
  ...all(NUMBER, 'minimum', 'maximum'),
  ...all(ABOVE_0, 'multipleOf'),
  ...all(COUNT, 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties'),
  ...all(COUNT, 'maxProperties', 'minContains', 'maxContains'),
  ...all(BOUND, 'exclusiveMinimum', 'exclusiveMaximum'),
  ...all(TRUTH, 'uniqueItems', 'deprecated', 'readOnly', 'writeOnly'),
  ...all(TEXT, 'description', 'title', 'pattern', 'format', '$ref', '$comment', '$dynamicRef'),
  ...all(TEXT, '$recursiveRef', 'contentEncoding', 'contentMediaType'),
  ...all(ANCHOR, '$anchor', '$dynamicAnchor', '$recursiveAnchor'),
  ...all(ID, '$id'),
  ...all(NAMES, 'required'),
  ...all(VALUES, 'enum'),
  ...all(LIST, 'examples'),
]);

function all(kind: Kind, ...keys: readonly string[]): [string, Kind][] {
  return keys.map((key) => [key, kind]);
}

/** Why the API would refuse a keyword that holds no schemas, and every request with it. */
export function keywordFault(key: string, value: unknown): string | undefined {
  if (key === 'type') return typeFault(value);
  const kind = KINDS.get(key);
  if (kind?.fits(value) === false) return kind.otherwise;
  return key === 'pattern' ? patternFault(value) : undefined;
}

export function patternFault(pattern: unknown): string | undefined {
  const isPattern = typeof pattern === 'string' && compilePattern(pattern) !== undefined;
  return isPattern ? undefined : 'is not a regular expression';
}

function typeFault(value: unknown): string | undefined {
  const types: unknown[] = Array.isArray(value) ? value : [value];
  const bad = types.find((type) => typeof type !== 'string' || !TYPES.has(type));
  if (types.length > 0 && bad === undefined) return undefined;
  return `${typeof bad === 'string' ? `'${bad}'` : typeof bad} is not a type`;
}

/** Lists in which nothing may stand twice: what does says nothing more. */
export function withoutRepeats(key: string, value: unknown): unknown {
  const isSet = key === 'type' || key === 'required';
  return isSet && Array.isArray(value) ? [...new Set<unknown>(value)] : value;
}
