import { performance } from 'node:perf_hooks';
import * as vscode from 'vscode';
import { HeapCollections, type Span } from './heapCollections';

/** How often the loop is looked at for what is ours of a stall, in milliseconds. */
const LOOK_MS = 5;

/** Asks the editor once more for what one of our calls has asked for. */
export type Asked = () => unknown;

/**
 * Tells our time from the editor's. What the editor and its language servers and debuggers are asked
 * for runs as it does in the product; only begin and end are noted.
 */
export class EditorClock {
  #spans: Span[] = [];
  #asked: Asked[] = [];
  readonly #collections = new HeapCollections();

  constructor() {
    this.#watch(vscode.commands, 'executeCommand');
    this.#watch(vscode.workspace, 'openTextDocument');
    this.#watch(vscode.workspace, 'findFiles');
    this.#watch(vscode.window, 'showTextDocument');
  }

  /** The session with its requests timed; for the tracker that hands sessions to our tools. */
  ofSession(session: vscode.DebugSession): vscode.DebugSession {
    const request: (...args: never[]) => unknown = session.customRequest.bind(session);
    const customRequest = (...args: never[]): unknown => this.#timed(() => request(...args));
    // The editor's own object is frozen.
    return Object.create(session, {
      customRequest: { value: customRequest },
    }) as vscode.DebugSession;
  }

  /** What `work` took besides the editor, in milliseconds, and what it has asked the editor for. */
  async measure(
    work: () => Promise<unknown>,
  ): Promise<{ readonly shareMs: number; readonly wholeMs: number; readonly asked: Asked[] }> {
    this.#spans = [];
    this.#asked = [];
    const from = performance.now();
    await work();
    const to = performance.now();
    const wholeMs = to - from;
    return { shareMs: wholeMs - covered(this.#spans, from, to), wholeMs, asked: this.#asked };
  }

  /**
   * The longest time that the event loop stood still in `work`, without the editor's time, since what
   * it makes of an answer runs in one turn with what we do with it, and without collections of the
   * whole heap, which is the editor's and that of all extensions.
   */
  async longestOwnStall(work: () => Promise<unknown>): Promise<number> {
    const stalls: Span[] = [];
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      stalls.push({ from: last, to: now - LOOK_MS });
      last = now;
    }, LOOK_MS);
    await work();
    // A stall is noted by the timer behind it.
    await new Promise((resolve) => setTimeout(resolve, 4 * LOOK_MS));
    clearInterval(timer);
    const others = [...this.#spans, ...this.#collections.spans];
    const own = stalls.map(({ from, to }) => to - from - covered(others, from, to));
    return Math.max(0, ...own);
  }

  /** The same questions to the editor, without us. */
  async repeat(asked: readonly Asked[]): Promise<void> {
    for (const ask of asked) await Promise.resolve(ask()).catch(() => undefined);
  }

  #watch(holder: object, name: string): void {
    const original: unknown = Reflect.get(holder, name);
    if (typeof original !== 'function') throw new Error(`the editor has no ${name}`);
    const isSet = Reflect.defineProperty(holder, name, {
      configurable: true,
      value: (...args: unknown[]): unknown =>
        this.#timed(() => Reflect.apply(original, holder, args)),
    });
    if (!isSet) throw new Error(`${name} cannot be timed`);
  }

  #timed(ask: Asked): unknown {
    this.#asked.push(ask);
    const from = performance.now();
    const result = ask();
    const end = (): void => {
      this.#spans.push({ from, to: performance.now() });
    };
    if (!isThenable(result)) return result;
    result.then(end, end);
    return result;
  }
}

/** Where spans overlap, the time counts once. */
function covered(spans: readonly Span[], from: number, to: number): number {
  let sum = 0;
  let done = from;
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const end = Math.min(span.to, to);
    sum += Math.max(0, end - Math.max(span.from, done));
    done = Math.max(done, end);
  }
  return sum;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value;
}
