import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon';
import { type PickerOption, takePickerKey } from './pickerKeys';
import { usePopup } from './usePopup';

export interface PickerProps {
  /** `Model`: names the list. */
  readonly label: string;
  /** `Model: Opus`: names the button. */
  readonly name: string;
  readonly icon: string;
  readonly value: string;
  /** On the button, where that is not the label of the value. */
  readonly shown?: string | undefined;
  readonly options: readonly PickerOption[];
  readonly onChoose: (id: string) => void;
  /** Opens the list each time it grows. */
  readonly openRequests?: number;
}

/** A quiet button that opens a list upwards. */
export function Picker(props: PickerProps) {
  const popup = usePopup();
  const { setOpen } = popup;
  const requests = props.openRequests ?? 0;
  const seen = useRef(requests);
  useLayoutEffect(() => {
    if (requests > seen.current) setOpen(true);
    seen.current = requests;
  }, [requests, setOpen]);
  const current = props.options.find((option) => option.id === props.value);
  return (
    <div class="picker" ref={popup.root}>
      <button
        ref={popup.button}
        type="button"
        class="picker-button"
        aria-haspopup="listbox"
        aria-expanded={popup.open}
        aria-label={props.name}
        title={props.name}
        onClick={() => popup.setOpen(!popup.open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          popup.setOpen(true);
        }}
      >
        <Icon name={props.icon} />
        <span class="picker-value">{props.shown ?? current?.label ?? props.value}</span>
        <Icon name="chevron-down" class="picker-chevron" />
      </button>
      {popup.open && <PickerList {...props} close={popup.close} />}
    </div>
  );
}

function PickerList(props: PickerProps & { readonly close: (refocus: boolean) => void }) {
  const { options } = props;
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const chosen = options.findIndex((option) => option.id === props.value);
  const [moved, setActive] = useState(Math.max(chosen, 0));
  // The list may become shorter while it is open.
  const active = Math.min(moved, options.length - 1);
  useLayoutEffect(() => list.current?.focus(), []);
  useLayoutEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const choose = (index: number) => {
    const option = options[index];
    if (!option || option.disabledReason !== undefined) return;
    if (option.id !== props.value) props.onChoose(option.id);
    props.close(true);
  };
  const onKeyDown = (event: KeyboardEvent) =>
    takePickerKey(event, options, active, {
      ...{ move: setActive, choose },
      close: () => props.close(true),
    });
  return (
    <div
      ref={list}
      role="listbox"
      class="popup picker-list"
      // Where it scrolls it must be reachable as what scrolls; Tab itself leaves it.
      tabIndex={0}
      aria-label={props.label}
      aria-activedescendant={`${base}-${active}`}
      onKeyDown={onKeyDown}
    >
      {options.map((option, index) => (
        <PickerRow
          key={option.id}
          id={`${base}-${index}`}
          option={option}
          active={index === active}
          selected={option.id === props.value}
          onPoint={() => setActive(index)}
          onChoose={() => choose(index)}
        />
      ))}
    </div>
  );
}

function PickerRow(props: {
  readonly id: string;
  readonly option: PickerOption;
  readonly active: boolean;
  readonly selected: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}) {
  const { option } = props;
  const disabled = option.disabledReason !== undefined;
  const detail = option.disabledReason ?? option.description;
  return (
    <div
      id={props.id}
      role="option"
      class={`option ${props.active ? 'option-active' : ''} ${disabled ? 'option-disabled' : ''}`}
      aria-selected={props.selected}
      aria-disabled={disabled}
      onPointerMove={props.onPoint}
      onClick={props.onChoose}
    >
      <Icon
        name={disabled ? 'circle-slash' : 'check'}
        class={props.selected || disabled ? 'option-check' : 'option-check hidden'}
      />
      <span class="option-label">{option.label}</span>
      {detail !== undefined && detail !== '' && <span class="option-detail">{detail}</span>}
    </div>
  );
}
