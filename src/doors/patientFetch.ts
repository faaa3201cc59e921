/** By it Node keeps what the requests of its `fetch` go through. */
const DEFAULT_DISPATCHER = Symbol.for('undici.globalDispatcher.1');

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
 * As `fetch`, but that the other side may be silent for as long as it likes. Node's gives up after
 * five minutes: a call may take longer, or wait for a form that a person has not answered. That the
 * other side is gone the system tells, which looks after idle connections.
 */
export function patientFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  if (defaultDispatcher() === undefined) return fetch(url, init);
  // A field of Node's, of which its types want more than is called.
  return fetch(url, { ...init, dispatcher: patient } as RequestInit);
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
