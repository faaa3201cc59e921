import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { ChangeEntry } from './changeEntry';
import { pathBelow } from './pathBelow';

/** A file or folder that has gone to another place. Both absolute. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

type Moved = Pick<ChangeEntry, 'path' | 'from' | 'after'>;

/** Whether two ways of telling a move tell the same one; on Windows a drive goes by either case. */
export function isSameMove(a: Move | undefined, b: Move): boolean {
  if (a === undefined) return false;
  return path.relative(a.from, b.from) === '' && path.relative(a.to, b.to) === '';
}

/** Where a change is after a move. What was deleted there before is not what has moved now. */
export function followMove<T extends Moved>(change: T, move: Move): T {
  const isOther = change.after.kind === 'none' && pathBelow(move.from, change.path) === '';
  const moved = isOther ? change.path : pathAfter(change.path, move);
  const followed = followOrigin({ ...change, path: moved }, move);
  // Somebody has brought it back: there is no way left to go.
  return followed.from === moved ? { ...followed, from: undefined } : followed;
}

/** With the place that it came from, where a folder around that has moved: there it belongs by now. */
export function followOrigin<T extends Pick<ChangeEntry, 'from'>>(change: T, move: Move): T {
  const { from } = change;
  if (from === undefined || pathBelow(move.from, from) === '') return change;
  return { ...change, from: pathAfter(from, move) };
}

function pathAfter(one: string, { from, to }: Move): string {
  const below = pathBelow(from, one);
  return below === undefined ? one : path.join(to, below);
}

/** A place beside a file where nothing is, of the same kind: what imports it is changed with it. */
export function placeBeside(file: string): string {
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}-${randomUUID().slice(0, 8)}${ext}`);
}
