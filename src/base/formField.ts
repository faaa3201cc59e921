/** One choice of a list. `value` is what the asker gets. */
export interface FormChoice {
  readonly label: string;
  readonly value: string | number | boolean;
  readonly description?: string | undefined;
}

/** Formats that are checked; every other one is a plain text. What is typed as JSON goes as its value. */
export type TextFormat = 'email' | 'uri' | 'date' | 'date-time' | 'json';

interface Common {
  /** Its key in a draft: `0`, `1`, … A name of the asker's could be anything, `__proto__` too. */
  readonly id: string;
  /** What the asker calls it. */
  readonly name: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly required: boolean;
  /** Left empty it is sent as null: its key must be there. */
  readonly orNull?: boolean | undefined;
}

export interface TextField extends Common {
  readonly kind: 'text';
  readonly format?: TextFormat | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  /** A regular expression. Only of askers that are trusted: one can be made to take for ever. */
  readonly pattern?: string | undefined;
  readonly initial?: string | undefined;
}

export interface NumberField extends Common {
  readonly kind: 'number';
  readonly integer: boolean;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly exclusiveMaximum?: number | undefined;
  readonly multipleOf?: number | undefined;
  readonly initial?: number | undefined;
}

export interface BooleanField extends Common {
  readonly kind: 'boolean';
  readonly initial?: boolean | undefined;
}

export interface ChoiceField extends Common {
  readonly kind: 'choice';
  readonly choices: readonly FormChoice[];
  /** Index of a choice. */
  readonly initial?: number | undefined;
}

export interface ChoicesField extends Common {
  readonly kind: 'choices';
  readonly choices: readonly FormChoice[];
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  /** Indexes of choices. */
  readonly initial?: readonly number[] | undefined;
}

/** A field of a form, as plain data. All texts but `name` are made fit to be shown. */
export type FormField = TextField | NumberField | BooleanField | ChoiceField | ChoicesField;

/** Characters that a control takes; far above what a person types into a form. */
export const MAX_TEXT = 200_000;

/** What stands in one control: a text, a tick, the indexes of what is chosen. */
export type DraftValue = string | boolean | readonly string[];

/** What the person has put into a form, by the ids of its fields. */
export type FormDraft = Readonly<Record<string, DraftValue>>;

/** What was answered before, and what only the asker's own schema found wrong with it. */
export interface FormAgain {
  readonly draft: FormDraft;
  /** One readable line each. */
  readonly problems: readonly string[];
}

/** The form as it is first drawn. */
export function initialDraft(fields: readonly FormField[]): FormDraft {
  return Object.fromEntries(fields.map((field) => [field.id, initialValue(field)]));
}

function initialValue(field: FormField): DraftValue {
  switch (field.kind) {
    case 'text':
      return field.initial ?? '';
    case 'number':
      return field.initial === undefined ? '' : String(field.initial);
    case 'boolean':
      return field.initial ?? false;
    case 'choice':
      return field.initial === undefined ? '' : String(field.initial);
    case 'choices':
      return (field.initial ?? []).map(String);
  }
}
