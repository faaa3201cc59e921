import type { Event } from '../base/event';
import type { AskAnswer } from './askPort';
import type { ConversationReset } from './conversationFacts';
import type { InputOf, ToolInput } from './inputTypes';
import type { ClientInfo } from './wire';

/** From the least to the most severe. */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * What a handler knows of the call it serves: a tool's, a resource's, a prompt's or that of a method
 * of one's own. All functions can be taken out of it.
 */
export interface ToolContext {
  /** Aborted on Stop, on time-out, when the server is taken away and when the conversation ends. */
  readonly signal: AbortSignal;
  /** Id of the control request; the only key that is unique among calls in flight. */
  readonly requestId: string;
  /** Id of the model's `tool_use` block; links card, permission and call. */
  readonly toolUseId?: string;
  /** Of a sub-agent's call the `tool_use` id of the call that runs it; absent for the main agent. */
  readonly agent?: string;
  readonly progressToken?: string | number;
  /** Absent where the CLI did not shake hands since it knew the server beforehand. */
  readonly clientInfo?: ClientInfo;
  readonly clientCapabilities?: Readonly<Record<string, unknown>>;
  /** `_meta` of the request as it came. */
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly conversation: { readonly id: string; readonly cwd: string };
  /** The permission mode now, as the CLI names it; `default` where it is not known. */
  readonly mode: string;
  /** When the running turn began, in milliseconds since 1970. */
  readonly turnStart?: number;
  /** When the turn before that began; in the first turn, when the conversation was opened. */
  readonly lastTurnStart?: number;
  /**
   * Fires after the model forgot what it was told: the conversation was compacted or rewound.
   * Listeners live as long as `state`: subscribe once, not with each call.
   */
  readonly onDidReset: Event<ConversationReset>;
  /** Lives as long as the conversation; each server has its own. */
  readonly state: Map<string, unknown>;
  /** Tells the person how far the work is. After the call has ended it does nothing. */
  readonly progress: (done: number, total?: number, message?: string) => void;
  /** Into the log, and to a client that asked for this level. `logger` names a part of the tool. */
  readonly log: (level: LogLevel, data: unknown, logger?: string) => void;
  /**
   * The result names this file, or quotes so many bytes of it. For the record of what was shown to
   * the model; changes nothing.
   */
  readonly tellFile: (path: string, bytes?: number) => void;
  /**
   * Asks the person by a form made from the schema, an object of plain fields. The call's clock
   * stands still meanwhile. What fits the form and not the schema brings the form back.
   * @throws Error where nobody can be asked, or a program has answered what does not fit the schema
   */
  readonly ask: <const I extends ToolInput>(
    schema: I,
    message: string,
  ) => Promise<AskAnswer<InputOf<I>>>;
  /** The call's clock stands still until `work` has ended, such as a preview that waits for a click. */
  readonly whilePersonDecides: <T>(work: Promise<T>) => Promise<T>;
}

const never: Event<ConversationReset> = () => ({ dispose: () => undefined });

/** A context for a call that no router makes: tests, and commands that run a tool themselves. */
export function createToolContext(given: Partial<ToolContext> = {}): ToolContext {
  return {
    signal: new AbortController().signal,
    requestId: 'direct',
    conversation: { id: 'direct', cwd: '' },
    mode: 'default',
    onDidReset: never,
    state: new Map(),
    progress: () => undefined,
    log: () => undefined,
    tellFile: () => undefined,
    ask: () => Promise.reject(new Error('Nobody can be asked here')),
    whilePersonDecides: (work) => work,
    ...given,
  };
}
