import type { Disposable } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { ToolCall } from '../conversation/toolCallWatch';

/** How the last call of a tool went. */
export interface LastCall {
  /** When it ended, in milliseconds since 1970. */
  readonly at: number;
  readonly outcome: ToolCall['outcome'];
  readonly durationMs: number;
  /** It was the person's own: no conversation called it. */
  readonly byPerson: boolean;
}

/** A window calls a few dozen tools; what is beyond was called long ago. */
const MOST_KEPT = 1_000;

/** The last call of each tool, by the name that the model uses, since the window was opened. */
export class LastCalls implements Disposable {
  readonly #calls = new Map<string, LastCall>();
  readonly #changed = new Emitter<void>();
  readonly #now: () => number;
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  get(tool: string): LastCall | undefined {
    return this.#calls.get(tool);
  }

  add(
    { tool, outcome, durationMs }: Pick<ToolCall, 'tool' | 'outcome' | 'durationMs'>,
    byPerson = false,
  ): void {
    this.#calls.delete(tool);
    this.#calls.set(tool, { at: this.#now(), outcome, durationMs, byPerson });
    for (const oldest of this.#calls.keys()) {
      if (this.#calls.size <= MOST_KEPT) break;
      this.#calls.delete(oldest);
    }
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
