/** What a request is about; `other` is a ping, a subscription, or a method of a server's own. */
export type ServerWork = 'initialize' | 'list' | 'call' | 'read' | 'prompt' | 'complete' | 'other';

interface Common {
  readonly work: ServerWork;
  readonly server: string;
  readonly method: string;
  /** Of a call only. */
  readonly tool?: string;
  readonly conversation: string;
  readonly requestId: string;
  readonly toolUseId?: string;
}

/** How a request ended. */
export interface ServerEnd {
  readonly durationMs: number;
  /** Characters of the JSON that came in and went out. */
  readonly sizeIn: number;
  readonly sizeOut: number;
}

/**
 * What happened at a server of a conversation: each request has a start, and a stop or an exception.
 * Names, times and sizes only, never arguments or contents.
 */
export type ServerEvent =
  | (Common & { readonly phase: 'start' })
  /** `failed`: a tool's result was an error, which the model has read as such. */
  | (Common & ServerEnd & { readonly phase: 'stop'; readonly outcome: 'done' | 'failed' })
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
  const { work, server, tool, method, requestId, durationMs, sizeIn, sizeOut } = event;
  const what = tool ?? (work === 'other' ? method : '');
  const outcome = event.phase === 'stop' ? event.outcome : `error ${event.code}`;
  const name = what === '' ? server : `${server}/${what}`;
  return `span mcp.${work} ${name} ${requestId} ${Math.round(durationMs)} ms, in ${sizeIn}, out ${sizeOut}: ${outcome}`;
}
