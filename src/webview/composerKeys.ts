/** The part of a `KeyboardEvent` that decides what a key does in a text box. */
export interface KeyLike {
  readonly key: string;
  readonly keyCode?: number;
  readonly isComposing?: boolean;
  readonly shiftKey?: boolean;
  readonly ctrlKey?: boolean;
  readonly metaKey?: boolean;
  readonly altKey?: boolean;
  /** The key is held down. */
  readonly repeat?: boolean;
}

/** `steer` sends into the running turn; where none runs it sends. `nothing` is not the text box's either. */
export type ComposerAction = 'send' | 'steer' | 'older' | 'newer' | 'nothing' | undefined;

/** The message box as a key finds it. */
export interface BoxState {
  readonly text: string;
  readonly sendKey: 'enter' | 'modEnter';
  /** What stands there is an earlier message as it was, with the caret at one of its ends. */
  readonly isRecalled?: boolean;
}

/**
 * True while an input method has the key. The Enter that confirms a candidate comes after
 * `compositionend` in some browsers: then only the key code 229 still tells.
 */
export function isImeKey(event: KeyLike): boolean {
  return event.isComposing === true || event.keyCode === 229;
}

/** What a key does in the message box; undefined leaves it to the text box itself. */
export function composerAction(event: KeyLike, box: BoxState): ComposerAction {
  if (isImeKey(event)) return undefined;
  const modified = event.ctrlKey === true || event.metaKey === true;
  if (event.key === 'Enter') {
    const action = enterAction(event, modified, box.sendKey);
    // Held down, it was meant for what had the focus before: a card that is answered gives it on.
    return action !== undefined && event.repeat === true ? 'nothing' : action;
  }
  if (modified || event.shiftKey || event.altKey) return undefined;
  if (event.key === 'ArrowUp' && (box.text === '' || box.isRecalled === true)) return 'older';
  return event.key === 'ArrowDown' && box.isRecalled === true ? 'newer' : undefined;
}

function enterAction(
  { shiftKey, altKey }: KeyLike,
  modified: boolean,
  sendKey: BoxState['sendKey'],
): 'send' | 'steer' | undefined {
  if (altKey) return undefined;
  if (sendKey === 'enter') {
    if (shiftKey) return undefined;
    return modified ? 'steer' : 'send';
  }
  if (!modified) return undefined;
  return shiftKey ? 'steer' : 'send';
}
