import type { Event } from '../base/event';
import { Emitter } from '../base/event';
import type { Disposable } from '../base/disposable';

/** How much quiet after a report counts as "the servers are done". */
export const QUIET_MS = 300;

/** By then servers have gone through all open texts; of those without news they tell nothing. */
export const DOUBT_MS = 30_000;

/** What made earlier reports on a document count no longer. `open`: opened, or shown in a tab. */
export type ChangeKind = 'edit' | 'open';

/**
 * Remembers for each document which came last: a change of it, or a report about it. Told by order
 * of arrival, not by clock, because both can fall into one millisecond.
 */
export class FreshnessLog implements Disposable {
  readonly #entries = new Map<string, Entry>();
  readonly #reported = new Emitter<string>();
  #order = 0;
  /** The last change of a text that others depend on. */
  #sharedOrder = 0;
  #sharedAt = -Infinity;

  /** Fires with the document's key after each report. */
  readonly onDidReport: Event<string> = this.#reported.event;

  /** The document was edited, opened or shown: what was reported before no longer counts. */
  changed(key: string, how: ChangeKind): void {
    this.#order += 1;
    const entry = this.#entry(key);
    entry.how = how;
    entry.changedOrder = this.#order;
    entry.changedAt = Date.now();
  }

  /** A text was edited on which problems of others depend: reports on those may be old as well. */
  sharedChanged(): void {
    this.#order += 1;
    this.#sharedOrder = this.#order;
    this.#sharedAt = Date.now();
  }

  /** Whether the last report is older than such an edit, and that not so long ago that all is well. */
  isDoubtful(key: string): boolean {
    const reported = this.#entries.get(key)?.reportedOrder ?? 0;
    return reported < this.#sharedOrder && Date.now() - this.#sharedAt < DOUBT_MS;
  }

  /** Some server reported on the document; the report may hold the same problems, or none. */
  reported(key: string): void {
    this.#order += 1;
    const entry = this.#entry(key);
    entry.reportedOrder = this.#order;
    entry.reportedAt = Date.now();
    this.#reported.fire(key);
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }

  /** Whether a report came after the last change. False for what was never seen. */
  hasReport(key: string): boolean {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.reportedOrder > entry.changedOrder;
  }

  /** Milliseconds since the last change; `Infinity` for what was never seen to change. */
  changeAge(key: string): number {
    return Date.now() - (this.#entries.get(key)?.changedAt ?? -Infinity);
  }

  lastChange(key: string): ChangeKind {
    return this.#entries.get(key)?.how ?? 'open';
  }

  /**
   * Waits until a report has come since the last change and nothing more for {@link QUIET_MS}; where
   * a server never falls quiet, until the time for a report and for quiet after it is over.
   * Where no change was seen for `timeoutMs` already, a report is not waited for at all.
   * @returns whether a report has come since the last change
   */
  async settle(key: string, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    const deadline = Date.now() + Math.max(0, timeoutMs - this.changeAge(key));
    const last = Date.now() + timeoutMs + QUIET_MS;
    while (!signal.aborted) {
      const now = Date.now();
      const reported = this.hasReport(key);
      const quietAt = (this.#entries.get(key)?.reportedAt ?? now) + QUIET_MS;
      if (reported && now >= quietAt) return true;
      const until = reported ? Math.min(quietAt, last) : deadline;
      if (now >= until) break;
      await this.#nextReport(key, until - now, signal);
    }
    return this.hasReport(key);
  }

  dispose(): void {
    this.#reported.dispose();
    this.#entries.clear();
  }

  #entry(key: string): Entry {
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = {
        how: 'open',
        changedOrder: 0,
        changedAt: -Infinity,
        reportedOrder: 0,
        reportedAt: 0,
      };
      this.#entries.set(key, entry);
    }
    return entry;
  }

  #nextReport(key: string, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        listening.dispose();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      const listening = this.onDidReport((reported) => {
        if (reported === key) end();
      });
      signal.addEventListener('abort', end, { once: true });
    });
  }
}

interface Entry {
  how: ChangeKind;
  changedOrder: number;
  changedAt: number;
  reportedOrder: number;
  reportedAt: number;
}
