import type { Logger } from '../base/logger';
import { isEditRule, isReadRule, type ReadRule } from '../rules/readRules';
import type { Conversation } from './conversationPorts';
import { withDeadline } from './withDeadline';

type Told = Pick<Conversation, 'rules'>;

/** An agent that does not answer must not hold the tools of the editor. */
const WITHIN_MS = 1_000;
/** How long an answer is believed, in milliseconds: a tool may be called many times in a second. */
const FRESH_MS = 5_000;

/**
 * The rules against reading and writing that the agents of this window were given otherwise than by
 * a settings file, such as by an argument. Conversations are not kept alive by it.
 */
export class RunningRules {
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #live = new Set<WeakRef<Told>>();
  readonly #known = new WeakMap<
    Told,
    { readonly at: number; readonly rules: readonly ReadRule[] }
  >();

  constructor({ log, now }: { readonly log: Logger; readonly now: () => number }) {
    this.#log = log;
    this.#now = now;
  }

  track<T extends Told>(conversation: T): T {
    this.#live.add(new WeakRef(conversation));
    return conversation;
  }

  async denials(): Promise<readonly ReadRule[]> {
    const all: Told[] = [];
    for (const one of this.#live) {
      const conversation = one.deref();
      if (conversation) all.push(conversation);
      else this.#live.delete(one);
    }
    return (await Promise.all(all.map((one) => this.#ask(one)))).flat();
  }

  /** Where there is no answer, what was known before is held to. */
  async #ask(conversation: Told): Promise<readonly ReadRule[]> {
    const known = this.#known.get(conversation);
    const now = this.#now();
    if (known !== undefined && now - known.at < FRESH_MS) return known.rules;
    let rules = known?.rules ?? [];
    try {
      const listed = await withDeadline(
        conversation.rules(),
        WITHIN_MS,
        `no list of rules within ${WITHIN_MS} ms`,
      );
      // Without a running agent nothing is given out in its name either.
      rules = (listed ?? []).filter(
        ({ behavior, text }) => behavior === 'deny' && (isReadRule(text) || isEditRule(text)),
      );
    } catch (error) {
      this.#log.warn(`An agent did not tell its rules: ${String(error)}`);
    }
    this.#known.set(conversation, { at: now, rules });
    return rules;
  }
}
