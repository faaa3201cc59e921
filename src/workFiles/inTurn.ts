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
  const { revert, onDone } = ports;
  const failed = new Map<string, ChangeProblem>();
  const aside = new Map<string, Aside>();
  const find: TurnPorts<T>['find'] = (id) => {
    const [change, put] = [ports.find(id), aside.get(id)];
    return change && put ? { ...change, path: put.to } : change;
  };
  let left = wanted;
  for (let isGoingOn = left.length > 0; isGoingOn;) {
    const before = left.length;
    for (const one of left) {
      const change = find(one.id);
      if (change === undefined) continue;
      const done = await revert(change, change.isMixed);
      if ('problem' in done) {
        failed.set(one.id, done.problem);
        continue;
      }
      failed.delete(one.id);
      const from = aside.get(one.id)?.from ?? done.opposite?.from;
      await onDone(one, done.opposite && { ...done.opposite, ...(from && { from }) });
    }
    left = left.filter(({ id }) => IN_THE_WAY.has(failed.get(id)?.kind));
    isGoingOn = left.length < before || (await putOneAside(left, ports, aside));
  }
  for (const [id, { from, to }] of aside) {
    // Where its place is taken by now it stays beside it.
    if (failed.has(id)) await ports.move(to, from).catch(() => undefined);
  }
  return failed;
}

/** Where something was, and where it is for that long. */
type Aside = Move;

async function putOneAside<T extends { readonly id: string }>(
  left: readonly T[],
  { find, refusal, move }: TurnPorts<T>,
  aside: Map<string, Aside>,
): Promise<boolean> {
  for (const { id } of left) {
    const change = find(id);
    if (change === undefined || aside.has(id)) continue;
    if (!left.some((other) => find(other.id)?.from === change.path)) continue;
    if (await refusal(change)) continue;
    const put = { from: change.path, to: placeBeside(change.path) };
    try {
      await move(put.from, put.to);
    } catch {
      // It stays, and so does what needs its place.
      continue;
    }
    aside.set(id, put);
    return true;
  }
  return false;
}
