import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';

/** One thing that activation does; its name is for the log and for the person. */
export interface ActivationStep {
  readonly name: string;
  run(): void;
}

/**
 * Runs all steps, in order. One that throws does not keep the others from running, or the person
 * would see "command not found" and an empty panel instead of the reason. Returns what failed.
 */
export function runActivationSteps(steps: readonly ActivationStep[], log: Logger): string[] {
  const failures: string[] = [];
  for (const step of steps) {
    try {
      step.run();
    } catch (error) {
      log.error(`Activation step '${step.name}' failed`, error);
      failures.push(`${step.name}: ${errorMessage(error)}`);
    }
  }
  return failures;
}

/** Loads something on first use, once. After a failure the next use tries again. */
export class LazyLoad<T> {
  readonly #load: () => Promise<T>;
  #promise: Promise<T> | undefined;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  get(): Promise<T> {
    this.#promise ??= this.#load().catch((error: unknown) => {
      this.#promise = undefined;
      throw error;
    });
    return this.#promise;
  }

  /** What is loaded or being loaded; undefined when nobody has asked, or it failed. */
  get started(): Promise<T> | undefined {
    return this.#promise;
  }
}
