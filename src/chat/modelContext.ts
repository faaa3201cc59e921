import type { MessageTracks } from './messageTracks';
import type { TaskBook } from './taskBook';
import type { ToolTracker } from './toolTracker';
import type { TranscriptStore } from './transcriptStore';
import type { TurnItems } from './turnItems';
import type { TurnStatusTracker } from './turnStatus';

/** What the CLI said of a failure before the `result` that reports it. */
export interface ApiFailureHint {
  readonly error: string | undefined;
  readonly status: number | undefined;
}

/** What the reducers share. Each of them changes the transcript through these and nothing else. */
export interface ModelContext {
  readonly store: TranscriptStore;
  readonly items: TurnItems;
  readonly status: TurnStatusTracker;
  readonly tracks: MessageTracks;
  readonly tools: ToolTracker;
  readonly tasks: TaskBook;
  readonly now: () => number;
  /** While a conversation is drawn from the disk: when its rows were written. {@link now} tells it. */
  readonly replay: { at: number | undefined };
  /** What is known for the running turn only. */
  readonly turn: TurnMemory;
  readonly usage: UsageMemory;
  /** The line that tells of the person's last choice of a model, and the model before it. */
  readonly chosen: { line: { readonly id: string; readonly before: string } | undefined };
}

export interface TurnMemory {
  /** Of a synthetic API error row that is not drawn: the `result` says the same. */
  apiFailure: ApiFailureHint | undefined;
  refused: boolean;
  /** After a compaction the CLI sends old local rows again until the turn's end. */
  replaysOldRows: boolean;
  /** The line that tells of withdrawn permission requests, and how many it tells of. */
  withdrawn?: { readonly id: string; count: number };
}

export interface UsageMemory {
  /** US dollars of the processes that have ended. */
  endedCostUsd: number;
  /** US dollars that the running process reported last. */
  processCostUsd: number;
  /** US dollars that it counted from: what the session had cost before, or 0. */
  baselineUsd: number;
  /** Tokens in the context at the last model message, and the model that had them. */
  contextTokens: number | undefined;
  contextModel: string | undefined;
  /** The CLI named the conversation: the first prompt no longer does. */
  titleIsNamed: boolean;
}
