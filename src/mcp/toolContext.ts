import type { ClientInfo } from './wire';

export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

/** What a tool's handler knows of the call it serves. */
export interface ToolContext {
  /** Aborted on Stop, on time-out, when the server is taken away and when the conversation ends. */
  readonly signal: AbortSignal;
  /** Id of the control request; the only key that is unique among calls in flight. */
  readonly requestId: string;
  /** Id of the model's `tool_use` block; links card, permission and call. */
  readonly toolUseId?: string;
  readonly progressToken?: string | number;
  readonly clientInfo?: ClientInfo;
  /** `_meta` of the request as it came. */
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly conversation: { readonly id: string; readonly cwd: string };
  /** Lives as long as the conversation; each server has its own. */
  readonly state: Map<string, unknown>;
  /** Tells the person how far the work is. After the call has ended it does nothing. */
  progress(done: number, total?: number, message?: string): void;
  log(level: LogLevel, data: unknown): void;
}

/** A context for a call that no router makes: tests, and commands that run a tool themselves. */
export function createToolContext(given: Partial<ToolContext> = {}): ToolContext {
  return {
    signal: new AbortController().signal,
    requestId: 'direct',
    conversation: { id: 'direct', cwd: '' },
    state: new Map(),
    progress: () => undefined,
    log: () => undefined,
    ...given,
  };
}
