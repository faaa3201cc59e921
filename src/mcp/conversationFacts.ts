import type { Event } from '../base/event';

/** After either the model no longer knows what it was told before. */
export type ConversationReset = 'compaction' | 'rewind';

/** What handlers may know of the conversation that they serve. Fields may be getters: they are read anew each time. */
export interface ConversationFacts {
  readonly id: string;
  /** Absolute path of the folder in which the agent works. */
  readonly cwd: string;
  /** The permission mode now, as the CLI names it. */
  readonly mode?: string | undefined;
  /** When the running turn began, in milliseconds since 1970; undefined between turns. */
  readonly turnStart?: number | undefined;
  /** When the turn before that began, or between turns the last one. */
  readonly lastTurnStart?: number | undefined;
  readonly onDidReset?: Event<ConversationReset> | undefined;
  /** Of a call of a sub-agent by its `tool_use` id: that of the call which runs the sub-agent. */
  readonly agentOf?: ((toolUseId: string) => string | undefined) | undefined;
}
