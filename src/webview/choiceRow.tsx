import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

/** A radio button or a checkbox with its words; the whole row is its target. */
export function ChoiceRow(props: {
  readonly type: 'radio' | 'checkbox';
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (on: boolean) => void;
  /** Of the group of radio buttons. */
  readonly name?: string;
  readonly description?: string | undefined;
  /** By which the card finds it again. */
  readonly fieldKey?: string | undefined;
  readonly onPoint?: () => void;
  readonly children?: ComponentChildren;
}) {
  const id = useId();
  const mark = useRef<HTMLInputElement>(null);
  const { description, type, checked, onPoint } = props;
  const hasDescription = description !== undefined && description !== '';
  return (
    <div class="choice" onPointerEnter={onPoint}>
      <input
        ref={mark}
        id={id}
        class="choice-mark"
        type={type}
        name={props.name}
        checked={checked}
        data-key={props.fieldKey}
        aria-describedby={hasDescription ? `${id}-d` : undefined}
        onFocus={onPoint}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <label class="choice-words" for={id} dir="auto">
        {props.label}
      </label>
      {hasDescription && (
        // A second label would be part of the name.
        <span
          class="choice-detail"
          id={`${id}-d`}
          dir="auto"
          onClick={() => {
            mark.current?.focus();
            mark.current?.click();
          }}
        >
          {description}
        </span>
      )}
      {props.children}
    </div>
  );
}
