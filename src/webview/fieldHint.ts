import * as l10n from '@vscode/l10n';
import type { FormField, NumberField, TextField } from '../base/formField';

/** What a field wants, in a few words beside its name; undefined where there is nothing to say. */
export function fieldHint(field: FormField): string | undefined {
  const optional = field.required || field.kind === 'boolean' ? [] : [l10n.t('optional')];
  const parts = [...optional, ...rules(field)];
  return parts.length === 0 ? undefined : parts.join(', ');
}

function rules(field: FormField): readonly string[] {
  switch (field.kind) {
    case 'text':
      return textRules(field);
    case 'number':
      return numberRules(field);
    case 'choices':
      return range(field.minItems === 0 ? undefined : field.minItems, field.maxItems);
    case 'boolean':
    case 'choice':
      return [];
  }
}

function textRules({ format, minLength = 0, maxLength }: TextField): readonly string[] {
  if (format === 'date') return [l10n.t('year-month-day')];
  if (format === 'date-time') return [l10n.t('year-month-day hours:minutes')];
  if (format === 'json') return ['JSON'];
  if (format !== undefined) return [];
  if (minLength > 1 && maxLength !== undefined) {
    return [l10n.t('{0} to {1} characters', minLength, maxLength)];
  }
  if (minLength > 1) return [l10n.t('at least {0} characters', minLength)];
  return maxLength === undefined ? [] : [l10n.t('at most {0} characters', maxLength)];
}

function numberRules(field: NumberField): readonly string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = field;
  return [
    ...range(minimum, maximum),
    ...(exclusiveMinimum === undefined ? [] : [l10n.t('more than {0}', exclusiveMinimum)]),
    ...(exclusiveMaximum === undefined ? [] : [l10n.t('less than {0}', exclusiveMaximum)]),
  ];
}

function range(least: number | undefined, most: number | undefined): readonly string[] {
  if (least !== undefined && most !== undefined) return [l10n.t('{0} to {1}', least, most)];
  if (least !== undefined) return [l10n.t('at least {0}', least)];
  return most === undefined ? [] : [l10n.t('at most {0}', most)];
}
