import type { ChangeEntry, ChangeProblem, KeptChange } from './changeEntry';
import { type Move, placeBeside } from './followMove';

export type RevertDone =
  { readonly opposite: KeptChange | undefined } | { readonly problem: ChangeProblem };

export interface TurnPorts<T> {
  /** The change as it is by then: what was done before may have moved it. */
  readonly find: (id: string) => (KeptChange & Pick<ChangeEntry, 'isMixed'>) | undefined;
  /** Never rejects. */
  readonly revert: (change: KeptChange, isMixed: boolean | undefined) => Promise<RevertDone>;
  /** Why the content of a change could not be taken back; undefined where it could. */
  readonly refusal: (change: KeptChange) => Promise<ChangeProblem | undefined>;
  readonly move: (from: string, to: string) => Promise<void>;
  readonly onDone: (one: T, opposite: KeptChange | undefined) => Promise<void> | void;
}

/** Something stands where a file was: it may go back as well. */
const IN_THE_WAY: ReadonlySet<unknown> = new Set<ChangeProblem['kind']>(['placeTaken', 'exists']);

/**
 * Takes changes back one after the other, and once more those in whose way something stood. Of two
 * that stand in each other's places one is put aside for that long.
 * @returns what could not be taken back
 */
export async function inTurn<T extends { readonly id: string }>(
  wanted: readonly T[],
  ports: TurnPorts<T>,
): Promise<ReadonlyMap<string, ChangeProblem>> {
  const turns = new Turns(ports);
  let left = wanted;
  for (let before = Infinity; left.length > 0 && left.length < before;) {
    before = left.length;
    const rest: T[] = [];
    // What lies in a folder is settled before that goes: its places are named with the folder's.
    for (const run of runsOf(left, ports)) rest.push(...(await turns.settle(run)));
    left = rest;
  }
  return turns.end();
}

/** Changes of files, or of folders, that stand behind each other. */
function runsOf<T extends { readonly id: string }>(
  all: readonly T[],
  { find }: Pick<TurnPorts<T>, 'find'>,
): readonly (readonly T[])[] {
  const runs: { readonly isFolder: boolean; readonly list: T[] }[] = [];
  for (const one of all) {
    const isFolder = find(one.id)?.base.kind === 'folder';
    const last = runs.at(-1);
    if (last?.isFolder === isFolder) last.list.push(one);
    else runs.push({ isFolder, list: [one] });
  }
  return runs.map(({ list }) => list);
}

class Turns<T extends { readonly id: string }> {
  readonly #ports: TurnPorts<T>;
  readonly #failed = new Map<string, ChangeProblem>();
  /** Where something was that was put aside, and where it is for that long. */
  readonly #aside = new Map<string, Move>();

  constructor(ports: TurnPorts<T>) {
    this.#ports = ports;
  }

  /** @returns those in whose way something stands still */
  async settle(run: readonly T[]): Promise<readonly T[]> {
    let left = run;
    for (let isGoingOn = left.length > 0; isGoingOn;) {
      const before = left.length;
      for (const one of left) await this.#takeBack(one);
      left = left.filter(({ id }) => IN_THE_WAY.has(this.#failed.get(id)?.kind));
      isGoingOn = left.length < before || (await this.#putOneAside(left));
    }
    return left;
  }

  async end(): Promise<ReadonlyMap<string, ChangeProblem>> {
    for (const [id, { from, to }] of this.#aside) {
      // Where its place is taken by now it stays beside it.
      if (this.#failed.has(id)) await this.#ports.move(to, from).catch(() => undefined);
    }
    return this.#failed;
  }

  async #takeBack(one: T): Promise<void> {
    const change = this.#find(one.id);
    if (change === undefined) {
      // It has gone with another.
      this.#failed.delete(one.id);
      return;
    }
    const done = await this.#ports.revert(change, change.isMixed);
    if ('problem' in done) {
      this.#failed.set(one.id, done.problem);
      return;
    }
    this.#failed.delete(one.id);
    const from = this.#aside.get(one.id)?.from ?? done.opposite?.from;
    await this.#ports.onDone(one, done.opposite && { ...done.opposite, ...(from && { from }) });
  }

  async #putOneAside(left: readonly T[]): Promise<boolean> {
    for (const { id } of left) {
      const change = this.#find(id);
      if (change === undefined || this.#aside.has(id)) continue;
      if (!left.some((other) => this.#find(other.id)?.from === change.path)) continue;
      if (await this.#ports.refusal(change)) continue;
      const put = { from: change.path, to: placeBeside(change.path) };
      try {
        await this.#ports.move(put.from, put.to);
      } catch {
        // It stays, and so does what needs its place.
        continue;
      }
      this.#aside.set(id, put);
      return true;
    }
    return false;
  }

  #find(id: string): ReturnType<TurnPorts<T>['find']> {
    const [change, put] = [this.#ports.find(id), this.#aside.get(id)];
    return change && put ? { ...change, path: put.to } : change;
  }
}
