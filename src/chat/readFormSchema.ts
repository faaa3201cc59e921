import * as l10n from '@vscode/l10n';
import type { FormChoice, FormField, TextFormat } from '../base/formField';
import { isJsonObject } from '../protocol/lazySchema';
import { oneLine } from './boundedText';
import { visibleText } from './visibleText';

/** More than a person fills in; a server that sends more is at fault. */
const MAX_FIELDS = 100;
const MAX_CHOICES = 500;
const LABEL_LIMIT = 200;
const DESCRIPTION_LIMIT = 1000;

const FORMATS: ReadonlySet<string> = new Set<TextFormat>(['email', 'uri', 'date', 'date-time']);

export interface FormSchemaOptions {
  /** The order of the fields where the schema's own is not kept. */
  readonly order?: readonly string[] | undefined;
  /** Patterns are checked only of askers that are trusted. */
  readonly trusted: boolean;
  /** What no field can show is typed as JSON, instead of being an error. */
  readonly json?: boolean | undefined;
}

/** A schema that no form can show. Its message is for the author of the asker. */
export class FormSchemaError extends Error {}

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads a form from the JSON Schema of an object: texts, numbers, truth values, one choice or
 * several, each also with null beside it.
 * @throws FormSchemaError that names the first field of another kind
 */
export function readFormSchema(schema: Json, options: FormSchemaOptions): FormField[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const known = Object.keys(properties);
  if (known.length > MAX_FIELDS) {
    throw new FormSchemaError(
      `The form has ${known.length} fields; at most ${MAX_FIELDS} can be shown`,
    );
  }
  const first = (options.order ?? []).filter((name) => Object.hasOwn(properties, name));
  const names = [...new Set([...first, ...known])];
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return names.map((name, index) => {
    const own = resolve(properties[name], schema);
    const common = {
      id: String(index),
      name,
      label: text(own.title, LABEL_LIMIT) ?? labelOf(name),
      description: text(own.description, DESCRIPTION_LIMIT),
      // With null beside it, it can be left empty although it must be there.
      required: required.has(name) && !isNullable(own),
      ...(required.has(name) && isNullable(own) ? { orNull: true } : {}),
    };
    const field = fieldOf(common, withoutNull(own, schema), {
      initial: own.default,
      trusted: options.trusted,
      root: schema,
    });
    if (field !== undefined) return field;
    if (options.json === true) return jsonField(common, own.default);
    throw new FormSchemaError(
      `The form cannot show '${name}': it can ask for text, numbers, true or false, and choices`,
    );
  });
}

function jsonField(common: Common, initial: unknown): FormField {
  return {
    ...common,
    kind: 'text',
    format: 'json',
    initial: initial === undefined ? undefined : JSON.stringify(initial),
  };
}

type Common = Pick<FormField, 'id' | 'name' | 'label' | 'description' | 'required' | 'orNull'>;

interface FieldFacts {
  readonly initial: unknown;
  readonly trusted: boolean;
  /** The whole schema, for its definitions. */
  readonly root: Json;
}

function fieldOf(common: Common, own: Json, facts: FieldFacts): FormField | undefined {
  const { initial, trusted } = facts;
  const choices = choicesOf(own);
  if (choices !== undefined) {
    const at = choices.findIndex(({ value }) => value === initial);
    return { ...common, kind: 'choice', choices, initial: at === -1 ? undefined : at };
  }
  switch (own.type) {
    case 'string':
      return { ...common, kind: 'text', ...textRules(own, trusted), initial: plainText(initial) };
    case 'number':
    case 'integer':
      return {
        ...common,
        kind: 'number',
        integer: own.type === 'integer',
        ...numberRules(own),
        initial: typeof initial === 'number' ? initial : undefined,
      };
    case 'boolean':
      return {
        ...common,
        kind: 'boolean',
        initial: typeof initial === 'boolean' ? initial : undefined,
      };
    case 'array':
      return choicesField(common, own, facts);
    default:
      return undefined;
  }
}

function choicesField(
  common: Common,
  own: Json,
  { initial, root }: FieldFacts,
): FormField | undefined {
  const choices = choicesOf(resolve(own.items, root));
  if (choices === undefined) return undefined;
  const chosen: readonly unknown[] = Array.isArray(initial) ? initial : [];
  return {
    ...common,
    kind: 'choices',
    choices,
    minItems: count(own.minItems),
    maxItems: count(own.maxItems),
    initial: choices.flatMap(({ value }, index) => (chosen.includes(value) ? [index] : [])),
  };
}

/** `enum`, with `enumNames` where it has them, or a list of titled constants. */
function choicesOf(own: Json): FormChoice[] | undefined {
  const titled = [own.oneOf, own.anyOf].find((list) => Array.isArray(list) && list.every(isConst));
  const values: unknown = own.enum ?? ('const' in own ? [own.const] : undefined);
  let choices: FormChoice[] | undefined;
  if (Array.isArray(titled)) {
    choices = (titled as Json[]).flatMap((one) => choiceOf(one.const, one.title, one.description));
  } else if (Array.isArray(values)) {
    const names: readonly unknown[] = Array.isArray(own.enumNames) ? own.enumNames : [];
    choices = values.flatMap((value, index) => choiceOf(value, names[index], undefined));
  }
  if (choices === undefined || choices.length === 0) return undefined;
  if (choices.length > MAX_CHOICES) {
    throw new FormSchemaError(
      `A field has ${choices.length} choices; at most ${MAX_CHOICES} can be shown`,
    );
  }
  return choices;
}

const isConst = (value: unknown): boolean => isJsonObject(value) && Object.hasOwn(value, 'const');

function choiceOf(value: unknown, title: unknown, description: unknown): FormChoice[] {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return [];
  const label = text(title, LABEL_LIMIT) ?? text(String(value), LABEL_LIMIT) ?? l10n.t('(empty)');
  return [{ label, value, description: text(description, DESCRIPTION_LIMIT) }];
}

function textRules(own: Json, trusted: boolean) {
  const format = typeof own.format === 'string' && FORMATS.has(own.format) ? own.format : undefined;
  return {
    // The set holds nothing else.
    format: format as TextFormat | undefined,
    minLength: count(own.minLength),
    maxLength: count(own.maxLength),
    pattern: trusted ? plainText(own.pattern) : undefined,
  };
}

function numberRules(own: Json) {
  const isInteger = own.type === 'integer';
  // What zod says of every whole number is no rule for a person.
  const limit = (value: unknown): number | undefined =>
    typeof value === 'number' && !(isInteger && Math.abs(value) === Number.MAX_SAFE_INTEGER)
      ? value
      : undefined;
  return {
    minimum: limit(own.minimum),
    maximum: limit(own.maximum),
    exclusiveMinimum: limit(own.exclusiveMinimum),
    exclusiveMaximum: limit(own.exclusiveMaximum),
    multipleOf: limit(own.multipleOf),
  };
}

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 ? value : undefined;
const plainText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

function text(value: unknown, limit: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const line = oneLine(visibleText(oneLine(value, limit)), limit);
  return line === '' ? undefined : line;
}

/** `dueDate` and `due_date` → `Due date`. */
function labelOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return text(words.charAt(0).toUpperCase() + words.slice(1), LABEL_LIMIT) ?? l10n.t('(no name)');
}

/** Definitions that refer to one another; more of them is a circle. */
const MAX_STEPS = 20;

/**
 * With the definition inside of the schema that it refers to, also as the only one of `allOf`, where
 * older drafts put what has a default. What leads elsewhere is none that can be shown.
 */
function resolve(own: unknown, root: Json, steps = 0): Json {
  if (!isJsonObject(own) || steps > MAX_STEPS) return {};
  const only: unknown = Array.isArray(own.allOf) && own.allOf.length === 1 ? own.allOf[0] : null;
  const target = typeof own.$ref === 'string' ? definitionOf(own.$ref, root) : only;
  if (!isJsonObject(target)) return own;
  return { ...resolve(target, root, steps + 1), ...own, $ref: undefined, allOf: undefined };
}

function definitionOf(ref: string, root: Json): unknown {
  const [, list = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(ref) ?? [];
  const definitions = root[list];
  return isJsonObject(definitions) && Object.hasOwn(definitions, name)
    ? definitions[name]
    : undefined;
}

const isNull = (one: unknown): boolean => isJsonObject(one) && one.type === 'null';

/** Where a list of schemas has null in it. */
const nullIn = (own: Json): 'anyOf' | 'oneOf' | undefined =>
  (['anyOf', 'oneOf'] as const).find((key) => {
    const list = own[key];
    return Array.isArray(list) && list.some(isNull);
  });

function isNullable(own: Json): boolean {
  if (Array.isArray(own.enum) && own.enum.includes(null)) return true;
  if (Array.isArray(own.type)) return own.type.includes('null');
  return nullIn(own) !== undefined;
}

function withoutNull(own: Json, root: Json): Json {
  if (!isNullable(own)) return own;
  if (Array.isArray(own.type)) {
    const types: unknown[] = own.type.filter((type) => type !== 'null');
    return { ...own, type: types.length === 1 ? types[0] : types };
  }
  const key = nullIn(own);
  const list = key === undefined ? undefined : own[key];
  // In a list of values it is no choice anyway.
  if (key === undefined || !Array.isArray(list)) return own;
  const others: unknown[] = list.filter((one) => !isNull(one));
  if (others.length !== 1) return { ...own, [key]: others };
  return { ...own, [key]: undefined, ...resolve(others[0], root) };
}
