import { keepLatest } from '../base/keepLatest';
import { ToolProblem } from './toolProblem';

const KEPT = 50;

/**
 * What a tool told the permission policy that a call would write, by the call's input. As the call
 * runs it may write nothing else: the answer of a language server can be another one by then.
 */
export class NamedWrites {
  readonly #byInput = new Map<string, ReadonlySet<string>>();

  /** Remembers, and gives the paths back. */
  name(input: object, paths: readonly string[]): readonly string[] {
    const key = JSON.stringify(input);
    this.#byInput.delete(key);
    this.#byInput.set(key, new Set(paths));
    keepLatest(this.#byInput, KEPT);
    return paths;
  }

  /** @throws ToolProblem for a path that was not named; all are fine where nobody had asked */
  check(input: object, paths: readonly string[]): void {
    const named = this.#byInput.get(JSON.stringify(input));
    if (named === undefined) return;
    const strays = new Set(paths.filter((path) => !named.has(path)));
    if (strays.size === 0) return;
    throw new ToolProblem(
      `Nothing was changed: ${strays.size} of the files were not among those that were allowed. Call it again`,
    );
  }
}
