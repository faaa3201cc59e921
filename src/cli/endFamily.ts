import { setTimeout as delay } from 'node:timers/promises';
import { findFamily, type FamilyHead } from './family';
import { readProcessTable, type ProcessRow } from './processTable';

export interface EndFamilyOptions {
  /** Between SIGTERM and SIGKILL, in ms. */
  readonly graceMs: number;
  /** After which it is given up, in ms: what cannot be killed now hangs in the system itself. */
  readonly limitMs: number;
}

const POLL_MS = 25;

/**
 * Ends what a CLI has started, wherever it went. Each process is signalled by its own number, right
 * after it was seen, so that a stranger who got the number of one that ended is left alone.
 */
export class Family {
  readonly head: FamilyHead;
  readonly #known = new Map<number, string>();

  constructor(head: FamilyHead) {
    this.head = head;
  }

  /** Keeps who belongs to it now: once the CLI has ended, less shows it. */
  async remember(): Promise<void> {
    await this.#alive();
  }

  /** Those beside the CLI's own process group, such as its shell commands and what they left. */
  async strays(): Promise<readonly ProcessRow[]> {
    return ((await this.#alive()) ?? []).filter(({ group }) => group !== this.head.pid);
  }

  /** Asks the strays to end. */
  async askStrays(): Promise<void> {
    for (const { pid } of await this.strays()) sendSignal(pid, 'SIGTERM');
  }

  /** Asks all of it to end, then makes it. `unknown`: processes cannot be listed here. */
  async end({ graceMs, limitMs }: EndFamilyOptions): Promise<'gone' | 'left' | 'unknown'> {
    const asked = new Set<number>();
    let killed = false;
    const began = performance.now();
    for (;;) {
      const rows = await this.#alive();
      if (rows === undefined) return 'unknown';
      if (rows.length === 0) return 'gone';
      const passed = performance.now() - began;
      // Not before it was tried: on a busy machine the time may be over at the second look.
      if (passed >= limitMs && killed) return 'left';
      killed ||= passed >= graceMs;
      for (const { pid } of rows) {
        if (killed) sendSignal(pid, 'SIGKILL');
        else if (!asked.has(pid)) sendSignal(pid, 'SIGTERM');
        asked.add(pid);
      }
      await delay(POLL_MS);
    }
  }

  async #alive(): Promise<readonly ProcessRow[] | undefined> {
    const table = await readProcessTable(this.head.started);
    if (table === undefined) return undefined;
    const rows = findFamily(table, this.head, this.#known).filter(({ ended }) => !ended);
    for (const { pid, started } of rows) this.#known.set(pid, started);
    return rows;
  }
}

function sendSignal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended meanwhile, or belongs to another person.
  }
}
