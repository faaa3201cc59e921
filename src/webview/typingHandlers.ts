import type { Announcer } from './announcer';

/** Tell the announcer, from all boxes of the panel, that somebody types. */
export function typingHandlers(announcer: Announcer) {
  return {
    onInput: (event: Event) => {
      if (isTyping(event)) announcer.typed();
    },
    onCompositionStart: () => announcer.composing(true),
    onCompositionEnd: () => announcer.composing(false),
    // A box that is taken away while one composes in it may never tell that this ended.
    onFocusIn: () => announcer.composing(false),
  };
}

/** A mark that is set is no typing, and neither is what is pasted or dropped. */
function isTyping(event: Event): boolean {
  return event instanceof InputEvent && !event.inputType.startsWith('insertFrom');
}
