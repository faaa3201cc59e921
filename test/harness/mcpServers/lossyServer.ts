import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string; readonly name?: string };
}

export interface LossyServer {
  readonly url: string;
  /** Names of the tools that were called, as often as they were. */
  readonly called: readonly string[];
  /** The sessions that are not ended. */
  readonly sessions: ReadonlySet<string>;
  readonly close: () => Promise<void>;
}

/** What comes in place of an answer, as JSON. */
const ODD: Readonly<Record<string, (answer: object) => unknown>> = {
  'answers another': (answer) => ({ ...answer, id: 999 }),
  'answers nobody': () => [],
  'is no message': () => null,
};
/** How the rest is had of a stream whose events have ids: all but the first way give nothing of it. */
const RESTS = new Map([
  ['goes on', 200],
  ['has an empty rest', 200],
  ['knows nothing of it', 404],
  ['has no rests', 405],
]);

/**
 * A server over HTTP on loopback that loses answers: the name of a tool says how its stream goes on.
 * `answers` answers in a stream that it leaves open, `refuses` with status 400.
 */
export async function startLossyServer(ways: readonly string[]): Promise<LossyServer> {
  const sessions = new Set<string>();
  const called: string[] = [];
  const answer = (message: Message, response: ServerResponse): void => {
    const { method, params } = message;
    if (method === 'initialize') {
      const id = randomUUID();
      sessions.add(id);
      response.setHeader('mcp-session-id', id);
    }
    if (method !== 'tools/call') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answerTo(message, ways)));
      return;
    }
    called.push(params?.name ?? '');
    if (params?.name === 'refuses') {
      response.writeHead(400).end('The name is empty');
      return;
    }
    const odd = ODD[params?.name ?? ''];
    if (odd !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(odd(answerTo(message, ways))));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': begun\n\n');
    if (RESTS.has(params?.name ?? '')) {
      response.end(`id: ${params?.name} ${message.id}\nretry: 10\ndata: \n\n`);
      return;
    }
    if (params?.name === 'answers') response.write(eventOf(answerTo(message, ways)));
    else if (params?.name === 'ends') response.end();
    else if (params?.name === 'ends in the middle') {
      response.end(eventOf(answerTo(message, ways)).slice(0, -20));
    } else if (params?.name === 'is no answer') {
      response.end(eventOf({ ...answerTo(message, ways), result: 'text' }));
    } else setImmediate(() => response.destroy());
  };
  const { url, close } = await listen(async (request, response) => {
    if (request.method === 'DELETE') {
      sessions.delete(String(request.headers['mcp-session-id']));
      response.writeHead(200).end();
    } else if (request.method !== 'POST') {
      const [, way = '', id] = /^(.*) (\d+)$/.exec(String(request.headers['last-event-id'])) ?? [];
      response.writeHead(RESTS.get(way) ?? 405, { 'content-type': 'text/event-stream' });
      const rest = { id: Number(id), method: 'tools/call' };
      response.end(way === 'goes on' ? eventOf(answerTo(rest, ways)) : '');
    } else {
      const message = await readMessage(request);
      if (message.id === undefined) response.writeHead(202).end();
      else answer(message, response);
    }
  });
  return { url: `${url}/mcp`, called, sessions, close };
}

export interface StrictSseServer {
  readonly url: string;
  /** Calls of `hangs` since the last start. */
  readonly hanging: number;
  /** Ends all connections and forgets the sessions, as a restart does. */
  restart(): void;
  readonly close: () => Promise<void>;
}

/** A server over SSE on loopback that answers in a session only after hands were shaken in it; `hangs` never. */
export async function startStrictSseServer(): Promise<StrictSseServer> {
  let sessions = new Map<string, { readonly stream: ServerResponse; isReady: boolean }>();
  let hanging = 0;
  const { url, close } = await listen(async (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://h');
    if (request.method === 'GET') {
      const id = randomUUID();
      sessions.set(id, { stream: response, isReady: false });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: /messages?session=${id}\n\n`);
      return;
    }
    const session = sessions.get(searchParams.get('session') ?? '');
    const message = await readMessage(request);
    response.writeHead(session === undefined ? 404 : 202).end();
    if (session === undefined) return;
    if (message.params?.name === 'hangs') hanging += 1;
    else if (message.method === 'notifications/initialized') session.isReady = true;
    else if (message.id === undefined) return;
    else if (session.isReady || message.method === 'initialize') {
      session.stream.write(eventOf(answerTo(message, ['answers', 'hangs'])));
    } else {
      const error = { code: -32602, message: 'Hands were not shaken' };
      session.stream.write(eventOf({ jsonrpc: '2.0', id: message.id, error }));
    }
  });
  return {
    url: `${url}/sse`,
    get hanging() {
      return hanging;
    },
    restart: () => {
      hanging = 0;
      const before = sessions;
      sessions = new Map();
      for (const { stream } of before.values()) stream.destroy();
    },
    close,
  };
}

export function answerTo({ id, method, params }: Message, tools: readonly string[]): object {
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'lossy', version: '1.0.0' },
    },
    'tools/list': { tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })) },
    'tools/call': { content: [{ type: 'text', text: 'answered' }] },
  };
  return { jsonrpc: '2.0', id, result: results[method] ?? {} };
}

export function eventOf(message: object): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

export async function listen(
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const http = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  // It listens on a port.
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

export async function readMessage(request: IncomingMessage): Promise<Message> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as Message;
}
