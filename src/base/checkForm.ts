import * as l10n from '@vscode/l10n';
import {
  type ChoiceField,
  type ChoicesField,
  type DraftValue,
  type FormDraft,
  type FormField,
  MAX_TEXT,
  type NumberField,
  type TextField,
  type TextFormat,
} from './formField';
import { codePointLength } from './codePointLength';
import { compilePattern } from './compilePattern';
import { errorMessage } from './errors';
import { isMultipleOf } from './isMultipleOf';

/** The value of a field, or one readable line. An absent value is left out of the answer. */
type Checked = { readonly value: unknown } | { readonly problem: string };

export type CheckedForm =
  | { readonly ok: true; readonly content: Readonly<Record<string, unknown>> }
  /** One readable line for each field that does not fit, by the field's id. */
  | { readonly ok: false; readonly problems: ReadonlyMap<string, string> };

/** Reads what the person put into a form. The view and the host check by the same function. */
export function checkForm(fields: readonly FormField[], draft: FormDraft): CheckedForm {
  const problems = new Map<string, string>();
  const entries: [string, unknown][] = [];
  for (const field of fields) {
    const checked = checkField(field, Object.hasOwn(draft, field.id) ? draft[field.id] : undefined);
    if ('problem' in checked) problems.set(field.id, checked.problem);
    else if (checked.value !== undefined) entries.push([field.name, checked.value]);
    else if (field.orNull === true) entries.push([field.name, null]);
  }
  return problems.size > 0
    ? { ok: false, problems }
    : { ok: true, content: Object.fromEntries(entries) };
}

/** Characters of a pattern that says something to a person; zod writes long ones for its formats. */
const READABLE_PATTERN = 60;

const NOTHING: Checked = { value: undefined };

function checkField(field: FormField, given: DraftValue | undefined): Checked {
  switch (field.kind) {
    case 'text':
      return checkText(field, typeof given === 'string' ? given : '');
    case 'number':
      return checkNumber(field, typeof given === 'string' ? given.trim() : '');
    case 'boolean':
      return { value: given === true };
    case 'choice':
      return checkChoice(field, given);
    case 'choices':
      return checkChoices(field, typeof given === 'object' ? given : []);
  }
}

function checkText(field: TextField, given: string): Checked {
  const { format, minLength, required } = field;
  const text = format === undefined ? given : given.trim();
  if (text === '') {
    if (!required) return isEmptied(field) ? { value: '' } : NOTHING;
    const isTooShort = minLength === undefined || minLength > 0;
    const problem = isTooShort ? l10n.t('Fill this in.') : ruleLine(field, '');
    return problem === undefined ? { value: '' } : { problem };
  }
  if (text.length > MAX_TEXT) return { problem: l10n.t('Write at most {0} characters.', MAX_TEXT) };
  if (format === 'json') return checkJson(text);
  if (format !== undefined) return checkFormatted(field, text, format);
  const problem = ruleLine(field, text);
  return problem === undefined ? { value: text } : { problem };
}

/** Left out it would come back: a schema puts its default there. */
function isEmptied(field: TextField): boolean {
  const { initial = '', format, orNull } = field;
  return initial !== '' && format === undefined && orNull !== true && !ruleLine(field, '');
}

type Format = Exclude<TextFormat, 'json'>;

function checkFormatted(field: TextField, text: string, format: Format): Checked {
  const spellings = spellingsOf(text, format);
  const lines = spellings.map((one) => ruleLine(field, one, format));
  const fitting = lines.indexOf(undefined);
  if (fitting !== -1) return { value: spellings[fitting] };
  return { problem: lines[0] ?? formatLine(format) };
}

/** What of length and pattern a text breaks that would go out so. */
function ruleLine(field: TextField, text: string, format?: Format): string | undefined {
  const { minLength, maxLength, pattern } = field;
  const length = codePointLength(text);
  if (minLength !== undefined && length < minLength) {
    return l10n.t('Write at least {0} characters; there are {1}.', minLength, length);
  }
  if (maxLength !== undefined && length > maxLength) {
    return l10n.t('Write at most {0} characters; there are {1}.', maxLength, length);
  }
  // One that is no regular expression checks nothing: whoever asks looks at the answer as well.
  if (pattern === undefined || compilePattern(pattern)?.test(text) !== false) return undefined;
  return format === undefined || pattern.length <= READABLE_PATTERN
    ? l10n.t('This must have the form {0}', pattern)
    : formatLine(format);
}

/** The texts that may go out for what was typed; none where it is not of the format. */
function spellingsOf(text: string, format: Format): readonly string[] {
  switch (format) {
    case 'email':
      return /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/u.test(text) ? [text] : [];
    case 'uri':
      return /^[a-z][a-z0-9+.-]*:\S+$/i.test(text) && URL.canParse(text) ? [text] : [];
    case 'date':
      return isDay(text) ? [text] : [];
    case 'date-time':
      return momentSpellings(text);
  }
}

function formatLine(format: Format): string {
  switch (format) {
    case 'email':
      return l10n.t('Write an email address, such as name@example.com.');
    case 'uri':
      return l10n.t('Write a whole address, such as https://example.com.');
    case 'date':
      return l10n.t('Write the date as year-month-day, such as 2026-03-31.');
    case 'date-time':
      return l10n.t('Write date and time, such as 2026-03-31 14:30.');
  }
}

function checkJson(text: string): Checked {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: l10n.t('Write JSON, such as ["a", "b"]. {0}', errorMessage(error)) };
  }
}

/** A day that the calendar has: JavaScript would make March of 30 February. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/**
 * Without a zone it is the person's own; the asker gets it in UTC, as the format wants a zone. To
 * the second; to the millisecond or the minute where a pattern wants that.
 */
function momentSpellings(text: string): readonly string[] {
  const parts = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:\d{2})?$/i.exec(
    text,
  );
  const [, day = '', minutes = '', seconds = ':00', fraction = '', zone = ''] = parts ?? [];
  const time = Date.parse(`${day}T${minutes}${seconds}${fraction}${zone.toUpperCase()}`);
  if (parts === null || !isDay(day) || Number.isNaN(time)) return [];
  const exact = new Date(time).toISOString();
  return [exact.replace('.000Z', 'Z'), exact, exact.replace(':00.000Z', 'Z')];
}

function checkNumber(field: NumberField, text: string): Checked {
  if (text === '') return field.required ? { problem: l10n.t('Fill this in.') } : NOTHING;
  const value = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  if (!Number.isFinite(value)) {
    return {
      problem: field.integer
        ? l10n.t('Write a whole number, such as 12.')
        : l10n.t('Write a number, such as 12 or 1.5.'),
    };
  }
  if (field.integer && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    return { problem: l10n.t('This number is too large to be kept exactly.') };
  }
  if (field.integer && !Number.isInteger(value)) {
    return { problem: l10n.t('Write a whole number, such as 12.') };
  }
  const problem = outOfRange(field, value);
  return problem === undefined ? { value } : { problem };
}

function outOfRange(field: NumberField, value: number): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = field;
  if (minimum !== undefined && value < minimum) return l10n.t('At least {0}.', minimum);
  if (maximum !== undefined && value > maximum) return l10n.t('At most {0}.', maximum);
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    return l10n.t('More than {0}.', exclusiveMinimum);
  }
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
    return l10n.t('Less than {0}.', exclusiveMaximum);
  }
  if (multipleOf === undefined || multipleOf <= 0 || isMultipleOf(value, multipleOf)) {
    return undefined;
  }
  return l10n.t('A multiple of {0}.', multipleOf);
}

function checkChoice(field: ChoiceField, given: DraftValue | undefined): Checked {
  const chosen = typeof given === 'string' ? choiceAt(field, given) : undefined;
  if (chosen !== undefined) return { value: chosen.value };
  return field.required ? { problem: l10n.t('Choose one.') } : NOTHING;
}

function checkChoices(field: ChoicesField, given: readonly string[]): Checked {
  const value = [...new Set(given)].flatMap((index) => choiceAt(field, index)?.value ?? []);
  const { minItems, maxItems, required, orNull, initial = [] } = field;
  // Where something was chosen beforehand, none is an answer: left out, that would come back.
  const isEmptied = initial.length > 0 && orNull !== true;
  if (value.length === 0 && !required && !isEmptied) return NOTHING;
  if (minItems !== undefined && value.length < minItems) {
    return {
      problem:
        minItems === 1 ? l10n.t('Choose at least one.') : l10n.t('Choose at least {0}.', minItems),
    };
  }
  if (maxItems !== undefined && value.length > maxItems) {
    return { problem: l10n.t('Choose at most {0}.', maxItems) };
  }
  return { value };
}

function choiceAt({ choices }: ChoiceField | ChoicesField, index: string) {
  return /^\d+$/.test(index) ? choices[Number(index)] : undefined;
}
