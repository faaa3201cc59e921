import type { EndFamilyOptions } from './endFamily';

/** How long each step of ending a CLI may take, in ms. */
export interface CloseLimits {
  /** From the end of its input to SIGTERM. */
  readonly inputMs: number;
  /** From there to SIGKILL. */
  readonly termMs: number;
  /** For what it has left running, between SIGTERM and SIGKILL. */
  readonly leftMs: number;
  /** For that to be gone once it is killed. */
  readonly lastMs: number;
  /** For the last bytes to arrive after the process has ended. */
  readonly drainMs: number;
}

/**
 * Together less than three seconds, since VS Code gives five. After a shell command was running the
 * CLI takes 1.7 s, by itself or after SIGTERM, and leaves none of it.
 */
export const CLOSE_LIMITS: CloseLimits = {
  inputMs: 750,
  termMs: 1200,
  leftMs: 300,
  lastMs: 250,
  drainMs: 250,
};

/** Of the watchdog, once the extension host is gone; less than the five seconds after which a person may look. */
export const WATCHDOG_LIMITS: EndFamilyOptions = { graceMs: 1000, limitMs: 4000 };
