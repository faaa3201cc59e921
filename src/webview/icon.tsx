import type { Ref } from 'preact';

/** A codicon. It says nothing to a screen reader: the name stands on what it decorates. */
export function Icon({ name, spin, class: extra }: IconProps) {
  const classes = ['codicon', `codicon-${name}`, spin ? 'codicon-modifier-spin' : '', extra ?? ''];
  return <span class={classes.filter(Boolean).join(' ')} aria-hidden="true" />;
}

interface IconProps {
  readonly name: string;
  readonly spin?: boolean;
  readonly class?: string;
}

/** A button of one icon, 24 px, named for everyone. */
export function IconButton(props: {
  readonly icon: string;
  readonly name: string;
  /** More than the name, for whoever points at it. */
  readonly hint?: string;
  readonly onClick: () => void;
  readonly class?: string;
  /** It does nothing here. It keeps the focus, unlike one that is disabled. */
  readonly isOff?: boolean;
  /** Whether the dialog that it opens is open; undefined for a button that opens none. */
  readonly hasDialog?: boolean;
  /** Id of what says what it is about, where its name does not. */
  readonly describedBy?: string;
  readonly buttonRef?: Ref<HTMLButtonElement>;
  /** What it does takes a while, and nobody means it twice by a double click or a key held down. */
  readonly once?: boolean;
}) {
  return (
    <button
      type="button"
      class={`icon-button ${props.class ?? ''}`.trim()}
      aria-label={props.name}
      aria-describedby={props.describedBy}
      title={props.hint ?? props.name}
      aria-disabled={props.isOff === true ? true : undefined}
      aria-haspopup={props.hasDialog === undefined ? undefined : 'dialog'}
      aria-expanded={props.hasDialog}
      data-once={props.once}
      ref={props.buttonRef}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
    </button>
  );
}
