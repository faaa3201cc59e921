import { useId } from 'preact/hooks';
import type { ChoiceField, ChoicesField, DraftValue, FormField } from '../base/formField';
import { ChoiceRow } from './choiceRow';
import { FieldHead, type FieldParts, fieldParts, ProblemLine } from './fieldParts';
import { SelectControl } from './selectControl';
import { TextControl } from './textControl';

export interface FormFieldProps {
  readonly field: FormField;
  readonly value: DraftValue | undefined;
  readonly problem: string | undefined;
  readonly onChange: (value: DraftValue) => void;
  /** Enter in a text control; absent where it does nothing of its own. */
  readonly onEnter: (() => void) | undefined;
}

/** More choices than these are a list that opens. */
const MOST_IN_SIGHT = 6;

export function FormFieldView({ field, value, problem, onChange, onEnter }: FormFieldProps) {
  const parts = fieldParts(useId(), field, problem);
  const text = typeof value === 'string' ? value : '';
  switch (field.kind) {
    case 'text':
    case 'number':
      return (
        <div class="field">
          <FieldHead field={field} parts={parts} isLabel />
          <TextControl {...{ field, parts, onChange, onEnter }} value={text} />
          <ProblemLine parts={parts} />
        </div>
      );
    case 'boolean':
      return (
        <div class="field">
          <ChoiceRow
            type="checkbox"
            label={field.label}
            description={field.description}
            checked={value === true}
            fieldKey={field.id}
            onChange={onChange}
          />
        </div>
      );
    case 'choice': {
      // Of radio buttons none can be let go again, and of many the eye finds none.
      const inSight = field.choices.length <= MOST_IN_SIGHT && field.required;
      if (inSight) {
        return (
          <Choices field={field} parts={parts} chosen={[text]} onPick={(at) => onChange(at)} />
        );
      }
      return (
        <div class="field">
          <FieldHead field={field} parts={parts} isLabel />
          <SelectControl field={field} parts={parts} value={text} onChange={onChange} />
          <ProblemLine parts={parts} />
        </div>
      );
    }
    case 'choices': {
      const chosen = typeof value === 'object' ? value : [];
      const toggle = (at: string, on: boolean) =>
        onChange(on ? [...chosen, at] : chosen.filter((one) => one !== at));
      return <Choices field={field} parts={parts} chosen={chosen} onPick={toggle} />;
    }
  }
}

function Choices(props: {
  readonly field: ChoiceField | ChoicesField;
  readonly parts: FieldParts;
  readonly chosen: readonly string[];
  readonly onPick: (index: string, on: boolean) => void;
}) {
  const { field, parts, chosen } = props;
  const single = field.kind === 'choice';
  return (
    <div
      class="field"
      role={single ? 'radiogroup' : 'group'}
      aria-labelledby={parts.labelId}
      aria-describedby={parts.describedBy}
      {...(single ? { 'aria-required': field.required, 'aria-invalid': parts.isWrong } : {})}
    >
      <FieldHead field={field} parts={parts} />
      <div class="choices">
        {field.choices.map((choice, index) => (
          <ChoiceRow
            key={index}
            type={single ? 'radio' : 'checkbox'}
            name={parts.id}
            label={choice.label}
            description={choice.description}
            checked={chosen.includes(String(index))}
            fieldKey={index === 0 ? field.id : undefined}
            onChange={(on) => props.onPick(String(index), on)}
          />
        ))}
      </div>
      <ProblemLine parts={parts} />
    </div>
  );
}
