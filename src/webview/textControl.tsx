import { useLayoutEffect, useRef } from 'preact/hooks';
import type { NumberField, TextField } from '../base/formField';
import type { FieldParts } from './fieldParts';
import { growBox } from './growBox';
import { onPlainEnter } from './onPlainEnter';

/** Longer texts get a box that grows. */
const SHORT = 120;

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  email: 'name@example.com',
  uri: 'https://example.com',
  date: '2026-03-31',
  'date-time': '2026-03-31 14:30',
  json: '{ "name": ["value"] }',
};

function maxLengthOf(field: TextField | NumberField): number | undefined {
  return field.kind === 'text' ? field.maxLength : undefined;
}

/**
 * A box for words, numbers and dates. Of a date or a number the browser's own box would keep only
 * what fits, and what was typed half would be lost.
 */
export function TextControl(props: {
  readonly field: TextField | NumberField;
  readonly parts: FieldParts;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onEnter: (() => void) | undefined;
}) {
  const { field, parts, value, onEnter } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => growBox(box.current), [value]);
  const common = {
    id: parts.id,
    value,
    'data-key': field.id,
    'aria-required': field.required,
    'aria-invalid': parts.isWrong,
    'aria-describedby': parts.describedBy,
    onKeyDown: onPlainEnter(onEnter),
  };
  const format = field.kind === 'text' ? field.format : undefined;
  const isJson = format === 'json';
  const isLong = format === undefined && (maxLengthOf(field) ?? SHORT + 1) > SHORT;
  if (field.kind === 'text' && (isLong || isJson)) {
    return (
      <textarea
        {...common}
        ref={box}
        class={isJson ? 'input field-text field-json' : 'input field-text'}
        rows={1}
        dir={isJson ? 'ltr' : 'auto'}
        spellcheck={!isJson}
        placeholder={isJson ? PLACEHOLDERS.json : undefined}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <input
      {...common}
      type="text"
      class={field.kind === 'number' ? 'input field-number' : 'input field-line'}
      dir={format === undefined ? 'auto' : 'ltr'}
      inputMode={field.kind === 'number' ? 'decimal' : undefined}
      placeholder={format === undefined ? undefined : PLACEHOLDERS[format]}
      spellcheck={format === undefined}
      onInput={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}
