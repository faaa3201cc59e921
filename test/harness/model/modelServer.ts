import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Emitter, type Event } from '../../../src/base/event';
import { streamMessage, wholeMessage, type StreamOptions } from './messageStream';
import { readTurn, requestBodySchema, type RequestBody } from './requestBody';
import { fault, say, type Fault, type Message, type Reply, type Script, type Turn } from './script';
import { isSideRequest, sideReply } from './sideRequest';

export interface ModelOptions {
  readonly script?: Script;
  /** Milliseconds between two deltas; 0 streams as fast as the socket takes it. */
  readonly chunkDelayMs?: number;
  /** Characters in one delta, 24 by default. */
  readonly chunkSize?: number;
}

/** A request to `/v1/messages`, as received. */
export interface ModelRequest {
  readonly body: RequestBody;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly turn: Turn;
  /** True for the CLI's own small requests (titles, topics), which the script does not see. */
  readonly isSide: boolean;
  /** Resolves when the answer is over; `true` if it was sent to its end. */
  readonly finished: Promise<boolean>;
}

export interface ModelServer {
  /** `http://127.0.0.1:PORT`, to be used as `ANTHROPIC_BASE_URL`. */
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** Fires when a request has been read, before its answer. */
  readonly onRequest: Event<ModelRequest>;
  /** Resolves with the first request, past or to come, that satisfies the condition. */
  waitForRequest(condition: (request: ModelRequest) => boolean): Promise<ModelRequest>;
  close(): Promise<void>;
}

/** Starts a scripted Messages API on a free loopback port. */
export async function startModel(options: ModelOptions = {}): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const emitter = new Emitter<ModelRequest>();
  const answer = createAnswer(options, (request) => {
    requests.push(request);
    emitter.fire(request);
  });
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // A script that throws is a fault of the test: the CLI gets it as text, without a retry.
      const words = error instanceof Error ? error.message : String(error);
      if (response.headersSent) response.destroy();
      else sendFault(response, fault(400, 'invalid_request_error', `scripted model: ${words}`));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('model: no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    onRequest: emitter.event,
    waitForRequest: (condition) => waitForRequest(requests, emitter.event, condition),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function waitForRequest(
  past: readonly ModelRequest[],
  onRequest: Event<ModelRequest>,
  condition: (request: ModelRequest) => boolean,
): Promise<ModelRequest> {
  const found = past.find(condition);
  if (found !== undefined) return Promise.resolve(found);
  return new Promise((resolve) => {
    const subscription = onRequest((request) => {
      if (!condition(request)) return;
      subscription.dispose();
      resolve(request);
    });
  });
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

function createAnswer(options: ModelOptions, record: (request: ModelRequest) => void): Answer {
  const ask = asFunction(options.script ?? [say('This is the scripted model.')]);
  return async (request, response) => {
    const route = new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
    if (request.method !== 'POST' || !route.startsWith('/v1/messages')) {
      // Probes of the connection and telemetry: anything well-formed does.
      await readAll(request);
      sendJson(response, 200, {});
      return;
    }
    const parsed = requestBodySchema.safeParse(JSON.parse(await readAll(request)));
    if (!parsed.success) {
      const words = `not a Messages API request: ${parsed.error.message}`;
      sendFault(response, fault(400, 'invalid_request_error', words));
      return;
    }
    const body = parsed.data;
    const inputTokens = Math.ceil(JSON.stringify(body).length / 4);
    if (route === '/v1/messages/count_tokens') {
      sendJson(response, 200, { input_tokens: inputTokens });
      return;
    }
    const turn = readTurn(body);
    const isSide = isSideRequest(body, turn);
    record({ body, headers: request.headers, turn, isSide, finished: finishOf(response) });
    const reply = isSide ? sideReply(body, turn) : await ask(turn);
    const stream = { model: body.model, inputTokens, chunkSize: options.chunkSize ?? 24 };
    if (reply.kind === 'fault') sendFault(response, reply);
    else if (body.stream === true) await send(response, reply, stream, options.chunkDelayMs ?? 0);
    // After a cut stream the CLI asks once more without one: the line is as bad for it.
    else if (reply.steps.some(({ kind }) => kind === 'cut')) response.socket?.destroy();
    else sendJson(response, 200, wholeMessage(reply, stream));
  };
}

function asFunction(script: Script): (turn: Turn) => Reply | Promise<Reply> {
  if (typeof script === 'function') return script;
  let next = 0;
  return () => {
    const reply = script[Math.min(next, script.length - 1)];
    next += 1;
    return reply ?? say('The script is empty.');
  };
}

async function send(
  response: ServerResponse,
  message: Message,
  options: StreamOptions,
  delayMs: number,
): Promise<void> {
  response.writeHead(200, { ...commonHeaders(), 'content-type': 'text/event-stream' });
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  for (const item of streamMessage(message, options)) {
    if (item.kind === 'pause') await Promise.race([item.until, closed]);
    else if (item.kind === 'cut') await cutAfterFlush(response);
    else {
      const line = `event: ${item.event.type}\ndata: ${JSON.stringify(item.event)}\n\n`;
      if (!response.write(line)) await Promise.race([once(response, 'drain'), closed]);
      if (item.isDelta && delayMs > 0) await delay(delayMs);
    }
    // The CLI closes the socket when the person stops: the rest is for nobody.
    if (response.destroyed) return;
  }
  response.end();
}

/** What was written before the cut reaches the client; a comment line tells when it has. */
async function cutAfterFlush(response: ServerResponse): Promise<void> {
  await new Promise((resolve) => response.write(': cut\n\n', resolve));
  response.socket?.destroy();
}

function finishOf(response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    response.once('close', () => resolve(response.writableFinished));
  });
}

function sendFault(response: ServerResponse, reply: Fault): void {
  const error = { type: reply.type, message: reply.message };
  if (reply.retryAfterSeconds !== undefined) {
    response.setHeader('retry-after', String(reply.retryAfterSeconds));
  }
  sendJson(response, reply.status, { type: 'error', error });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { ...commonHeaders(), 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

let requestCount = 0;

function commonHeaders(): Record<string, string> {
  requestCount += 1;
  return { 'request-id': `req_${requestCount}`, 'cache-control': 'no-cache' };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts).toString('utf8');
}
