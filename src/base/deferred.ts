/** A promise with its two ends in hand. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly settled: boolean;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/** Creates a {@link Deferred}. The second settling is ignored, as with any promise. */
export function createDeferred<T>(): Deferred<T> {
  return new Settler<T>();
}

/** A class and no object with a getter: of those each one gets a hidden class of its own. */
class Settler<T> implements Deferred<T> {
  settled = false;
  readonly promise: Promise<T>;
  #resolve!: (value: T) => void;
  #reject!: (reason: unknown) => void;

  constructor() {
    this.promise = new Promise<T>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  // Own functions, so that they can be handed on without the deferred.
  readonly resolve = (value: T): void => {
    this.settled = true;
    this.#resolve(value);
  };
  readonly reject = (reason: unknown): void => {
    this.settled = true;
    this.#reject(reason);
  };
}
