import type { KeyLike } from './composerKeys';

export type MenuStep =
  | { readonly kind: 'move'; readonly index: number }
  | { readonly kind: 'close' | 'leave' }
  | undefined;

/** What a key does in an open menu. The ends meet, as in the menus of the editor. */
export function menuStep(event: KeyLike, labels: readonly string[], active: number): MenuStep {
  const count = labels.length;
  switch (event.key) {
    case 'ArrowDown':
      return { kind: 'move', index: (active + 1) % count };
    case 'ArrowUp':
      return { kind: 'move', index: (active - 1 + count) % count };
    case 'Home':
      return { kind: 'move', index: 0 };
    case 'End':
      return { kind: 'move', index: count - 1 };
    case 'Escape':
      return { kind: 'close' };
    case 'Tab':
      return { kind: 'leave' };
    default:
      return letter(event, labels, active);
  }
}

function letter(event: KeyLike, labels: readonly string[], active: number): MenuStep {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (!/^\S$/u.test(key) || ctrlKey || metaKey || altKey) return undefined;
  for (let step = 1; step <= labels.length; step += 1) {
    const index = (active + step) % labels.length;
    if (labels[index]?.toLowerCase().startsWith(key.toLowerCase())) return { kind: 'move', index };
  }
  return undefined;
}
