import { effect } from '@preact/signals';
import type { ViewStore } from './viewStore';

/** The size in the style sheet; what is not set there is the editor's. */
const PROPERTY = '--patchbay-font-size';
/** Smaller text than this, in pixels, nobody can read. */
const SMALLEST = 6;

/** Keeps the size of the panel's text as the person's setting has it. */
export function followFontSize(store: ViewStore, root: HTMLElement): () => void {
  return effect(() => {
    store.watch('fields');
    const size = store.epoch.value > 0 ? (store.current.fontSize ?? 0) : 0;
    if (size === 0) root.style.removeProperty(PROPERTY);
    else root.style.setProperty(PROPERTY, `${Math.max(size, SMALLEST)}px`);
  });
}
