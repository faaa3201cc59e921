import type { WaitingPrompt } from '../chat/promptExpansion';
import type { SubmitOutcome } from './conversationPorts';
import { leadsOf } from './promptParts';

type Outcome = SubmitOutcome | Promise<SubmitOutcome>;

/** Words that wait to go before the next message, each before one message only. */
export class LeadingWords {
  readonly #waiting: () => readonly WaitingPrompt[];
  readonly #done: (id: string) => void;
  /** They go with a message that is being looked at. */
  readonly #onTheirWay = new Set<string>();

  /** @param done they went with a message that was accepted */
  constructor(waiting: () => readonly WaitingPrompt[], done: (id: string) => void) {
    this.#waiting = waiting;
    this.#done = done;
  }

  /** Has a message submitted with what goes before it. Where it is refused, that waits on. */
  send(text: string, submit: (whole: string) => Outcome): Outcome {
    const free = this.#waiting().filter(({ id }) => !this.#onTheirWay.has(id));
    const leads = leadsOf(free, text);
    const outcome = submit([...leads.map((lead) => lead.text), text].join('\n\n'));
    // One that is handed in twice has one outcome.
    if (leads.length === 0) return outcome;
    const settle = (settled: SubmitOutcome): SubmitOutcome => {
      if (settled.accepted) for (const { id } of leads) this.#done(id);
      return settled;
    };
    if (!(outcome instanceof Promise)) return settle(outcome);
    for (const { id } of leads) this.#onTheirWay.add(id);
    return outcome.then(settle).finally(() => {
      for (const { id } of leads) this.#onTheirWay.delete(id);
    });
  }
}
