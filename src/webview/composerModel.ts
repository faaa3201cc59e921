import { signal, type ReadonlySignal } from '@preact/signals';
import type { ViewMessage } from '../chat/viewProtocol';
import type { TranscriptItem } from '../chat/viewStateProtocol';
import { DraftTimer, type TimerPort } from './draftTimer';
import { insertInto, promptIdFor, textAfterAccept, type Submission } from './submission';

export interface ComposerPorts {
  readonly post: (message: ViewMessage) => void;
  readonly timers: TimerPort;
  readonly now: () => number;
  readonly newId: () => string;
}

/** What stands in the message box and what became of it. Typed text leaves only when it was taken. */
export class ComposerModel {
  readonly #ports: ComposerPorts;
  readonly #draft: DraftTimer;
  readonly #text = signal('');
  readonly #refused = signal<string | undefined>(undefined);
  readonly #focusRequests = signal(0);
  #pending: readonly Submission[] = [];
  #started = false;

  constructor(ports: ComposerPorts) {
    this.#ports = ports;
    this.#draft = new DraftTimer((text) => ports.post({ type: 'draft', text }), ports.timers);
  }

  get text(): ReadonlySignal<string> {
    return this.#text;
  }

  /** Why the host did not take the last prompt, in its words. */
  get refused(): ReadonlySignal<string | undefined> {
    return this.#refused;
  }

  /** Grows when something asks for the caret. */
  get focusRequests(): ReadonlySignal<number> {
    return this.#focusRequests;
  }

  /** The host's draft fills the box once; later snapshots leave what is typed alone. */
  start(draft: string): void {
    if (this.#started) return;
    this.#started = true;
    this.#draft.known(draft);
    this.#text.value = draft;
  }

  edit(text: string): void {
    this.#text.value = text;
    this.#draft.changed(text);
  }

  insert(text: string): void {
    this.edit(insertInto(this.#text.value, text));
    this.requestFocus();
  }

  requestFocus(): void {
    this.#focusRequests.value += 1;
  }

  /** Sends the box, or `text` instead of it. Nothing happens for blanks, or while it is on its way. */
  submit(text = this.#text.value.trim()): void {
    if (text === '') return;
    const { now, newId, post } = this.#ports;
    const promptId = promptIdFor(text, this.#pending, now(), newId);
    if (promptId === undefined) return;
    this.#refused.value = undefined;
    this.#draft.flush();
    this.#pending = [
      ...this.#pending.filter((entry) => entry.promptId !== promptId),
      { promptId, text, at: now() },
    ];
    post({ type: 'submit', promptId, text });
  }

  /** The host's answer to a submit. */
  submitted(promptId: string, refused: string | undefined): void {
    const sent = this.#pending.find((entry) => entry.promptId === promptId);
    this.#pending = this.#pending.filter((entry) => entry.promptId !== promptId);
    if (refused !== undefined) {
      this.#refused.value = refused;
      if (sent && this.#text.value.trim() === '') this.edit(sent.text);
      return;
    }
    if (!sent) return;
    const rest = textAfterAccept(this.#text.value, sent.text);
    if (rest === this.#text.value) return;
    this.edit(rest);
    this.#draft.flush();
  }

  /** Puts the last thing the person said back into the empty box. */
  recall(items: readonly TranscriptItem[]): void {
    const last = items.findLast((item) => item.kind === 'user');
    if (last?.kind === 'user') this.edit(last.text);
  }

  flush(): void {
    this.#draft.flush();
  }
}
