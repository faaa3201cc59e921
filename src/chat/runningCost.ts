import type { ModelContext, UsageMemory } from './modelContext';

/** US dollars of the whole conversation, over all of its processes. */
export function conversationCost(memory: UsageMemory): number {
  return memory.endedCostUsd + memory.processCostUsd - memory.baselineUsd;
}

/** The process has ended: what comes next counts anew. */
export function closeCost(memory: UsageMemory): void {
  memory.endedCostUsd = conversationCost(memory);
  memory.processCostUsd = 0;
  memory.baselineUsd = 0;
}

/** A resumed process counts on from what the session had cost before. */
export function countFrom({ usage: memory, store }: ModelContext, usd: number): void {
  // The end of the one before may not have been told.
  closeCost(memory);
  // Kept by nobody: then the CLI knows better.
  const isNew = store.state.usage === undefined && conversationCost(memory) === 0;
  if (isNew) memory.endedCostUsd = usd;
  memory.processCostUsd = usd;
  memory.baselineUsd = usd;
}
