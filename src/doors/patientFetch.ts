import { setMaxListeners } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i;
/** As `fetch` has it, in milliseconds. */
const CONNECT_WITHIN_MS = 10_000;
/** A connection that may be silent for hours is asked so often whether its other end is still there. */
const ALIVE_EVERY_MS = 60_000;
/** Some servers refuse whom they do not know the program of. */
const OURS = { 'user-agent': 'patchbay', connection: 'keep-alive' };
/** A response of these has no body. */
const BARE = new Set([204, 205, 304]);
/** None is asked for; some proxies pack all the same. */
const UNPACKING = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * As `fetch` that follows no redirect, but that the other side may be silent for as long as it likes:
 * `fetch` gives up after five minutes, and a call may take longer, or wait for a form that a person has
 * not answered. The editor's proxies and certificates count here as they do there: it puts its own
 * functions into these modules, which is why they are looked up with each request.
 */
export function patientFetch(
  to: string | URL,
  { method = 'GET', headers, body, signal }: RequestInit = {},
  connectWithinMs = CONNECT_WITHIN_MS,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const url = new URL(to);
    const { request, Agent } = url.protocol === 'https:' ? https : http;
    // On this machine one for each: a connection that is kept the other side may close in the moment
    // it is used again. Elsewhere none is named: with `http.proxySupport: on` it would go past the proxy.
    const agent = LOOPBACK.test(url.hostname) ? new Agent({ keepAlive: true }) : undefined;
    // All requests of a connection have the same.
    if (signal) setMaxListeners(0, signal);
    const outgoing = request(url, {
      ...{ method, agent },
      // It is not told that a connection ends: servers made with the SDK refuse some of what comes so.
      headers: { ...OURS, ...Object.fromEntries(new Headers(headers)) },
      ...(signal ? { signal } : {}),
    });
    const connecting = setTimeout(() => {
      outgoing.destroy(new Error(`No connection within ${connectWithinMs} ms`));
    }, connectWithinMs);
    const connected = (): void => clearTimeout(connecting);
    outgoing.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', connected);
      else connected();
    });
    outgoing.setSocketKeepAlive(true, ALIVE_EVERY_MS);
    outgoing.once('response', (incoming) => {
      try {
        resolve(responseOf(incoming));
      } catch (error) {
        // Such as of a status that is none.
        outgoing.destroy();
        reject(new TypeError('fetch failed', { cause: error }));
      }
    });
    // As `fetch` says it.
    outgoing.on('error', (cause) => reject(new TypeError('fetch failed', { cause })));
    outgoing.once('close', () => {
      connected();
      agent?.destroy();
    });
    outgoing.end(typeof body === 'string' ? body : undefined);
  });
}

/** @throws what keeps it from being one of `fetch` */
function responseOf(incoming: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', headersDistinct } = incoming;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const made = { status, statusText, headers };
  if (BARE.has(status)) {
    incoming.resume();
    return new Response(null, made);
  }
  // The same stream by two names.
  return new Response(Readable.toWeb(unpacked(incoming)) as ReadableStream<Uint8Array>, made);
}

function unpacked(incoming: IncomingMessage): Readable {
  const unpack = UNPACKING.get(incoming.headers['content-encoding']?.trim().toLowerCase() ?? '');
  // What goes wrong on the way is told by the stream that is read.
  return unpack === undefined ? incoming : pipeline(incoming, unpack(), () => undefined);
}
