import type { Disposable } from '../base/disposable';
import type { LoginAnswer } from './askLogin';

export interface LoginWatchOptions {
  /** Asks the CLI. Never rejects. */
  readonly ask: () => Promise<LoginAnswer>;
  /** Calls back once after so many milliseconds, unless disposed before. */
  readonly after: (ms: number, run: () => void) => Disposable;
  /** Called once. */
  readonly onDone: (outcome: 'loggedIn' | 'notLoggedIn') => void;
}

/** Each question starts a process: soon at first, seldom where a person takes long. */
const FIRST_POLL_MS = 2000;
const LAST_POLL_MS = 15_000;
const SLOWER = 1.25;

/**
 * Notices that a login, which runs in a terminal, is done: asks while the terminal is open and once
 * more at its end. Where a login was there before, such as a wrong key, only another answer counts.
 */
export class LoginWatch implements Disposable {
  readonly #options: LoginWatchOptions;
  readonly #before: Promise<LoginAnswer>;
  #timer: Disposable | undefined;
  #pause = FIRST_POLL_MS;
  #isOver = false;

  constructor(options: LoginWatchOptions) {
    this.#options = options;
    this.#before = options.ask();
    this.#wait();
  }

  /** What the CLI said before anything was done. */
  get before(): Promise<LoginAnswer> {
    return this.#before;
  }

  /** The login's terminal has ended; `exitCode` is undefined where it was closed by hand. */
  async ended(exitCode: number | undefined): Promise<void> {
    this.#timer?.dispose();
    const [before, now] = [await this.#before, await this.#options.ask()];
    // An older CLI cannot be asked: how its login ended is all there is.
    const isDone = now.state === 'notAsked' || now.state === 'yes' ? exitCode === 0 : false;
    this.#finish(isDone || isNewLogin(before, now) ? 'loggedIn' : 'notLoggedIn');
  }

  dispose(): void {
    this.#isOver = true;
    this.#timer?.dispose();
  }

  #wait(): void {
    this.#timer = this.#options.after(this.#pause, () => void this.#poll());
    this.#pause = Math.min(this.#pause * SLOWER, LAST_POLL_MS);
  }

  async #poll(): Promise<void> {
    const [before, now] = [await this.#before, await this.#options.ask()];
    if (this.#isOver) return;
    if (isNewLogin(before, now)) this.#finish('loggedIn');
    else this.#wait();
  }

  #finish(outcome: 'loggedIn' | 'notLoggedIn'): void {
    if (this.#isOver) return;
    this.dispose();
    this.#options.onDone(outcome);
  }
}

function isNewLogin(before: LoginAnswer, now: LoginAnswer): boolean {
  return now.state === 'yes' && (before.state !== 'yes' || now.text !== before.text);
}
