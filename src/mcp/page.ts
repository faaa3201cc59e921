import { invalidParams } from './jsonRpc';
import { ownField } from './wire';

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

/**
 * The part of a list that the request's `cursor` names. A cursor holds the names of the last entry
 * seen and of the one behind it: what comes or goes meanwhile, one of the two included, makes nothing
 * be missed or told twice. Where both are gone the list begins anew: rather twice than not at all.
 * @throws RpcError −32602 for a cursor that we did not make
 */
export function pageOf<T>(
  all: readonly T[],
  nameOf: (item: T) => string,
  size: number,
  params: unknown,
  method: string,
): Page<T> {
  const cursor = ownField(params, 'cursor');
  if (cursor === undefined && all.length <= size) return { items: all };
  const start = cursor === undefined ? 0 : startOf(all, nameOf, cursor, method);
  const items = all.slice(start, start + size);
  const last = items.at(-1);
  const next = all[start + size];
  return last !== undefined && next !== undefined
    ? { items, nextCursor: JSON.stringify([nameOf(last), nameOf(next)]) }
    : { items };
}

function startOf<T>(
  all: readonly T[],
  nameOf: (item: T) => string,
  cursor: unknown,
  method: string,
): number {
  const names = readCursor(cursor);
  if (names === undefined) {
    throw invalidParams(method, ['cursor'], 'the nextCursor of an earlier page', cursor);
  }
  const [last = -1, next = -1] = names.map((name) =>
    all.findIndex((item) => nameOf(item) === name),
  );
  return last >= 0 ? last + 1 : Math.max(0, next);
}

function readCursor(cursor: unknown): readonly string[] | undefined {
  try {
    const names: unknown = typeof cursor === 'string' ? JSON.parse(cursor) : undefined;
    const isOurs = Array.isArray(names) && names.length === 2;
    return isOurs && names.every((name) => typeof name === 'string') ? names : undefined;
  } catch {
    return undefined;
  }
}
