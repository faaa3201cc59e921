import type { Logger } from '../base/logger';
import type { RouterObserver } from '../mcp/observeRouter';
import { type NamedFile, type ServerEnd, type ServerEvent, spanLine } from '../mcp/serverEvent';

/** From the first prompt to the end. Its sizes are those of all requests to servers in between. */
export type ConversationEvent = {
  readonly work: 'conversation';
  readonly conversationId: string;
} & (
  | { readonly phase: 'start' }
  | (ServerEnd & { readonly phase: 'stop'; readonly outcome: 'success' })
  /** It ended after its agent had failed. */
  | (ServerEnd & { readonly phase: 'exception' })
);

export type TelemetryEvent = ServerEvent | ConversationEvent;

/** Where a conversation tells what it and its servers do. Stays on this machine. */
export interface TelemetryPort {
  /** Asked with each request: what nobody wants is not measured. */
  readonly isWanted: () => boolean;
  /** What it throws is logged and changes nothing. */
  readonly tell: (event: TelemetryEvent) => void;
}

export interface TelemetryWorld {
  readonly now: () => number;
  readonly log: Logger;
  readonly telemetry?: TelemetryPort | undefined;
}

/** What one conversation tells: to the port, and as lines in the shape of spans to a log at trace. */
export class ConversationTelemetry {
  readonly #id: string;
  readonly #world: TelemetryWorld;
  /** The files that running requests have told of, by request. */
  readonly #files = new Map<string, Map<string, number>>();
  #began: number | undefined;
  #bytesIn = 0;
  #bytesOut = 0;

  constructor(conversationId: string, world: TelemetryWorld) {
    this.#id = conversationId;
    this.#world = world;
  }

  /** For the router. */
  get observer(): RouterObserver {
    const { now, log } = this.#world;
    return {
      conversationId: this.#id,
      now,
      log,
      isActive: this.#isActive,
      takeFiles: (requestId) => this.#takeFiles(requestId),
      onEvent: (event) => {
        this.#request(event);
      },
    };
  }

  /** A file that the result of a running request names, or quotes. */
  tellFile(requestId: string, { path, bytes }: NamedFile): void {
    const files = this.#files.get(requestId);
    files?.set(path, (files.get(path) ?? 0) + bytes);
  }

  /** The first prompt; further calls do nothing. */
  begin(): void {
    if (this.#began !== undefined) return;
    this.#began = this.#world.now();
    this.#tell({ work: 'conversation', phase: 'start', conversationId: this.#id });
  }

  /** Only after a beginning, and once. */
  end(hasFailed: boolean): void {
    if (this.#began === undefined) return;
    const end = {
      work: 'conversation' as const,
      conversationId: this.#id,
      durationMs: Math.max(0, this.#world.now() - this.#began),
      bytesIn: this.#bytesIn,
      bytesOut: this.#bytesOut,
      files: [],
    };
    this.#began = undefined;
    this.#tell(
      hasFailed ? { ...end, phase: 'exception' } : { ...end, phase: 'stop', outcome: 'success' },
    );
  }

  readonly #isActive = (): boolean => {
    const { telemetry: port, log } = this.#world;
    return port?.isWanted() === true || log.isTracing?.() === true;
  };

  #takeFiles(requestId: string): NamedFile[] {
    const files = [...(this.#files.get(requestId) ?? [])];
    this.#files.delete(requestId);
    return files.map(([path, bytes]) => ({ path, bytes }));
  }

  #request(event: ServerEvent): void {
    if (event.phase === 'start') this.#files.set(event.requestId, new Map());
    else {
      this.#bytesIn += event.bytesIn;
      this.#bytesOut += event.bytesOut;
    }
    this.#tell(event);
  }

  #tell(event: TelemetryEvent): void {
    if (!this.#isActive()) return;
    const { telemetry: port, log } = this.#world;
    const line = event.work === 'conversation' ? conversationLine(event) : spanLine(event);
    if (line !== undefined) log.trace(line);
    try {
      if (port?.isWanted() === true) port.tell(event);
    } catch (error) {
      log.error('A listener to what servers do failed', error);
    }
  }
}

function conversationLine(event: ConversationEvent): string | undefined {
  if (event.phase === 'start') return undefined;
  const { conversationId, durationMs, bytesIn, bytesOut } = event;
  const outcome = event.phase === 'stop' ? event.outcome : 'exception';
  return `span conversation ${conversationId} ${Math.round(durationMs)} ms, in ${bytesIn}, out ${bytesOut}: ${outcome}`;
}
