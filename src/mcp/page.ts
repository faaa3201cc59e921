import { invalidParams } from './jsonRpc';
import { ownField } from './wire';

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

/**
 * The part of a list that the request's `cursor` names. A cursor holds place and name of the last
 * entry seen: what came or went before it meanwhile is neither missed nor told twice.
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
  return start + size < all.length && last !== undefined
    ? { items, nextCursor: `${start + items.length}:${nameOf(last)}` }
    : { items };
}

function startOf<T>(
  all: readonly T[],
  nameOf: (item: T) => string,
  cursor: unknown,
  method: string,
): number {
  const read = typeof cursor === 'string' ? /^(\d{1,9}):(.*)$/su.exec(cursor) : null;
  const [, place, name] = read ?? [];
  if (place === undefined || name === undefined) {
    throw invalidParams(method, ['cursor'], 'the nextCursor of an earlier page', cursor);
  }
  const at = all.findIndex((item) => nameOf(item) === name);
  return at === -1 ? Number(place) : at + 1;
}
