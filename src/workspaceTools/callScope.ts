import { cutText } from '../base/cutText';
import { floodGate } from '../base/floodGate';
import type { LogLevel, ToolContext } from '../mcp/toolContext';

/** Lines that one call may log in a second. */
const LINES_PER_SECOND = 100;
const MAX_LINE = 10_000;

/**
 * The router's context with another signal, and a log that cannot be flooded. All fields are handed
 * on one by one: the router's is a class whose getters a copy would not have.
 */
export class CallScope implements ToolContext {
  readonly #ctx: ToolContext;
  readonly #log: ToolContext['log'];
  readonly #signal: AbortSignal;

  constructor(ctx: ToolContext, signal: AbortSignal = ctx.signal) {
    this.#ctx = ctx;
    this.#signal = signal;
    this.#log = boundedLog(ctx);
  }

  get signal(): AbortSignal {
    return this.#signal;
  }
  get requestId(): string {
    return this.#ctx.requestId;
  }
  get toolUseId(): ToolContext['toolUseId'] {
    return this.#ctx.toolUseId;
  }
  get agent(): ToolContext['agent'] {
    return this.#ctx.agent;
  }
  get progressToken(): ToolContext['progressToken'] {
    return this.#ctx.progressToken;
  }
  get clientInfo(): ToolContext['clientInfo'] {
    return this.#ctx.clientInfo;
  }
  get clientCapabilities(): ToolContext['clientCapabilities'] {
    return this.#ctx.clientCapabilities;
  }
  get meta(): ToolContext['meta'] {
    return this.#ctx.meta;
  }
  get conversation(): ToolContext['conversation'] {
    return this.#ctx.conversation;
  }
  get mode(): string {
    return this.#ctx.mode;
  }
  get turnStart(): ToolContext['turnStart'] {
    return this.#ctx.turnStart;
  }
  get lastTurnStart(): ToolContext['lastTurnStart'] {
    return this.#ctx.lastTurnStart;
  }
  get onDidReset(): ToolContext['onDidReset'] {
    return this.#ctx.onDidReset;
  }
  get state(): Map<string, unknown> {
    return this.#ctx.state;
  }
  get progress(): ToolContext['progress'] {
    return this.#ctx.progress;
  }
  get log(): ToolContext['log'] {
    return this.#log;
  }
  get tellFile(): ToolContext['tellFile'] {
    return this.#ctx.tellFile;
  }
  get ask(): ToolContext['ask'] {
    return this.#ctx.ask;
  }
  get whilePersonDecides(): ToolContext['whilePersonDecides'] {
    return this.#ctx.whilePersonDecides;
  }
}

/** The context of a handler in the extension host. */
export class EditorScope extends CallScope {
  constructor(
    ctx: ToolContext,
    /** The editor's API. */
    readonly vscode: unknown,
    readonly workspaceFolder: unknown,
  ) {
    super(ctx);
  }
}

function boundedLog(ctx: ToolContext): ToolContext['log'] {
  const take = floodGate(LINES_PER_SECOND);
  return (level: LogLevel, data, logger) => {
    const passed = take();
    if (passed === undefined) return;
    if (passed > 0) ctx.log('warning', `${passed} lines were left out`, logger);
    ctx.log(level, typeof data === 'string' ? cutText(data, MAX_LINE) : data, logger);
  };
}
