import type { KeyLike } from './composerKeys';

export interface PickerOption {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** Shown, reachable, not choosable: the reason why. */
  readonly disabledReason?: string;
}

export type PickerStep =
  | { readonly kind: 'move'; readonly index: number }
  | { readonly kind: 'choose'; readonly index: number }
  | { readonly kind: 'close' }
  | { readonly kind: 'leave' }
  | undefined;

/**
 * What a key does in an open list. Disabled options take part in moving, so that their reason can
 * be read, but cannot be chosen. `leave` closes and lets Tab move on.
 */
export function pickerStep(
  event: KeyLike,
  options: readonly PickerOption[],
  active: number,
): PickerStep {
  const last = options.length - 1;
  switch (event.key) {
    case 'ArrowDown':
      return { kind: 'move', index: Math.min(active + 1, last) };
    case 'ArrowUp':
      return { kind: 'move', index: Math.max(active - 1, 0) };
    case 'Home':
    case 'PageUp':
      return { kind: 'move', index: 0 };
    case 'End':
    case 'PageDown':
      return { kind: 'move', index: last };
    case 'Enter':
    case ' ':
      return choose(options, active);
    case 'Escape':
      return { kind: 'close' };
    case 'Tab':
      return { kind: 'leave' };
    default:
      return isLetter(event) ? typed(event.key, options, active) : undefined;
  }
}

/** Does what a key means in an open list, and keeps it from others. */
export function takePickerKey(
  event: KeyboardEvent,
  options: readonly PickerOption[],
  active: number,
  acts: {
    readonly move: (index: number) => void;
    readonly choose: (index: number) => void;
    readonly close: () => void;
  },
): void {
  const step = pickerStep(event, options, active);
  if (!step) return;
  // Escape must not also stop the turn; Tab goes on from the button.
  if (step.kind !== 'leave') event.preventDefault();
  event.stopPropagation();
  if (step.kind === 'move') acts.move(step.index);
  else if (step.kind === 'choose') acts.choose(step.index);
  else acts.close();
}

function choose(options: readonly PickerOption[], index: number): PickerStep {
  const option = options[index];
  if (!option || option.disabledReason !== undefined) return undefined;
  return { kind: 'choose', index };
}

function isLetter(event: KeyLike): boolean {
  // Named keys (`Shift`, `F2`) are longer than any one character.
  return /^.$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
}

function typed(key: string, options: readonly PickerOption[], active: number): PickerStep {
  for (let step = 1; step <= options.length; step += 1) {
    const index = (active + step) % options.length;
    if (options[index]?.label.toLowerCase().startsWith(key.toLowerCase())) {
      return { kind: 'move', index };
    }
  }
  return undefined;
}
