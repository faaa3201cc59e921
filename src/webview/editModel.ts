import { signal, type ReadonlySignal } from '@preact/signals';
import type { PromptEdit, ViewMessage } from '../chat/viewProtocol';
import type { TranscriptItem, UserItem } from '../chat/viewStateProtocol';
import { DraftTimer, type TimerPort } from './draftTimer';

export interface EditPorts {
  readonly post: (message: ViewMessage) => void;
  readonly timers: TimerPort;
  readonly newId: () => string;
}

/** An earlier prompt that is being said in other words. */
export interface Editing extends PromptEdit {
  /** It is with the host: what is pressed once more means the same. */
  readonly sentAs?: string | undefined;
  /** Why the host did not send it, in its words. */
  readonly refused?: string | undefined;
}

/**
 * The one prompt of the transcript that is being edited. It belongs to the panel and not to what is
 * drawn, and the host keeps it as a draft: no new drawing takes away what was typed.
 */
export class EditModel {
  readonly #ports: EditPorts;
  readonly #editing = signal<Editing | undefined>(undefined);
  /** What was typed into others of the conversation, by their wire ids: it is there with the next Edit. */
  readonly #others = new Map<string, string>();
  /** The host's name of the input, by which it knows whose words come late. */
  #box = '';
  #draft: DraftTimer | undefined;
  /** Edit was pressed, and its box has not been drawn yet. */
  #wantsFocus = false;

  constructor(ports: EditPorts) {
    this.#ports = ports;
  }

  get editing(): ReadonlySignal<Editing | undefined> {
    return this.#editing;
  }

  isOf(item: UserItem): boolean {
    return item.wireId !== undefined && this.#editing.value?.wireId === item.wireId;
  }

  /** A snapshot: another conversation may be here, and the host's draft may be all that is left. */
  start(draft: PromptEdit | undefined, items: readonly TranscriptItem[], box = ''): void {
    const isHere = (wireId: string): boolean =>
      items.some((item) => item.kind === 'user' && item.wireId === wireId);
    const mine = this.#editing.value;
    if (mine && box === this.#box && isHere(mine.wireId)) {
      // The answer may be lost with what the snapshot stands for: it can be sent again.
      if (mine.sentAs !== undefined) this.#editing.value = { ...mine, sentAs: undefined };
      return;
    }
    if (box !== this.#box) {
      // The last letters go with what they were typed for.
      this.#draft?.flush();
      this.#others.clear();
    }
    this.#box = box;
    this.#edit(draft && isHere(draft.wireId) ? draft : undefined);
  }

  begin(item: UserItem): void {
    const { wireId, text } = item;
    // What is typed already must not go with a second press.
    if (wireId === undefined || this.isOf(item)) return;
    this.#draft?.flush();
    const before = this.#editing.value;
    if (before && before.sentAs === undefined) this.#others.set(before.wireId, before.text);
    const typed = this.#others.get(wireId);
    this.#wantsFocus = true;
    this.#edit({ wireId, text: typed ?? text }, '');
    if (typed !== undefined) this.#draft?.changed(typed);
  }

  /** Once for each press of Edit: a box that is drawn again takes the focus from nobody. */
  takeFocus(): boolean {
    const wanted = this.#wantsFocus;
    this.#wantsFocus = false;
    return wanted;
  }

  type(text: string): void {
    const { value } = this.#editing;
    if (!value) return;
    this.#editing.value = { ...value, text, refused: undefined };
    this.#draft?.changed(text);
  }

  cancel(): void {
    this.#others.delete(this.#editing.value?.wireId ?? '');
    this.#edit(undefined);
    this.#ports.post({ type: 'editDraft', ...this.#where });
  }

  /** Nothing happens for blanks, or while it is on its way. */
  send(item: UserItem): void {
    const { value } = this.#editing;
    if (!value || value.sentAs !== undefined || value.text.trim() === '') return;
    this.#draft?.flush();
    const promptId = this.#ports.newId();
    this.#editing.value = { ...value, sentAs: promptId, refused: undefined };
    const text = value.text.trim();
    this.#ports.post({ type: 'editPrompt', itemId: item.id, promptId, text });
  }

  /** The host did not send it: it stays where it is. */
  refused(promptId: string, reason: string | undefined): void {
    const { value } = this.#editing;
    if (value?.sentAs !== promptId) return;
    this.#editing.value = { ...value, sentAs: undefined, refused: reason };
  }

  /** Posts what waits: the view may go. */
  flush(): void {
    this.#draft?.flush();
  }

  get #where(): { readonly box?: string } {
    return this.#box === '' ? {} : { box: this.#box };
  }

  /** @param known the words that the host has of it */
  #edit(edit: PromptEdit | undefined, known = edit?.text ?? ''): void {
    const { post, timers } = this.#ports;
    const where = this.#where;
    // What waited to be posted of the one before is given up.
    this.#draft?.known('');
    this.#editing.value = edit;
    this.#draft =
      edit &&
      new DraftTimer(
        (text) => post({ type: 'editDraft', edit: { wireId: edit.wireId, text }, ...where }),
        timers,
        known,
      );
  }
}
