/**
 * Heights in a row, of which one changes and the sum before any is asked for at each scroll: both in
 * steps of the logarithm of their number (a Fenwick tree). Heights are in CSS pixels, and not negative.
 */
export class HeightTree {
  readonly #heights: number[] = [];
  /** At `n`, counted from 1: the sum of as many heights before it as `n` has in its lowest set bit. */
  readonly #sums: number[] = [0];

  constructor(heights: Iterable<number> = []) {
    for (const height of heights) this.push(height);
  }

  get count(): number {
    return this.#heights.length;
  }

  get total(): number {
    return this.before(this.count);
  }

  push(height: number): void {
    this.#heights.push(height);
    const place = this.count;
    let sum = height;
    for (let step = 1; step < lowestBit(place); step *= 2) sum += this.#sum(place - step);
    this.#sums.push(sum);
  }

  height(index: number): number {
    return this.#heights[index] ?? 0;
  }

  set(index: number, height: number): void {
    if (index < 0 || index >= this.count) return;
    const change = height - this.height(index);
    this.#heights[index] = height;
    for (let place = index + 1; place <= this.count; place += lowestBit(place)) {
      this.#sums[place] = this.#sum(place) + change;
    }
  }

  /** The sum of the heights before this index. */
  before(index: number): number {
    let sum = 0;
    for (let place = Math.min(index, this.count); place > 0; place -= lowestBit(place)) {
      sum += this.#sum(place);
    }
    return sum;
  }

  /** The index of what stands at this distance from the beginning: the first or the last outside of all. */
  indexAt(distance: number): number {
    let place = 0;
    let rest = distance;
    let step = 1;
    while (step * 2 <= this.count) step *= 2;
    for (; step > 0; step = Math.floor(step / 2)) {
      const next = place + step;
      if (next > this.count || this.#sum(next) > rest) continue;
      place = next;
      rest -= this.#sum(next);
    }
    return Math.max(0, Math.min(place, this.count - 1));
  }

  #sum(place: number): number {
    return this.#sums[place] ?? 0;
  }
}

function lowestBit(place: number): number {
  return place & -place;
}
