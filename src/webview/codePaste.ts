import { signal, type ReadonlySignal } from '@preact/signals';
import { withPlainEnds } from '../base/lineEnds';
import { mayBeCode } from '../chat/pasteProtocol';
import type { ViewMessage } from '../chat/viewProtocol';

/** A paste of which the host knows the lines. A new object for each. */
export interface PlacedCode {
  /** As it stands in the box. */
  readonly text: string;
  /** Where it was pasted. */
  readonly start: number;
  readonly mention: string;
}

export interface CodePastePorts {
  readonly post: (message: ViewMessage) => void;
  readonly newId: () => string;
}

/**
 * Code that is pasted into the message box. It stands there at once, as any text; where the host
 * knows the lines that it was copied from, their mention takes its place.
 */
export class CodePaste {
  readonly #ports: CodePastePorts;
  readonly #placed = signal<PlacedCode | undefined>(undefined);
  #open: { readonly id: string; readonly text: string; readonly start: number } | undefined;
  #isComposing = false;
  /** Came while an input method composed. */
  #held: PlacedCode | undefined;

  constructor(ports: CodePastePorts) {
    this.#ports = ports;
  }

  get placed(): ReadonlySignal<PlacedCode | undefined> {
    return this.#placed;
  }

  /** @param start where in the box it goes */
  pasted(text: string, start: number): void {
    this.#open = undefined;
    this.#held = undefined;
    if (!mayBeCode(text)) return;
    const id = this.#ports.newId();
    this.#open = { id, text: withPlainEnds(text), start };
    this.#ports.post({ type: 'pastedText', pasteId: id, text });
  }

  answered(pasteId: string, mention: string): void {
    const open = this.#open;
    if (open?.id !== pasteId) return;
    this.#open = undefined;
    this.#held = { text: open.text, start: open.start, mention };
    this.#place();
  }

  /** An input method has begun to compose in the box, or has ended: what it composes in stays as it is. */
  composing(isOpen: boolean): void {
    this.#isComposing = isOpen;
    this.#place();
  }

  #place(): void {
    if (this.#isComposing || !this.#held) return;
    this.#placed.value = this.#held;
    this.#held = undefined;
  }
}

/**
 * Puts the mention in the place of what was pasted, if that still stands there. As if it were typed,
 * so that Undo brings the text back.
 */
export function placeMention(
  box: HTMLTextAreaElement,
  { text, start, mention }: PlacedCode,
): boolean {
  if (!box.value.startsWith(text, start) || document.activeElement !== box) return false;
  const before = box.value.slice(0, start);
  const gap = before === '' || /\s$/u.test(before) ? '' : ' ';
  // It ends in one blank: behind the bare mention its list would open.
  const words = `${gap}${mention} `;
  const end = start + text.length + (box.value[start + text.length] === ' ' ? 1 : 0);
  const caret = box.selectionEnd;
  box.setSelectionRange(start, end);
  // The one way to change a text box that its Undo knows of.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  document.execCommand('insertText', false, words);
  const at = caret <= start ? caret : Math.max(caret - end, 0) + start + words.length;
  box.setSelectionRange(at, at);
  return true;
}
