/** Something that has to happen at a time, unless it is taken back before. */
export interface Alarm {
  /** By `performance.now()`, in milliseconds: a clock that is set anew ends no call. */
  readonly dueAt: number;
  ring(): void;
}

/**
 * Any number of alarms behind one timer: one that is made and cleared again costs a tenth of a
 * short call to a server of others. So the timer is left as it is when its alarm is taken back; where it
 * goes off for nobody, it is set for the next one.
 */
export class Alarms {
  readonly #set = new Set<Alarm>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer goes off. */
  #nextAt = Infinity;

  add(alarm: Alarm): void {
    this.#set.add(alarm);
    if (alarm.dueAt < this.#nextAt) this.#wind(alarm.dueAt);
    else if (this.#set.size === 1) this.#timer?.ref();
  }

  /** False where it was not there, or has rung. */
  delete(alarm: Alarm): boolean {
    const was = this.#set.delete(alarm);
    // A timer that nobody needs must not keep a process alive.
    if (this.#set.size === 0) this.#timer?.unref();
    return was;
  }

  #wind(at: number): void {
    clearTimeout(this.#timer);
    this.#nextAt = at;
    this.#timer = setTimeout(() => this.#ring(), at - performance.now());
  }

  #ring(): void {
    // A timer may go off a part of a millisecond too early.
    const now = Math.max(performance.now(), this.#nextAt);
    this.#timer = undefined;
    this.#nextAt = Infinity;
    const due: Alarm[] = [];
    let next = Infinity;
    for (const alarm of this.#set) {
      if (alarm.dueAt <= now) due.push(alarm);
      else next = Math.min(next, alarm.dueAt);
    }
    // First: whatever happens as one rings, the others keep their time.
    if (next < Infinity) this.#wind(next);
    for (const alarm of due) if (this.delete(alarm)) alarm.ring();
  }
}
