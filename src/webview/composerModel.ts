import { signal, type ReadonlySignal } from '@preact/signals';
import { withPlainEnds } from '../base/lineEnds';
import type { ImageRef } from '../chat/imageProtocol';
import type { ViewMessage } from '../chat/viewProtocol';
import type { TranscriptItem } from '../chat/viewStateProtocol';
import type { AttachmentsModel } from './attachmentsModel';
import { DraftTimer, type TimerPort } from './draftTimer';
import {
  insertInto,
  promptIdFor,
  textAfterAccept,
  type Submission,
  unsentPart,
} from './submission';

export interface ComposerPorts {
  readonly post: (message: ViewMessage) => void;
  readonly timers: TimerPort;
  readonly now: () => number;
  readonly newId: () => string;
  readonly attachments: AttachmentsModel;
  /** Id of the selection that is shown as going with the message. */
  readonly selection: () => string | undefined;
}

/** A new object for each request. */
export interface CaretRequest {
  readonly at: number;
}

/** What Send means, when it is pressed. */
type Message = Pick<Submission, 'text' | 'images'>;

/** How long a message may be on its way before that is said, in milliseconds. */
export const PREPARING_AFTER_MS = 400;

/** What stands in the message box and what became of it. Typed text leaves only when it was taken. */
export class ComposerModel {
  readonly #ports: ComposerPorts;
  readonly #draft: DraftTimer;
  readonly #text = signal('');
  readonly #starts = signal(0);
  readonly #refused = signal<string | undefined>(undefined);
  readonly #focusRequests = signal(0);
  readonly #caret = signal<CaretRequest | undefined>(undefined);
  readonly #preparing = signal(false);
  #preparingTimer: unknown;
  #pending: readonly Submission[] = [];
  /** On their way when their conversation was left: what becomes of them is no news here. */
  readonly #left = new Set<string>();
  #at: () => number | undefined = () => undefined;
  /** The host's name of what stands in the box; undefined before its first word. */
  #box: string | undefined;
  /** Send was pressed for this, which waits for its pictures. */
  #waiting: Message | undefined;
  #isComposing = false;
  /** Answers of the host that came meanwhile. */
  readonly #heard: { readonly promptId: string; readonly refused: string | undefined }[] = [];
  /** How many messages back the one is that was put into the box. */
  #recalled: { readonly back: number; readonly text: string } | undefined;

  constructor(ports: ComposerPorts) {
    this.#ports = ports;
    this.#draft = new DraftTimer((text) => this.#postDraft(text), ports.timers);
    ports.attachments.onChange(() => {
      // The words go with it: letters that are taken back before the timer are told then.
      this.#draft.known(this.#text.value);
      this.#postDraft(this.#text.value);
    });
  }

  get text(): ReadonlySignal<string> {
    return this.#text;
  }

  /** Grows when a draft of the host fills the box: the first, and that of another conversation. */
  get starts(): ReadonlySignal<number> {
    return this.#starts;
  }

  /** Why the host did not take the last prompt, in its words. */
  get refused(): ReadonlySignal<string | undefined> {
    return this.#refused;
  }

  /** Where the caret has to go now that the text was changed from outside. */
  get caret(): ReadonlySignal<CaretRequest | undefined> {
    return this.#caret;
  }

  /** A message is on its way for so long that it is said: what it names is being read. */
  get preparing(): ReadonlySignal<boolean> {
    return this.#preparing;
  }

  /** Grows when something asks for the caret. */
  get focusRequests(): ReadonlySignal<number> {
    return this.#focusRequests;
  }

  /**
   * The host's draft fills the box once; later snapshots leave what is typed alone, until another
   * conversation is here, which has a draft of its own.
   */
  start(draft: string, images: readonly ImageRef[] = [], box = ''): void {
    if (this.#box === box) return;
    // The last letters go with what they were typed for.
    this.#draft.flush();
    const isOther = this.#box !== undefined;
    const left = { text: this.#text.value, box: this.#box };
    this.#box = box;
    if (isOther) this.#forget();
    this.#ports.attachments.start(images, (ids) => this.#postDraft(left.text, ids, left.box));
    this.#draft.known(draft);
    this.#text.value = withPlainEnds(draft);
    this.#starts.value += 1;
  }

  /** With the line ends that a text box knows. */
  edit(given: string): void {
    const text = withPlainEnds(given);
    this.#text.value = text;
    this.#draft.changed(text);
  }

  insert(text: string): void {
    this.edit(insertInto(this.#text.value, text));
    this.requestFocus();
  }

  /** The box says how to find out where the caret is. */
  watchCaret(at: () => number | undefined): void {
    this.#at = at;
  }

  /** Puts words where the caret is, apart from those around it. */
  insertInline(words: string): void {
    const { value } = this.#text;
    const at = Math.min(this.#at() ?? value.length, value.length);
    const before = value.slice(0, at);
    const gap = before === '' || /\s$/.test(before) ? '' : ' ';
    this.requestFocus();
    this.replace(at, at, `${gap}${words}`);
  }

  /** Puts text in the place of a part of it, and the caret behind it, unless one has typed on behind that part. */
  replace(start: number, end: number, text: string): void {
    const before = this.#text.value;
    const caret = this.#at() ?? 0;
    const rest = before.slice(end);
    // One blank behind the word is enough, and none before a sign of the sentence.
    const isDoubled = text.endsWith(' ') && rest.startsWith(' ');
    const words = text.endsWith(' ') && /^[.,;:!?)\]}]/u.test(rest) ? text.slice(0, -1) : text;
    this.edit(before.slice(0, start) + words + (isDoubled ? rest.slice(1) : rest));
    const grown = this.#text.value.length - before.length;
    this.#caret.value = { at: caret > end ? caret + grown : start + words.length };
  }

  breakLine(at: number): void {
    this.replace(at, at, '\n');
  }

  requestFocus(): void {
    this.#focusRequests.value += 1;
  }

  /**
   * Sends what stands in the box. Nothing happens where that is nothing, or while it is on its way.
   * @param steers into the running turn, not into the queue
   * @param words what stood there as Send was pressed: what is typed behind it is the next message
   */
  submit(steers = false, words = this.#text.value): void {
    const { attachments } = this.#ports;
    const images = attachments.items.value.map(({ id }) => id);
    const message = { text: words.trim(), images };
    this.#waiting = undefined;
    if (attachments.isReading) this.#waitForPictures(message, steers);
    else this.#sendUnsent(message, steers);
  }

  #sendUnsent(message: Message, steers: boolean): void {
    // The words were changed since: what is to become of them the person says anew.
    if (!this.#text.value.trimStart().startsWith(message.text)) return;
    const selection = this.#ports.selection();
    const { text, images } = unsentPart(message, this.#pending, this.#ports.now());
    this.#send(text, images, {
      ...(selection === undefined ? {} : { selection }),
      ...(steers ? { steers } : {}),
    });
  }

  /** Sends this, and leaves the box as it is. */
  submitText(text: string): void {
    this.#send(text, []);
  }

  #send(
    text: string,
    images: readonly string[],
    more: Pick<Extract<ViewMessage, { type: 'submit' }>, 'selection' | 'steers'> = {},
  ): void {
    if (text === '' && images.length === 0) return;
    const { now, newId, post, attachments } = this.#ports;
    const promptId = promptIdFor({ text, images }, this.#pending, now(), newId);
    if (promptId === undefined) return;
    this.#refused.value = undefined;
    attachments.dismissProblems();
    this.#draft.flush();
    this.#pending = [
      ...this.#pending.filter((entry) => entry.promptId !== promptId),
      { promptId, text, images, at: now() },
    ];
    post({ type: 'submit', promptId, text, ...some(images), ...more });
    this.#watch();
  }

  /** Send was pressed while a picture is looked at: it goes as soon as that is done. */
  #waitForPictures(message: Message, steers: boolean): void {
    const { attachments } = this.#ports;
    this.#waiting = message;
    void attachments.settled().then(() => {
      // Send was pressed anew, or another conversation is here by now, with words of its own.
      if (this.#waiting !== message) return;
      this.#waiting = undefined;
      // One that could not be attached is told, and the person decides what becomes of the rest.
      if (attachments.problems.value.length > 0) return;
      const images = attachments.ids.filter((id) => message.images.includes(id));
      this.#sendUnsent({ ...message, images }, steers);
    });
  }

  #postDraft(text: string, images = this.#ports.attachments.ids, box = this.#box): void {
    const where = box === undefined || box === '' ? {} : { box };
    this.#ports.post({ type: 'draft', text, ...some(images), ...where });
  }

  /** What was about the words before. */
  #forget(): void {
    for (const { promptId } of this.#pending) this.#left.add(promptId);
    this.#pending = [];
    this.#waiting = undefined;
    this.#watch();
    this.#refused.value = undefined;
    this.#recalled = undefined;
    this.#ports.attachments.dismissProblems();
  }

  /** Takes back what is still being prepared. */
  cancel(): void {
    this.#ports.post({ type: 'cancelSubmit' });
  }

  #watch(): void {
    const { timers } = this.#ports;
    timers.clear(this.#preparingTimer);
    const isOpen = this.#pending.length > 0;
    if (!isOpen) this.#preparing.value = false;
    else if (!this.#preparing.value) {
      this.#preparingTimer = timers.set(() => {
        this.#preparing.value = this.#pending.length > 0;
      }, PREPARING_AFTER_MS);
    }
  }

  /** An input method has begun to compose in the box, or has ended. A change of the text would break it. */
  composing(isOpen: boolean): void {
    this.#isComposing = isOpen;
    if (!isOpen)
      for (const { promptId, refused } of this.#heard.splice(0)) {
        this.submitted(promptId, refused);
      }
  }

  /** The host's answer to a submit. */
  submitted(promptId: string, refused: string | undefined): void {
    if (this.#isComposing) {
      this.#heard.push({ promptId, refused });
      return;
    }
    const sent = this.#pending.find((entry) => entry.promptId === promptId);
    this.#pending = this.#pending.filter((entry) => entry.promptId !== promptId);
    this.#watch();
    if (this.#left.delete(promptId)) return;
    if (refused !== undefined) {
      this.#refused.value = refused;
      if (sent && this.#text.value.trim() === '') this.edit(sent.text);
      return;
    }
    if (!sent) return;
    this.#ports.attachments.sent(sent.images);
    const rest = textAfterAccept(this.#text.value, sent.text);
    if (rest === this.#text.value) return;
    this.edit(rest);
    this.#draft.flush();
  }

  /** Whether an earlier message stands in the box as it was. */
  get isRecalled(): boolean {
    return this.#recalled !== undefined && this.#recalled.text === this.#text.value;
  }

  /**
   * Goes through what the person has said, and puts it into the box.
   * @param by 1 for what was said before; -1 for what came after, behind the last of which the box is empty
   */
  recall(items: readonly TranscriptItem[], by: 1 | -1): void {
    const said = items.flatMap((item) =>
      item.kind === 'user' && item.text !== '' ? withPlainEnds(item.text) : [],
    );
    const texts = said.filter((text, at) => text !== said[at + 1]).reverse();
    const back = (this.isRecalled ? (this.#recalled?.back ?? 0) : 0) + by;
    const text = back === 0 ? '' : texts[back - 1];
    if (text === undefined) return;
    this.#recalled = back === 0 ? undefined : { back, text };
    this.edit(text);
  }

  flush(): void {
    this.#draft.flush();
  }
}

/** Left out where there are none. */
function some(images: readonly string[]): { readonly images?: string[] } {
  return images.length > 0 ? { images: [...images] } : {};
}
