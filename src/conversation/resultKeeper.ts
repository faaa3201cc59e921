import type { Disposable } from '../base/disposable';
import type { ConversationMessage } from '../protocol/messages';
import type { SystemMessage } from '../protocol/systemMessages';
import type { Clock } from './clock';

/** An agent in the background, as the CLI names its kind. A command there may run for ever. */
const AGENT = 'local_agent';
/** Ended so, it starts a turn of its own, in which the agent tells what came of it. */
const REPORTED = new Set(['completed', 'failed']);
/** So long that turn is waited for: it begins at once, or was not needed. */
const TURN_WITHIN_MS = 10_000;

/** What is known of the end of a prompt. */
interface Sums {
  readonly turns: number;
  readonly durationMs: number;
}

/**
 * Keeps the result of a prompt back while agents run in the background that it has set going: by
 * itself the CLI ends the turn as soon as they are started, and tells of them in turns nobody asked for.
 */
export class ResultKeeper<R extends Sums> implements Disposable {
  readonly #clock: Clock;
  readonly #give: (result: R) => void;
  readonly #agents = new Set<string>();
  /** Agents have ended of which no turn has told. */
  #isReportDue = false;
  #isInTurn = false;
  #kept: R | undefined;
  #waiting: Disposable | undefined;

  /** @param give is called with the result once it is the last */
  constructor(clock: Clock, give: (result: R) => void) {
    this.#clock = clock;
    this.#give = give;
  }

  /** A result waits for agents. */
  get isKeeping(): boolean {
    return this.#kept !== undefined;
  }

  receive(message: ConversationMessage): void {
    if (message.type === 'system') this.#follow(message);
    else if (message.type === 'result') this.#isInTurn = false;
  }

  /** The end of a turn, after {@link receive}: of the one that was asked for, or of one that goes on from it. */
  ended(result: R, isUnasked: boolean): void {
    const { turns, durationMs } = this.#kept ?? { turns: 0, durationMs: 0 };
    // What nobody waits for was told already.
    if (isUnasked && this.#kept === undefined) return;
    this.#kept = {
      ...result,
      turns: result.turns + turns,
      durationMs: result.durationMs + durationMs,
    };
    this.#giveIfLast();
  }

  /** Something more is said: what is known so far is the result. */
  giveNow(): void {
    const kept = this.#kept;
    this.#kept = undefined;
    this.#waiting?.dispose();
    if (kept !== undefined) this.#give(kept);
  }

  dispose(): void {
    this.#kept = undefined;
    this.#waiting?.dispose();
  }

  #follow(message: SystemMessage): void {
    if (message.subtype === 'init') {
      this.#isInTurn = true;
      this.#isReportDue = false;
    } else if (message.subtype === 'background_tasks_changed') {
      // The whole list each time.
      this.#agents.clear();
      for (const { task_id: id, task_type: kind } of message.tasks)
        if (kind === AGENT) this.#agents.add(id);
    } else if (message.subtype === 'task_notification' && this.#agents.delete(message.task_id)) {
      this.#isReportDue ||= REPORTED.has(message.status ?? '');
    } else return;
    this.#giveIfLast();
  }

  #giveIfLast(): void {
    this.#waiting?.dispose();
    if (this.#kept === undefined || this.#isInTurn || this.#agents.size > 0) return;
    if (this.#isReportDue) this.#waiting = this.#clock.after(TURN_WITHIN_MS, () => this.giveNow());
    else this.giveNow();
  }
}
