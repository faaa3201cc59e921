import { signal, type ReadonlySignal } from '@preact/signals';
import { checkForm } from '../base/checkForm';
import { type FormDraft, initialDraft } from '../base/formField';
import type { AskCard, PlanReply } from '../chat/askProtocol';
import { checkQuestions } from '../chat/questionsProtocol';
import type { ViewMessage } from '../chat/viewProtocol';
import { DraftTimer, type TimerPort } from './draftTimer';

export interface AskDraftsPorts {
  readonly post: (message: ViewMessage) => void;
  readonly timers: TimerPort;
}

const NO_PROBLEMS: ReadonlyMap<string, string> = new Map();

/**
 * What stands in the cards that wait. It belongs to the panel and not to what is drawn, so that no
 * patch and no new drawing takes away what was typed; the host gets it as a draft, for a new view.
 */
export class AskDrafts {
  readonly #ports: AskDraftsPorts;
  readonly #drafts = new Map<string, AskDraft>();

  constructor(ports: AskDraftsPorts) {
    this.#ports = ports;
  }

  of(card: AskCard): AskDraft {
    let draft = this.#drafts.get(card.id);
    if (!draft) {
      draft = new AskDraft(card, this.#ports);
      this.#drafts.set(card.id, draft);
    }
    return draft;
  }

  /** Posts what waits: the view may go. */
  flush(): void {
    for (const draft of this.#drafts.values()) draft.flush();
  }
}

/** What stands in one card, and which of it does not fit. */
export class AskDraft {
  readonly #card: AskCard;
  readonly #ports: AskDraftsPorts;
  readonly #timer: DraftTimer;
  readonly #values;
  readonly #problems = signal(NO_PROBLEMS);
  /** From the first try on: nobody is corrected before having finished. */
  #isChecked = false;

  constructor(card: AskCard, ports: AskDraftsPorts) {
    this.#card = card;
    this.#ports = ports;
    const start = card.draft ?? (card.kind === 'form' ? initialDraft(card.fields) : {});
    this.#values = signal<FormDraft>(start);
    this.#timer = new DraftTimer(() => {
      ports.post({ type: 'askDraft', cardId: card.id, draft: this.#values.value });
    }, ports.timers);
  }

  get values(): ReadonlySignal<FormDraft> {
    return this.#values;
  }

  /** One readable line for each key whose value does not fit; empty before the first try. */
  get problems(): ReadonlySignal<ReadonlyMap<string, string>> {
    return this.#problems;
  }

  set(change: FormDraft): void {
    this.#values.value = { ...this.#values.value, ...change };
    if (this.#isChecked) this.#problems.value = this.#check();
    this.#timer.changed(JSON.stringify(this.#values.value));
  }

  /** Sends the answer; where something does not fit it returns the key of the first such thing. */
  submit(): string | undefined {
    this.#isChecked = true;
    this.#problems.value = this.#check();
    const [first] = this.#problems.value.keys();
    if (first === undefined) this.#post({ action: 'accept', draft: this.#values.value });
    return first;
  }

  decline(): void {
    this.#post({ action: 'decline' });
  }

  /** What a plan is answered. */
  reply(reply: PlanReply): void {
    this.#post(reply);
  }

  flush(): void {
    this.#timer.flush();
  }

  #post(reply: Extract<ViewMessage, { type: 'answerAsk' }>['reply']): void {
    // Where the host does not take the answer, the card stays: it must have what was typed.
    this.#timer.flush();
    this.#ports.post({ type: 'answerAsk', cardId: this.#card.id, reply });
  }

  #check(): ReadonlyMap<string, string> {
    const card = this.#card;
    if (card.kind === 'link' || card.kind === 'plan') return NO_PROBLEMS;
    const checked =
      card.kind === 'form'
        ? checkForm(card.fields, this.#values.value)
        : checkQuestions(card.questions, this.#values.value);
    return checked.ok ? NO_PROBLEMS : checked.problems;
  }
}
