import type { ToolContext } from '../mcp/toolContext';

/** What a tool keeps for a conversation, made with its first call. `key` must be the tool's own. */
export function toolState<T>({ state }: Pick<ToolContext, 'state'>, key: string, make: () => T): T {
  // Whoever has the key has put there what it makes.
  if (state.has(key)) return state.get(key) as T;
  const made = make();
  state.set(key, made);
  return made;
}
