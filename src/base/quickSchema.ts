import type { $ZodType, $ZodTypes } from 'zod/v4/core';

/**
 * The same verdict as zod's on what fits, and the same value, in about half the time (4 to 6 µs for
 * a whole message against 10): a turn brings a dozen messages, some with thirty optional details, and
 * zod makes objects for each detail.
 * Where this says {@link MISFIT} zod is asked, so that only zod decides what an error is. A property
 * test holds both to the same answers.
 */
export type QuickSchema = (value: unknown) => unknown;

/** Does not fit. Exactly where zod says so, or what is caught would differ. */
export const MISFIT = Symbol('misfit');

/** Undefined for a schema that has something in it which is not known here. */
type QuickMaker = (schema: $ZodType) => QuickSchema | undefined;

/** Also of schemas that run code of their own, such as a transformation: it must be quick and sound. */
export const quickSchema = createMaker(true);

/** Only of schemas that are mere data: what an author's code does is left to zod. */
export const quickDataSchema = createMaker(false);

function createMaker(runsCode: boolean): QuickMaker {
  const made = new WeakMap<$ZodType, QuickSchema | undefined>();
  const of: QuickMaker = (schema) => {
    if (made.has(schema)) return made.get(schema);
    // Until then it counts as unknown: one that has itself in it is left to zod.
    made.set(schema, undefined);
    const quick = make(schema, of, runsCode);
    made.set(schema, quick);
    return quick;
  };
  return of;
}

type Def = $ZodTypes['_zod']['def'];
const CODE = new Set(['custom', 'pipe', 'transform', 'catch']);

function make(schema: $ZodType, of: QuickMaker, runsCode: boolean): QuickSchema | undefined {
  // Zod's own union of all its types; what is not told apart below is left to zod.
  const { def } = (schema as $ZodTypes)._zod;
  if (def.checks !== undefined && def.checks.length > 0) return undefined;
  if (!runsCode && CODE.has(def.type)) return undefined;
  return makeLeaf(def) ?? makeWrapper(schema, def, of) ?? makeWhole(def, of);
}

function makeLeaf(def: Def): QuickSchema | undefined {
  // `format` and `coerce`: a text that must be an address, a number made of a text.
  if ('format' in def || 'coerce' in def) return undefined;
  if (def.type === 'string') return (value) => (typeof value === 'string' ? value : MISFIT);
  if (def.type === 'number') return (value) => (Number.isFinite(value) ? value : MISFIT);
  if (def.type === 'boolean') return (value) => (typeof value === 'boolean' ? value : MISFIT);
  if (def.type === 'unknown') return (value) => value;
  if (def.type === 'literal') return oneOf(def.values);
  if (def.type === 'enum') {
    const values = Object.values(def.entries);
    // One of numbers lists its names among its values.
    return values.every((value) => typeof value === 'string') ? oneOf(values) : undefined;
  }
  if (def.type === 'custom') {
    return (value) => (def.fn(value) === true ? value : MISFIT);
  }
  return undefined;
}

function oneOf(allowed: readonly unknown[]): QuickSchema {
  const values = new Set(allowed);
  return (value) => (values.has(value) ? value : MISFIT);
}

function makeWrapper(schema: $ZodType, def: Def, of: QuickMaker): QuickSchema | undefined {
  if (def.type === 'optional' && schema._zod.optin === 'optional') {
    return orPass(of(def.innerType), undefined);
  }
  if (def.type === 'nullable') return orPass(of(def.innerType), null);
  if (def.type === 'catch') return caught(of(def.innerType), def.catchValue as () => unknown);
  if (def.type === 'pipe') return piped(of(def.in), def.out);
  return undefined;
}

function makeWhole(def: Def, of: QuickMaker): QuickSchema | undefined {
  if (def.type === 'array') return list(of(def.element));
  if (def.type === 'object' && def.catchall === undefined) return fields(def.shape, of);
  if (def.type === 'record') return entries(def.keyType, of(def.valueType));
  if (def.type === 'union' && !('discriminator' in def) && def.inclusive !== false) {
    return firstOf(def.options.map(of));
  }
  return undefined;
}

function orPass(quick: QuickSchema | undefined, passed: null | undefined): QuickSchema | undefined {
  return quick && ((value) => (value === passed ? passed : quick(value)));
}

/** Only for what is caught as undefined, as `detail` does. */
function caught(quick: QuickSchema | undefined, instead: () => unknown): QuickSchema | undefined {
  if (quick === undefined || instead() !== undefined) return undefined;
  return (value) => {
    const result = quick(value);
    return result === MISFIT ? undefined : result;
  };
}

function list(quick: QuickSchema | undefined): QuickSchema | undefined {
  if (quick === undefined) return undefined;
  return (value) => {
    if (!Array.isArray(value)) return MISFIT;
    const out: unknown[] = [];
    for (const item of value as readonly unknown[]) {
      const result = quick(item);
      if (result === MISFIT) return MISFIT;
      out.push(result);
    }
    return out;
  };
}

function entries(keys: $ZodType, quick: QuickSchema | undefined): QuickSchema | undefined {
  const { def } = (keys as $ZodTypes)._zod;
  // What is asked of the keys is left to zod: they may be refused, or changed.
  const isPlainText = def.type === 'string' && (def.checks ?? []).length === 0;
  if (quick === undefined || !isPlainText || makeLeaf(def) === undefined) return undefined;
  return (value) => {
    if (!isRecord(value) || !isPlain(value)) return MISFIT;
    const out: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      if (key === '__proto__') continue;
      const result = quick(value[key]);
      if (result === MISFIT) return MISFIT;
      out[key] = result;
    }
    return out;
  };
}

function firstOf(options: readonly (QuickSchema | undefined)[]): QuickSchema | undefined {
  const all = options.filter((quick) => quick !== undefined);
  if (all.length < options.length) return undefined;
  return (value) => {
    for (const quick of all) {
      const result = quick(value);
      if (result !== MISFIT) return result;
    }
    return MISFIT;
  };
}

function piped(quick: QuickSchema | undefined, then: $ZodType): QuickSchema | undefined {
  const { def } = (then as $ZodTypes)._zod;
  if (quick === undefined || def.type !== 'transform') return undefined;
  const transform = def.transform as QuickSchema;
  return (value) => {
    const result = quick(value);
    return result === MISFIT ? MISFIT : transform(result);
  };
}

interface Field {
  readonly key: string;
  readonly quick: QuickSchema;
  /** What becomes of a key that is not there. */
  readonly absent: 'skip' | 'misfit' | 'run';
}

function fields(
  shape: Readonly<Record<string, $ZodType>>,
  of: QuickMaker,
): QuickSchema | undefined {
  const all: Field[] = [];
  for (const [key, schema] of Object.entries(shape)) {
    const quick = of(schema);
    const { optin, optout } = schema._zod;
    if (quick === undefined || optin === 'defaulted' || key === '__proto__') return undefined;
    const absent = optin === undefined ? 'misfit' : optout === 'optional' ? 'skip' : 'run';
    all.push({ key, quick, absent });
  }
  return (value) => (isRecord(value) ? readFields(all, value) : MISFIT);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readFields(all: readonly Field[], value: Readonly<Record<string, unknown>>): unknown {
  const out: Record<string, unknown> = {};
  for (const { key, quick, absent } of all) {
    const given = value[key];
    const isAbsent = given === undefined && !(key in value);
    if (isAbsent && absent === 'misfit') return MISFIT;
    if (isAbsent && absent === 'skip') continue;
    const result = quick(given);
    if (result === MISFIT) return MISFIT;
    if (result !== undefined || !isAbsent) out[key] = result;
  }
  return out;
}

/** What zod takes for plain: nothing that was made by a class. */
function isPlain(value: Readonly<Record<string, unknown>>): boolean {
  const { constructor } = value;
  if (typeof constructor !== 'function') return true;
  const prototype: unknown = constructor.prototype;
  return isRecord(prototype) && Object.hasOwn(prototype, 'isPrototypeOf');
}
