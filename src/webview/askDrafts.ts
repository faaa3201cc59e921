import { signal, type ReadonlySignal } from '@preact/signals';
import { checkForm } from '../base/checkForm';
import { type FormDraft, initialDraft } from '../base/formField';
import type { AskCard, PlanReply } from '../chat/askProtocol';
import { checkQuestions } from '../chat/questionsProtocol';
import type { ViewMessage } from '../chat/viewProtocol';
import { CardDrafts, type CardDraftsPorts } from './cardDrafts';
import { DraftTimer } from './draftTimer';

const NO_PROBLEMS: ReadonlyMap<string, string> = new Map();

/** What stands in forms, questions and plans. */
export class AskDrafts extends CardDrafts<AskCard, AskDraft> {
  constructor(ports: CardDraftsPorts) {
    super((card) => new AskDraft(card, ports));
  }
}

/** What stands in one card, and which of it does not fit. */
export class AskDraft {
  readonly #card: AskCard;
  readonly #ports: CardDraftsPorts;
  readonly #timer: DraftTimer;
  readonly #values;
  readonly #problems = signal(NO_PROBLEMS);
  /** From the first try on: nobody is corrected before having finished. */
  #isChecked = false;

  constructor(card: AskCard, ports: CardDraftsPorts) {
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
