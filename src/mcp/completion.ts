import type { ToolContext } from './toolContext';

/** The values that begin as `value` does; `others` are the arguments that are filled in already. */
export type Completer = (
  value: string,
  others: Readonly<Record<string, string>>,
  ctx: ToolContext,
) => readonly string[] | Promise<readonly string[]>;

/** The protocol's limit for one answer. */
const MAX_VALUES = 100;

export interface CompleteResult {
  readonly completion: {
    readonly values: readonly string[];
    readonly total: number;
    readonly hasMore: boolean;
  };
}

/** Whatever a completer gave, as the protocol wants it. */
export function completeResult(found: unknown): CompleteResult {
  const all: unknown[] = Array.isArray(found) ? found : [];
  const texts = all.filter((value) => typeof value === 'string');
  return {
    completion: {
      values: texts.slice(0, MAX_VALUES),
      total: texts.length,
      hasMore: texts.length > MAX_VALUES,
    },
  };
}
