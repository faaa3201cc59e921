/** Sizes of chunks as a pipe might cut them: the same for the same seed, small and large ones. */
export function createChunker(seed: number): (bytes: Uint8Array) => Generator<Uint8Array> {
  const random = createRandom(seed);
  return function* (bytes) {
    for (let at = 0; at < bytes.byteLength;) {
      // Evenly over the orders of magnitude: else nearly all cuts would be far apart.
      const size = 1 + Math.floor(random() * 2 ** Math.floor(random() * 15));
      yield bytes.subarray(at, at + size);
      at += size;
    }
  };
}

/** Numbers from 0 to below 1, always the same ones for a seed: a linear congruence, high bits only. */
function createRandom(seed: number): () => number {
  let state = BigInt.asUintN(64, BigInt(Math.trunc(seed)) ^ 0x5deece66dn);
  return () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number(state >> 32n) / 2 ** 32;
  };
}
