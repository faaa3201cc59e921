import { Agent, request } from 'node:http';
import { Readable } from 'node:stream';

/** By it Node keeps what the requests of its `fetch` go through. */
const DEFAULT_DISPATCHER = Symbol.for('undici.globalDispatcher.1');
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i;
/** A response of these has no body. */
const BARE = new Set([204, 205, 304]);

interface Dispatcher {
  dispatch(options: object, handler: unknown): boolean;
}

/** Looks for the default one each time: the editor, or a test, may put another in its place. */
const patient: Dispatcher = {
  dispatch: (options, handler) =>
    defaultDispatcher()?.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler) ??
    false,
};

/**
 * As `fetch` that follows no redirect, but that the other side may be silent for as long as it likes:
 * Node's gives up after five minutes, and a call may take longer, or wait for a form that a person
 * has not answered. The editor puts a `fetch` of its own in place of Node's, for its proxies and
 * certificates, which lets nobody change that: so what is on this machine is asked without it.
 */
export function patientFetch(to: string | URL, init: RequestInit = {}): Promise<Response> {
  const url = new URL(to);
  if (url.protocol === 'http:' && LOOPBACK.test(url.hostname)) return fetchHere(url, init);
  if (defaultDispatcher() === undefined) return fetch(url, init);
  // A field of Node's, of which its types want more than is called.
  return fetch(url, { ...init, dispatcher: patient } as RequestInit);
}

function fetchHere(
  url: URL,
  { method = 'GET', headers, body, signal }: RequestInit,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    // One for each: that is kept the other side may close in the moment it is used again. It is not
    // told so, since servers made with the SDK refuse some of what comes over such a connection.
    const agent = new Agent({ keepAlive: true });
    const sent = Object.fromEntries(new Headers(headers));
    const options = { agent, method, headers: sent, ...(signal ? { signal } : {}) };
    const outgoing = request(url, options, (incoming) => {
      const { statusCode: status = 0, statusMessage: statusText = '', headersDistinct } = incoming;
      const received = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      const made = { status, statusText, headers: received };
      if (BARE.has(status)) {
        incoming.resume();
        resolve(new Response(null, made));
        return;
      }
      // The same stream by two names.
      resolve(new Response(Readable.toWeb(incoming) as ReadableStream<Uint8Array>, made));
    });
    // As `fetch` says it.
    outgoing.on('error', (cause) => reject(new TypeError('fetch failed', { cause })));
    outgoing.once('close', () => agent.destroy());
    outgoing.end(typeof body === 'string' ? body : undefined);
  });
}

function defaultDispatcher(): Dispatcher | undefined {
  // It is made when something of `fetch` is first looked at.
  Reflect.get(globalThis, 'Response');
  const found: unknown = Reflect.get(globalThis, DEFAULT_DISPATCHER);
  return isDispatcher(found) ? found : undefined;
}

function isDispatcher(value: unknown): value is Dispatcher {
  return typeof value === 'object' && value !== null && 'dispatch' in value;
}
