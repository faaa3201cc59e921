/** One thing the scripted model does inside a message. Neighbours of one kind share a block. */
export type Step =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | {
      readonly kind: 'toolUse';
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  /** Holds the stream until the promise settles, so that a test can act in mid-stream. */
  | { readonly kind: 'pause'; readonly until: Promise<unknown> }
  /** Destroys the socket, as a lost connection does. */
  | { readonly kind: 'cut' };

/** A whole message. `stopReason` defaults to `tool_use` with a tool call in it, else `end_turn`. */
export interface Message {
  readonly kind: 'message';
  readonly steps: readonly Step[];
  readonly stopReason?: StopReason;
}

/** An HTTP error instead of a message. */
export interface Fault {
  readonly kind: 'fault';
  /** HTTP status, such as 529. */
  readonly status: number;
  /** `error.type` of the body, such as `overloaded_error`. */
  readonly type: string;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal' | 'stop_sequence';

export type Reply = Message | Fault;

/** What came back from a tool since the person's last prompt. */
export interface ToolResult {
  readonly id: string;
  /** The name in the `tool_use` block; empty when the call is not in the request. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly isError: boolean;
}

/** A model request, read as the scripted model sees it. */
export interface Turn {
  /** The person's last words, without the reminders that the CLI puts beside them. */
  readonly prompt: string;
  /** Results of the calls made since that prompt, in order. */
  readonly results: readonly ToolResult[];
  /** Prompts that were sent while a tool ran and joined this turn. */
  readonly asides: readonly string[];
  /** How many messages the model has sent since that prompt: 0 for the first. */
  readonly step: number;
  /** Names of the tools on offer. */
  readonly tools: readonly string[];
  /** All text of the system prompt and of reminders, where the CLI tells its folder. */
  readonly context: string;
}

/**
 * The model's mind: a function, or replies to take in turn (the last one is repeated).
 * Side requests of the CLI (titles, summaries) never reach it.
 */
export type Script = ((turn: Turn) => Reply | Promise<Reply>) | readonly Reply[];

export const text = (words: string): Step => ({ kind: 'text', text: words });

export const thinking = (words: string): Step => ({ kind: 'thinking', text: words });

export const toolUse = (name: string, input: Readonly<Record<string, unknown>> = {}): Step => ({
  kind: 'toolUse',
  name,
  input,
});

export const pause = (until: Promise<unknown>): Step => ({ kind: 'pause', until });

export const cut = (): Step => ({ kind: 'cut' });

export function message(steps: readonly Step[], stopReason?: StopReason): Message {
  return stopReason === undefined
    ? { kind: 'message', steps }
    : { kind: 'message', steps, stopReason };
}

/** A message of plain text. */
export const say = (words: string): Message => message([text(words)]);

export function fault(
  status: number,
  type: string,
  words: string,
  retryAfterSeconds?: number,
): Fault {
  const base: Fault = { kind: 'fault', status, type, message: words };
  return retryAfterSeconds === undefined ? base : { ...base, retryAfterSeconds };
}
