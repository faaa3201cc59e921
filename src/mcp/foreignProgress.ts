import type { ToolContext } from './toolContext';
import { isRecord, ownField } from './wire';

/** Its own token for each request: those of two conversations may be the same. */
export function withToken(params: unknown, id: number): unknown {
  if (!isRecord(params) || ownField(params._meta, 'progressToken') === undefined) return params;
  return { ...params, _meta: { ...(params._meta as object), progressToken: id } };
}

/** What a server tells of a call; undefined where it does not say how far that is. */
export function readProgress(params: unknown): Parameters<ToolContext['progress']> | undefined {
  const done = ownField(params, 'progress');
  if (typeof done !== 'number') return undefined;
  const total = ownField(params, 'total');
  const message = ownField(params, 'message');
  return [
    done,
    typeof total === 'number' ? total : undefined,
    typeof message === 'string' ? message : undefined,
  ];
}
