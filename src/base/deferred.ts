/** A promise with its two ends in hand. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly settled: boolean;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/** Creates a {@link Deferred}. The second settling is ignored, as with any promise. */
export function createDeferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  let settled = false;
  const promise = new Promise<T>((res, rej) => {
    resolve = res;
    reject = rej;
  });
  return {
    promise,
    get settled() {
      return settled;
    },
    resolve: (value) => {
      settled = true;
      resolve(value);
    },
    reject: (reason) => {
      settled = true;
      reject(reason);
    },
  };
}
