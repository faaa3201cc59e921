import type { Logger } from '../base/logger';
import type { OpenCall } from './openCalls';
import type { LogLevel, ToolContext } from './toolContext';
import { type ClientInfo, isRecord, ownField } from './wire';

/** How far a running call is. */
export interface CallProgress {
  readonly server: string;
  readonly tool: string;
  readonly requestId: string;
  readonly toolUseId?: string;
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

export interface CallFacts {
  readonly call: OpenCall;
  readonly tool: string;
  /** `_meta` of the request, not yet read. */
  readonly meta: unknown;
  readonly clientInfo: ClientInfo | undefined;
  readonly state: Map<string, unknown>;
  readonly conversation: { readonly id: string; readonly cwd: string };
}

export interface CallOutlets {
  readonly log: Logger;
  readonly onProgress?: (progress: CallProgress) => void;
  readonly notify?: (server: string, message: object) => void;
}

/** What a handler is given of the call it serves. Its reports end with the call. */
export function createCallContext(facts: CallFacts, outlets: CallOutlets): ToolContext {
  return new CallContext(facts, outlets);
}

/** A class and no object with a getter: of those each one gets a hidden class of its own. */
class CallContext implements ToolContext {
  readonly #facts: CallFacts;
  readonly #outlets: CallOutlets;
  readonly requestId: string;
  readonly toolUseId: string | undefined;
  readonly progressToken: string | number | undefined;
  readonly clientInfo: ClientInfo | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly conversation: { readonly id: string; readonly cwd: string };
  readonly state: Map<string, unknown>;

  constructor(facts: CallFacts, outlets: CallOutlets) {
    this.#facts = facts;
    this.#outlets = outlets;
    this.meta = isRecord(facts.meta) ? facts.meta : undefined;
    const toolUseId = ownField(this.meta, 'claudecode/toolUseId');
    const token = ownField(this.meta, 'progressToken');
    this.requestId = facts.call.requestId;
    this.toolUseId = typeof toolUseId === 'string' ? toolUseId : undefined;
    this.progressToken = typeof token === 'string' || typeof token === 'number' ? token : undefined;
    this.clientInfo = facts.clientInfo;
    this.conversation = facts.conversation;
    this.state = facts.state;
  }

  /** Made on first use: most handlers never look at it. */
  get signal(): AbortSignal {
    return this.#facts.call.signal;
  }

  // Own functions, so that a handler can take them out of the context.
  readonly progress = (done: number, total?: number, message?: string): void => {
    if (!this.#facts.call.ended) {
      report(this, this.#facts, this.#outlets, { done, total, message });
    }
  };

  readonly log = (level: LogLevel, data: unknown): void => {
    const { call, tool } = this.#facts;
    writeLog(this.#outlets.log, level, `[${call.server}/${tool}] ${logText(data)}`);
  };
}

interface Step {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

function report(ctx: ToolContext, facts: CallFacts, outlets: CallOutlets, step: Step): void {
  const { server, requestId } = facts.call;
  try {
    outlets.onProgress?.({
      server,
      tool: facts.tool,
      requestId,
      toolUseId: ctx.toolUseId,
      ...step,
    });
    if (ctx.progressToken === undefined) return;
    outlets.notify?.(server, {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: {
        progressToken: ctx.progressToken,
        progress: step.done,
        total: step.total,
        message: step.message,
      },
    });
  } catch (error) {
    // A fault in showing progress must not become a fault of the tool.
    outlets.log.error(`Progress of ${server}/${facts.tool} could not be told`, error);
  }
}

function writeLog(log: Logger, level: LogLevel, text: string): void {
  switch (level) {
    case 'debug':
      log.debug(text);
      break;
    case 'info':
      log.info(text);
      break;
    case 'warning':
      log.warn(text);
      break;
    case 'error':
      log.error(text);
      break;
    default:
      // Tool files are plain JavaScript too: an unknown level must not make the call fail.
      log.info(text);
  }
}

function logText(data: unknown): string {
  if (typeof data === 'string') return data;
  try {
    return JSON.stringify(data);
  } catch {
    return '(cannot be written)';
  }
}

/** Undefined when the client did not say who it is. */
export function readClientInfo(params: unknown): ClientInfo | undefined {
  const info = ownField(params, 'clientInfo');
  const name = ownField(info, 'name');
  const version = ownField(info, 'version');
  const title = ownField(info, 'title');
  if (typeof name !== 'string' || typeof version !== 'string') return undefined;
  return { name, version, ...(typeof title === 'string' ? { title } : {}) };
}
