import type { Disposable } from '../base/disposable';
import type { Event } from '../base/event';
import type { Logger } from '../base/logger';
import type { AskAnswer, AskPort } from './askPort';
import type { ConversationFacts } from './conversationFacts';
import type { InputOf, ToolInput } from './inputTypes';
import type { ListKind } from './listKind';
import type { ToolContext } from './toolContext';
import type { ServerManifest, WireTool } from './wire';
import type { ToolCheck } from './toolCheck';

/**
 * A server that answers by itself: one of others behind a bridge, or an external one that this
 * machine reaches. The router keeps ids, verdicts, deadlines and cancellations; the rest is its own.
 */
export interface ForeignServer {
  readonly kind: 'foreign';
  readonly name: string;
  readonly version: string;
  /** Who brought it, such as an extension's id or a setting. */
  readonly source?: string;
  /** Milliseconds that one call of a tool may take, 60,000 by default. */
  readonly timeout?: number;
  /** Known beforehand, the CLI need not shake hands with it. Asked at each start of the CLI. */
  manifest?(): ServerManifest | undefined;
  /** As `hideTools` of an own server. Absent where its tools cannot be hidden. */
  hideTools?(isHidden: (tool: string) => boolean): void;
  /** Its tools, those that are hidden as well; absent where they are not known beforehand. */
  allTools?(): readonly WireTool[];
  /** As `addToolCheck` of an own server; what is refused is told in the log. */
  addToolCheck?(check: ToolCheck): Disposable;
  /** Its lists changed: each conversation is told, once for all changes of a moment. */
  readonly onDidChange: Event<ListKind>;
  /** One session a conversation, opened with its first frame, disposed of with the conversation. */
  open(host: ForeignHost): ForeignSession;
}

/** What a session may use of its conversation. */
export interface ForeignHost {
  readonly conversation: ConversationFacts;
  readonly log: Logger;
  readonly ask: AskPort | undefined;
  /** Hands a notification of the server to the client; progress goes by {@link ForeignCall}. */
  notify(method: string, params?: object): void;
}

/**
 * One request in flight. `signal` is aborted on cancellation, deadline and removal, and the answer
 * is dropped then. The request's id on the client's side is none of the session's business.
 */
export type ForeignCall = Pick<
  ToolContext,
  'requestId' | 'toolUseId' | 'conversation' | 'signal' | 'progress' | 'whilePersonDecides'
> & {
  /** @param withdrawn fires when the server takes its question back; the answer is `cancel` then */
  ask<const I extends ToolInput>(
    schema: I,
    message: string,
    withdrawn: AbortSignal,
  ): Promise<AskAnswer<InputOf<I>>>;
  /** Calls back once when the signal is aborted, or has been; at a tenth of its cost. One listener. */
  onStop(listener: (reason: unknown) => void): void;
};

export interface ForeignSession extends Disposable {
  /** The bare `result`. @throws RpcError whose code and message go to the client as they are */
  request(method: string, params: unknown, call: ForeignCall): Promise<object>;
  /** `notifications/cancelled` does not come here: the call's signal tells. */
  notify(method: string, params: unknown): void;
}
