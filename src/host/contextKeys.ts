/** The context keys that we set, for `when` clauses. package.json may name no other of ours. */
export const contextKeys = {
  /** True while the agent works, or waits for an answer, in any conversation of this window. */
  turnRunning: 'patchbay.turnRunning',
} as const;

export type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];
