/** What a request is about; `other` is a ping, a subscription, or a method of a server's own. */
export type ServerWork = 'initialize' | 'list' | 'call' | 'read' | 'prompt' | 'complete' | 'other';

/** A file that a tool's result names, or quotes. */
export interface NamedFile {
  /** As the result has it: below the workspace folder where it lies there. */
  readonly path: string;
  /** Bytes of the result that are the file's text; 0 where the file is only named. */
  readonly bytes: number;
}

interface Common {
  readonly work: ServerWork;
  readonly server: string;
  readonly method: string;
  /** Of a call only. */
  readonly tool?: string;
  readonly conversationId: string;
  readonly requestId: string;
  readonly toolUseId?: string;
}

/** How a request ended. */
export interface ServerEnd {
  readonly durationMs: number;
  /** Of the JSON that came in and went out. */
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Each once. */
  readonly files: readonly NamedFile[];
}

/**
 * What happened at a server of a conversation: each request has a start, and a stop or an exception.
 * Names, times and sizes only, never arguments or contents.
 */
export type ServerEvent =
  | (Common & { readonly phase: 'start' })
  /** `error`: a tool's result was one, which the model has read as such. */
  | (Common & ServerEnd & { readonly phase: 'stop'; readonly outcome: 'success' | 'error' })
  | (Common & ServerEnd & { readonly phase: 'exception'; readonly code: number });

const WORK = new Map<string, ServerWork>([
  ['initialize', 'initialize'],
  ['tools/list', 'list'],
  ['resources/list', 'list'],
  ['resources/templates/list', 'list'],
  ['prompts/list', 'list'],
  ['tools/call', 'call'],
  ['resources/read', 'read'],
  ['prompts/get', 'prompt'],
  ['completion/complete', 'complete'],
]);

export function workOf(method: string): ServerWork {
  return WORK.get(method) ?? 'other';
}

/** One line for a log, in the shape of a span; undefined for a start. */
export function spanLine(event: ServerEvent): string | undefined {
  if (event.phase === 'start') return undefined;
  const { work, server, tool, method, conversationId, requestId, durationMs, files } = event;
  const what = tool ?? (work === 'other' ? method : '');
  const name = what === '' ? server : `${server}/${what}`;
  const outcome = event.phase === 'stop' ? event.outcome : `exception ${event.code}`;
  const named = files.length === 0 ? '' : `; files ${files.map(fileWords).join(', ')}`;
  return `span mcp.${work} ${name} ${conversationId} ${requestId} ${Math.round(durationMs)} ms, in ${event.bytesIn}, out ${event.bytesOut}: ${outcome}${named}`;
}

function fileWords({ path, bytes }: NamedFile): string {
  return bytes === 0 ? path : `${path} (${bytes})`;
}
