import * as l10n from '@vscode/l10n';
import type { ChoiceField } from '../base/formField';
import type { FieldParts } from './fieldParts';
import { Icon } from './icon';

/** One of many choices, or of a few that may be left out. */
export function SelectControl(props: {
  readonly field: ChoiceField;
  readonly parts: FieldParts;
  readonly value: string;
  readonly onChange: (index: string) => void;
}) {
  const { field, parts, value } = props;
  return (
    <div class="select">
      <select
        id={parts.id}
        class="input field-select"
        data-key={field.id}
        aria-required={field.required}
        aria-invalid={parts.isWrong}
        aria-describedby={parts.describedBy}
        value={value}
        onChange={(event) => props.onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          // Escape closes the open list: it must not lead out of the card as well.
          if (event.key === 'Escape') event.stopPropagation();
        }}
      >
        <option value="">{field.required ? l10n.t('Choose…') : l10n.t('No answer')}</option>
        {field.choices.map((choice, index) => (
          <option key={index} value={String(index)}>
            {choice.label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" class="select-chevron" />
    </div>
  );
}
