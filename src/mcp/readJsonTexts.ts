import { compilePattern } from '../base/compilePattern';
import { resolveReference } from './localReference';
import { isRecord, type JsonObject, ownField, setOwn } from './wire';

/** Gives what the JSON texts in a value hold; the value itself where there is none to be read. */
export type TextReader = (value: unknown, depth?: number) => unknown;

/** For the fields whose names fit. */
interface PatternReader {
  readonly fits: RegExp;
  readonly read: TextReader | undefined;
}

/** One of several that a value may fit. */
interface Choice {
  readonly schema: Record<string, unknown>;
  readonly types: ReadonlySet<string> | undefined;
  readonly read: TextReader | undefined;
}

interface Made {
  isMade: boolean;
  read: TextReader | undefined;
}

const NUMBER_TEXT = /^-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
/** Deeper down texts stay texts. */
const MAX_DEPTH = 100;
/** References that lead to one another; more of them is a circle. */
const MAX_STEPS = 20;
/** Of parts that look at one and the same value, for one call: ends references that multiply. */
const MAX_PARTS = 100_000;
/** At schemas, for all types together: ends references that multiply; a schema has at most 20,000 nodes. */
const MAX_LOOKS = 50_000;

/**
 * Makes the readers of a schema's parts, each once: models send arrays, objects, numbers and truth
 * values as JSON text. A text is read only where the schema admits no string, and only if it holds
 * what is wanted.
 */
export class TextReaders {
  readonly #root: JsonObject;
  readonly #made = new Map<object, Made>();
  #looks = 0;
  #partsLeft = MAX_PARTS;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** Before each call whose arguments are read. */
  begin(): void {
    this.#partsLeft = MAX_PARTS;
  }

  /** Undefined where nothing can be read, as in a text. */
  of(given: unknown): TextReader | undefined {
    const schema = this.#resolved(given);
    if (schema === undefined) return undefined;
    const known = this.#made.get(schema);
    if (known?.isMade === true) return known.read;
    // It has itself in it.
    if (known !== undefined) return (value, depth) => known.read?.(value, depth) ?? value;
    const made: Made = { isMade: false, read: undefined };
    this.#made.set(schema, made);
    made.read = this.#make(schema);
    made.isMade = true;
    return made.read;
  }

  #make(schema: Record<string, unknown>): TextReader | undefined {
    const types = this.#typesOf(schema);
    const ofText = types === undefined || types.has('string') ? undefined : types;
    const below = this.#below(schema);
    if (below === undefined && ofText === undefined) return undefined;
    return (value, depth = 0) => {
      if (depth > MAX_DEPTH) return value;
      const read = typeof value === 'string' && ofText ? readText(value, ofText) : value;
      return below === undefined ? read : below(read, depth + 1);
    };
  }

  #below(
    schema: Record<string, unknown>,
  ): ((value: unknown, depth: number) => unknown) | undefined {
    const whole = this.#ofWhole(schema);
    const all = Array.isArray(schema.allOf) ? schema.allOf.map((one) => this.of(one)) : [];
    const parts = [...all, this.#ofChoices(schema)].filter((part) => part !== undefined);
    if (parts.length === 0) return whole;
    return (value, depth) => {
      let read = whole === undefined ? value : whole(value, depth);
      for (const part of parts) {
        if (this.#partsLeft > 0) read = part(read, depth);
        this.#partsLeft -= 1;
      }
      return read;
    };
  }

  #ofWhole(schema: Record<string, unknown>) {
    const object = this.#ofObject(schema);
    const list = this.#ofList(schema);
    if (object === undefined && list === undefined) return undefined;
    return (value: unknown, depth: number): unknown => {
      if (Array.isArray(value)) return list?.(value, depth) ?? value;
      return isRecord(value) ? (object?.(value, depth) ?? value) : value;
    };
  }

  /** By the choice that is meant, as far as that can be told before its texts are read. */
  #ofChoices(schema: Record<string, unknown>): TextReader | undefined {
    const choices = choicesOf(schema)?.map((one): Choice => {
      const resolved = this.#resolved(one) ?? {};
      return { schema: resolved, types: this.#typesOf(resolved), read: this.of(one) };
    });
    if (choices?.some(({ read }) => read !== undefined) !== true) return undefined;
    return (value, depth) => meantChoice(value, choices)?.read?.(value, depth) ?? value;
  }

  ofPatterns(patternProperties: unknown): readonly PatternReader[] {
    return Object.entries(isRecord(patternProperties) ? patternProperties : {}).flatMap(
      ([pattern, own]) => {
        const fits = compilePattern(pattern);
        return fits === undefined ? [] : [{ fits, read: this.of(own) }];
      },
    );
  }

  #ofObject({
    properties,
    patternProperties,
    additionalProperties: others,
  }: Record<string, unknown>) {
    const named = new Map<string, TextReader>();
    const fields = isRecord(properties) ? properties : {};
    for (const [key, own] of Object.entries(fields)) {
      const reader = this.of(own);
      if (reader !== undefined) named.set(key, reader);
    }
    const patterns = this.ofPatterns(patternProperties);
    const rest = this.of(others);
    const readsOthers = rest !== undefined || patterns.some(({ read }) => read !== undefined);
    if (named.size === 0 && !readsOthers) return undefined;
    const readerOf = (key: string): TextReader | undefined => {
      if (Object.hasOwn(fields, key)) return named.get(key);
      const pattern = patterns.find(({ fits }) => fits.test(key));
      return pattern === undefined ? rest : pattern.read;
    };
    return (value: Record<string, unknown>, depth: number): Record<string, unknown> => {
      let copy: Record<string, unknown> | undefined;
      // Mostly there are few fields in which something could be read.
      const keys = readsOthers ? Object.keys(value) : named.keys();
      for (const key of keys) {
        const item = value[key];
        if (!mayHoldText(item) || !Object.hasOwn(value, key)) continue;
        const read = readerOf(key)?.(item, depth) ?? item;
        if (read === item) continue;
        copy ??= { ...value };
        setOwn(copy, key, read);
      }
      return copy ?? value;
    };
  }

  #ofList({ prefixItems, items }: Record<string, unknown>) {
    const prefix: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
    const first = prefix.map((one) => this.of(one));
    const rest = this.of(items);
    if (rest === undefined && first.every((one) => one === undefined)) return undefined;
    return (value: readonly unknown[], depth: number): readonly unknown[] => {
      let copy: unknown[] | undefined;
      for (const [index, item] of value.entries()) {
        const reader = index < first.length ? first[index] : rest;
        if (reader === undefined || !mayHoldText(item)) continue;
        const read = reader(item, depth);
        if (read === item) continue;
        copy ??= [...value];
        copy[index] = read;
      }
      return copy ?? value;
    };
  }

  /** The types that a schema admits at its top, undefined when that cannot be told. */
  #typesOf(given: unknown, steps = 0): ReadonlySet<string> | undefined {
    this.#looks += 1;
    const isOver = steps > MAX_STEPS || this.#looks > MAX_LOOKS;
    const schema = isOver ? undefined : this.#resolved(given);
    if (schema === undefined) return undefined;
    const { type, allOf } = schema;
    if (typeof type === 'string') return new Set([type]);
    if (Array.isArray(type)) return new Set(type.filter((one) => typeof one === 'string'));
    const values: unknown = Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum;
    if (Array.isArray(values)) return new Set(values.map(typeOf));
    if (Array.isArray(allOf)) {
      const all = allOf.map((one) => this.#typesOf(one, steps + 1));
      return all.find((types) => types !== undefined);
    }
    const each = choicesOf(schema)?.map((choice) => this.#typesOf(choice, steps + 1));
    const known = each?.filter((types) => types !== undefined);
    if (known === undefined || known.length !== each?.length) return undefined;
    return new Set(known.flatMap((types) => [...types]));
  }

  #resolved(given: unknown): Record<string, unknown> | undefined {
    let schema = given;
    for (let steps = 0; steps <= MAX_STEPS; steps += 1) {
      if (!isRecord(schema)) return undefined;
      if (typeof schema.$ref !== 'string') return schema;
      schema = resolveReference(schema.$ref, this.#root);
    }
    return undefined;
  }
}

/** The value that the text holds if it is of one of the types, else the text itself. */
export function readText(text: string, types: ReadonlySet<string>): unknown {
  const trimmed = text.trim();
  const first = trimmed.charAt(0);
  const wanted =
    (first === '[' && types.has('array')) ||
    (first === '{' && types.has('object')) ||
    ((types.has('number') || types.has('integer')) && isNumber(trimmed)) ||
    (types.has('boolean') && (trimmed === 'true' || trimmed === 'false'));
  if (!wanted) return text;
  try {
    const value: unknown = JSON.parse(trimmed);
    return value;
  } catch {
    return text;
  }
}

/** Of a whole number, such as an id, no digit may get lost. */
function isNumber(text: string): boolean {
  const parts = NUMBER_TEXT.exec(text);
  if (parts === null) return false;
  const [, fraction, power] = parts;
  const isWhole = fraction === undefined && power === undefined;
  return isWhole ? Number.isSafeInteger(Number(text)) : Number.isFinite(Number(text));
}

function mayHoldText(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}

/** The only one that a value may be; of several the only one that has all that it needs. */
function meantChoice(value: unknown, choices: readonly Choice[]): Choice | undefined {
  const possible = choices.filter((choice) => mayBe(value, choice));
  if (possible.length < 2) return possible[0];
  const whole = possible.filter(({ schema: { required } }) => {
    const names: readonly unknown[] = Array.isArray(required) ? required : [];
    return names.every((name) => ownField(value, String(name)) !== undefined);
  });
  return whole.length === 1 ? whole[0] : undefined;
}

/** Fields that may hold one value only, as the kind of a thing, tell the choices apart. */
function mayBe(value: unknown, { schema, types }: Choice): boolean {
  if (types?.has(typeOf(value)) === false) return false;
  const fields = Object.entries(isRecord(schema.properties) ? schema.properties : {});
  return fields.every(([key, own]) => {
    const wanted = ownField(own, 'const');
    const given = ownField(value, key);
    return wanted === undefined || given === undefined || wanted === given;
  });
}

function choicesOf({ anyOf, oneOf }: Record<string, unknown>): readonly unknown[] | undefined {
  const choices = anyOf ?? oneOf;
  return Array.isArray(choices) && choices.length > 0 ? choices : undefined;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
