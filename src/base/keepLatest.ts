/** Lets go of the oldest entries of a map until it has at most so many. */
export function keepLatest<K>(map: Map<K, unknown>, most: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}
