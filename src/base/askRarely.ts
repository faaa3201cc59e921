/**
 * Asks again only where the last asking is older than so many milliseconds, or has failed. Who asks
 * meanwhile gets the same answer.
 * @param now milliseconds of a clock that is not put back
 */
export function askRarely<T>(
  ms: number,
  ask: () => Promise<T>,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | undefined;
  return () => {
    if (last !== undefined && now() - last.at <= ms) return last.answer;
    const asked = { at: now(), answer: ask() };
    last = asked;
    asked.answer.catch(() => {
      if (last === asked) last = undefined;
    });
    return asked.answer;
  };
}
