import * as l10n from '@vscode/l10n';
import type { FormField } from '../base/formField';
import { FormSchemaError, readFormSchema } from './readFormSchema';

type Json = Readonly<Record<string, unknown>>;

/** The form of a tool's arguments. */
export interface ToolForm {
  readonly fields: readonly FormField[];
  /** The arguments, of what the form gave. */
  readonly read: (content: Json) => unknown;
}

/** What a schema may say besides its properties, so that these alone do not tell what fits. */
const BEYOND = ['anyOf', 'oneOf', 'allOf', 'not', 'if', '$ref', 'patternProperties'];

/**
 * The form by which a person gives a tool its arguments: a control for each that has one, JSON for
 * the others, and for a schema that is no list of fields one JSON text. The tool's own check follows.
 */
export function toolForm(schema: Json): ToolForm {
  const properties = schema.properties ?? {};
  const hasFields = Object.keys(properties).length > 0;
  const takesOthers =
    schema.additionalProperties !== undefined && schema.additionalProperties !== false;
  const isPlain = !BEYOND.some((key) => key in schema) && (hasFields || !takesOthers);
  if (!isPlain) return wholeAsJson();
  try {
    const fields = readFormSchema(schema, { trusted: true, json: true });
    return { fields, read: (content) => withoutUnsaid(fields, content) };
  } catch (error) {
    if (error instanceof FormSchemaError) return wholeAsJson();
    throw error;
  }
}

function wholeAsJson(): ToolForm {
  const label = l10n.t('Arguments as JSON');
  const field: FormField = {
    ...{ id: '0', name: 'input', label, kind: 'text', format: 'json' },
    required: true,
    initial: '{}',
  };
  return { fields: [field], read: ({ input }) => input };
}

/** A box that was left without a tick says nothing where its argument may be left out. */
function withoutUnsaid(fields: readonly FormField[], content: Json): Json {
  const unsaid = new Set(
    fields.flatMap((field) =>
      field.kind === 'boolean' && !field.required && field.initial === undefined
        ? [field.name]
        : [],
    ),
  );
  return Object.fromEntries(
    Object.entries(content).filter(([name, value]) => !(unsaid.has(name) && value === false)),
  );
}
