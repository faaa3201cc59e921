import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { inTime } from '../mcp/inTime';
import { ownField } from '../mcp/wire';
import { withAnswer } from './withAnswer';

/** How long a server may take to end its session, in milliseconds. */
const END_WITHIN_MS = 2_000;

/** As the SDK's, but that no request waits for ever, and that a session ends with its connection. */
export class HttpTransport extends StreamableHTTPClientTransport {
  constructor(url: URL, options: Pick<StreamableHTTPClientTransportOptions, 'requestInit'>) {
    super(url, { ...options, fetch: fetchAnswered });
  }

  override async close(): Promise<void> {
    // A server keeps what belongs to a session until it is told that nobody needs it any more.
    await inTime(this.terminateSession(), 'end its session', END_WITHIN_MS).catch(() => undefined);
    await super.close();
  }
}

/** Sees to it that what answers a request in a stream answers it. */
async function fetchAnswered(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const { body, status, statusText, headers } = response;
  const isStream = /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
  const id = isStream ? requestId(init?.body) : undefined;
  if (id === undefined || body === null) return response;
  return new Response(withAnswer(body, id), { status, statusText, headers });
}

function requestId(body: unknown): string | number | undefined {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  const id = ownField(message, 'id');
  const isRequest = typeof ownField(message, 'method') === 'string';
  return isRequest && (typeof id === 'string' || typeof id === 'number') ? id : undefined;
}
