import { Emitter } from '../base/event';
import { pathBelow } from '../workFiles/pathBelow';
import { oneLine } from './resultBudget';
import { withoutSecretValues } from './terminalText';

/** A run of tests that has ended. */
export interface TestRun {
  readonly kind: 'task' | 'command';
  /** The task as the editor lists it, or the line of the terminal. */
  readonly name: string;
  /** Where it ran, absolute; undefined where nobody told. */
  readonly folder: string | undefined;
  readonly exitCode: number;
}

/** One that has failed, as it may be shown: without what looks like a secret, on one line. */
export interface FailedTests {
  readonly kind: TestRun['kind'];
  readonly name: string;
  /** Where it ran, below the folder that was asked for, with `/`; undefined for that folder itself. */
  readonly below: string | undefined;
  readonly exitCode: number;
}

const RUNS_KEPT = 20;
const NAME_LIMIT = 120;
/**
 * Ends that say nothing of the tests: the shell found no such program, or the person ended it
 * (128 and the number of the signal; the last two are Ctrl+C under Windows).
 */
const NO_VERDICT = new Set([126, 127, 129, 130, 137, 143, -1073741510, 3221225786]);

/** Which runs of the workspace's tests have failed in this window, and did not pass since. */
export class TestRuns {
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  /** The last to fail stands last. */
  #failed: readonly TestRun[] = [];

  /** @param run undefined for what was no run of tests */
  ended(run: TestRun | undefined): void {
    if (run === undefined || NO_VERDICT.has(run.exitCode)) return;
    const others = this.#failed.filter((other) => !isPartOf(other, run));
    if (run.exitCode === 0 && others.length === this.#failed.length) return;
    this.#failed = run.exitCode === 0 ? others : [...others, run].slice(-RUNS_KEPT);
    this.#changed.fire();
  }

  /** The last that failed in the folder or below it. */
  failedIn(folder: string): FailedTests | undefined {
    for (const run of this.#failed.toReversed()) {
      const below = placeBelow(run.folder, folder);
      if (below === undefined) continue;
      const name = oneLine(withoutSecretValues(run.name), NAME_LIMIT);
      return {
        kind: run.kind,
        name,
        below: below === '' ? undefined : below,
        exitCode: run.exitCode,
      };
    }
    return undefined;
  }
}

/** The same run, or one that was narrower: `npm test` says it for `npm test -- cart` too. */
function isPartOf(run: TestRun, whole: TestRun): boolean {
  if (run.kind !== whole.kind || run.folder !== whole.folder) return false;
  return run.name === whole.name || (whole.exitCode === 0 && run.name.startsWith(`${whole.name} `));
}

/** Empty for the folder itself, and where nobody knows; undefined outside. */
function placeBelow(place: string | undefined, folder: string): string | undefined {
  return place === undefined ? '' : pathBelow(folder, place)?.replaceAll('\\', '/');
}
