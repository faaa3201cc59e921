import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/event';
import type { DebugAgent } from './debugAgent';
import { type DapEventBody, type DapMessage, readEventBody, tryReadMessage } from './debugProtocol';
import { OutputTail } from './terminalText';

/** A session as the editor names it. */
export interface SessionName {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

/** A thread that stands still. */
export interface DebugStop {
  readonly sessionId: string;
  readonly threadId: number;
  readonly reason: string;
  /** What the adapter says of it, such as the text of an exception. */
  readonly text: string | undefined;
  readonly allThreads: boolean;
}

/** A session of a run that has ended, which goes on. */
export interface LivingPart {
  readonly session: SessionName;
  readonly stops: readonly DebugStop[];
  readonly capabilities: Readonly<Record<string, unknown>> | undefined;
}

/** How waiting ended. */
export type WaitEnd = 'stopped' | 'ended' | 'timeout' | 'cancelled';

const OUTPUT_KEPT = 16_000;
/** Requests after which the thread runs; an adapter need not send an event for them. */
const RUNNING = new Set([
  'continue',
  'next',
  'stepIn',
  'stepOut',
  'stepBack',
  'reverseContinue',
  'goto',
  // The program begins anew, in the same session.
  'restart',
]);
const ENDING = new Set(['terminate', 'disconnect']);
/** Node's debugger tells an exit code by a line only, and only where it is not 0. */
const NODE_EXIT = /^Process exited with code (-?\d+)\s*$/u;
const NODE_TYPES = new Set(['node', 'pwa-node']);

/**
 * One thing that is being debugged: a session with all below it. Node's debugger has one session for
 * the launch and one for each process; to the model they are one. Knows from the messages that pass
 * by which threads stand still. Holds no `vscode`.
 */
export class DebugRun implements Disposable {
  readonly root: SessionName;
  /** What the model calls it: the session's name, with its number where it is not the first of that name. */
  readonly name: string;
  /** Among the runs of its name. */
  readonly number: number;
  /** The one that began it; undefined where the person did. */
  owner: DebugAgent | undefined;
  /** Its messages were seen from the start. */
  readonly isTracked: boolean;
  readonly output = new OutputTail(OUTPUT_KEPT);
  readonly #sessions = new Map<string, SessionName>();
  readonly #capabilities = new Map<string, Readonly<Record<string, unknown>>>();
  readonly #changed = new Emitter<void>();
  readonly #numbers = new Map<string, number>();
  /** By session and `seq`: what is to be put back where the adapter refuses to run. */
  readonly #running = new Map<string, readonly DebugStop[]>();
  readonly #breakpointAnswers = new Map<string, number>();
  #stops: readonly DebugStop[] = [];
  #stopCount = 0;
  #lastThread: Pick<DebugStop, 'sessionId' | 'threadId'> | undefined;
  #exitCode: number | undefined;
  #isEnded = false;
  /** The adapter says that the program is over; the session may live on for a moment. */
  #isOver = false;
  /** Somebody ended it: no exit code of its own is to be expected. */
  #wasStopped = false;

  constructor(root: SessionName, isTracked: boolean, number = 1) {
    this.root = root;
    this.number = number;
    this.name = number > 1 ? `${root.name} #${number}` : root.name;
    this.isTracked = isTracked;
    this.#sessions.set(root.id, root);
  }

  add(session: SessionName): void {
    this.#sessions.set(session.id, session);
  }

  has(sessionId: string): boolean {
    return this.#sessions.has(sessionId);
  }

  /** Those that are alive, the root first. */
  get sessions(): readonly SessionName[] {
    return [...this.#sessions.values()];
  }

  /** Threads that stand still; the one that stopped last comes last. */
  get stops(): readonly DebugStop[] {
    return this.#stops;
  }

  /** Counts the stops there have been, so that one can wait for the next. */
  get stopCount(): number {
    return this.#stopCount;
  }

  /** The one that an event named last; it may have ended. */
  get lastThread(): Pick<DebugStop, 'sessionId' | 'threadId'> | undefined {
    return this.#lastThread;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Undefined where the adapter told none. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** It ended by itself under Node's debugger, which tells of an exit code only where it is not 0. */
  get hasPlainEnd(): boolean {
    const isPlain = this.#exitCode === undefined && !this.#wasStopped && this.isTracked;
    return this.#isEnded && isPlain && NODE_TYPES.has(this.root.type);
  }

  /** What the adapter of a session can do, as it said at the start; undefined where that was not seen. */
  can(sessionId: string, capability: string): boolean | undefined {
    const known = this.#capabilities.get(sessionId);
    return known === undefined ? undefined : known[capability] === true;
  }

  /** How often an adapter has answered to a changed list of breakpoints. */
  breakpointAnswers(sessionId: string): number {
    return this.#breakpointAnswers.get(sessionId) ?? 0;
  }

  /** A number for a thread that is its own in the whole run: adapters count per session, from 0 too. */
  threadNumber(sessionId: string, threadId: number): number {
    const key = `${sessionId}\0${threadId}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size + 1;
    this.#numbers.set(key, number);
    return number;
  }

  /** For a run whose messages are not seen: what asking has shown. */
  setStops(stops: readonly DebugStop[]): void {
    if (stops.length > 0) this.#stopCount += 1;
    this.#stops = stops;
    this.#changed.fire();
  }

  /** A message from the editor to the adapter. */
  sent(sessionId: string, raw: unknown): void {
    const message = tryReadMessage(raw);
    const { command = '' } = message ?? {};
    if (message?.type !== 'request') return;
    if (ENDING.has(command) && sessionId === this.root.id && !this.#isOver) this.#wasStopped = true;
    if (!RUNNING.has(command)) return;
    const { threadId } = readEventBody(message.arguments);
    const before = this.#stops;
    this.#resume(sessionId, threadId, false);
    if (message.seq !== undefined) this.#running.set(`${sessionId}\0${message.seq}`, before);
  }

  /** A message from the adapter. */
  received(sessionId: string, raw: unknown): void {
    const message = tryReadMessage(raw);
    if (message === undefined) return;
    if (message.type === 'response') this.#answered(sessionId, message);
    if (message.type !== 'event') return;
    const body = readEventBody(message.body);
    switch (message.event ?? '') {
      case 'stopped':
        this.#stopped(sessionId, body);
        break;
      case 'continued':
        // Said or left out, all go on.
        this.#resume(sessionId, body.threadId, body.allThreadsContinued !== false);
        break;
      case 'thread':
        // The others stand still all the same.
        if (body.reason === 'exited') this.#remove(sessionId, body.threadId);
        else this.#meet(sessionId, body.threadId);
        break;
      case 'capabilities':
        this.#learn(sessionId, body.capabilities);
        break;
      case 'output':
        this.#printed(sessionId, body);
        break;
      case 'terminated':
        if (sessionId === this.root.id) this.#isOver = true;
        break;
      case 'exited':
        // Another process, a child, has a code of its own.
        if (sessionId === this.root.id) this.#exitCode = body.exitCode ?? this.#exitCode;
        break;
      default:
    }
  }

  /** A session has ended; with the root all have. */
  ended(sessionId: string): void {
    this.#sessions.delete(sessionId);
    this.#stops = this.#stops.filter((stop) => stop.sessionId !== sessionId);
    if (sessionId === this.root.id) {
      this.#sessions.clear();
      this.#stops = [];
      this.#isEnded = true;
    }
    this.#changed.fire();
  }

  /** What is known of those that live on where this one ends; Node's debugger ends all with the root. */
  outlive(sessionId: string): readonly LivingPart[] {
    const { id, type } = this.root;
    if (sessionId !== id || NODE_TYPES.has(type)) return [];
    const living = this.sessions.filter((session) => session.id !== sessionId);
    return living.map((session) => ({
      session,
      stops: this.#stops.filter((stop) => stop.sessionId === session.id),
      capabilities: this.#capabilities.get(session.id),
    }));
  }

  /** Goes on with a session whose root has ended. */
  takeOver({ session, stops, capabilities }: LivingPart, owner: DebugAgent | undefined): void {
    this.owner = owner;
    this.#learn(session.id, capabilities);
    this.#stops = [...this.#stops, ...stops];
    this.#stopCount += stops.length;
  }

  /** Waits until there have been more stops than `after`, or it has ended. Never rejects. */
  waitForStop(after: number, timeoutMs: number, signal: AbortSignal): Promise<WaitEnd> {
    return new Promise((resolve) => {
      const settle = (end: WaitEnd): void => {
        clearTimeout(timer);
        listening.dispose();
        signal.removeEventListener('abort', cancel);
        resolve(end);
      };
      const look = (): void => {
        if (this.#isEnded) settle('ended');
        else if (this.#stopCount > after && this.#stops.length > 0) settle('stopped');
      };
      const cancel = (): void => settle('cancelled');
      const timer = setTimeout(() => settle('timeout'), timeoutMs);
      const listening = this.#changed.event(look);
      signal.addEventListener('abort', cancel, { once: true });
      if (signal.aborted) cancel();
      else look();
    });
  }

  /** Waits until it has ended. Never rejects. */
  async waitForEnd(timeoutMs: number, signal: AbortSignal): Promise<WaitEnd> {
    return this.waitForStop(Infinity, timeoutMs, signal);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #answered(sessionId: string, message: DapMessage): void {
    const { command, request_seq: seq, success, body } = message;
    if (command === 'initialize') this.#learn(sessionId, body);
    if (command === 'setBreakpoints') {
      this.#breakpointAnswers.set(sessionId, this.breakpointAnswers(sessionId) + 1);
    }
    const key = `${sessionId}\0${seq ?? -1}`;
    const before = this.#running.get(key);
    this.#running.delete(key);
    if (before === undefined) return;
    if (success === false) {
      const known = new Set(this.#stops.map(stopKey));
      this.#stops = [...before.filter((stop) => !known.has(stopKey(stop))), ...this.#stops];
      this.#changed.fire();
    } else if (command === 'continue' && readEventBody(body).allThreadsContinued !== false) {
      // Said or left out, all threads of the session go on; one may have stopped again by now.
      const old = new Set(before);
      this.#stops = this.#stops.filter((stop) => stop.sessionId !== sessionId || !old.has(stop));
    }
  }

  #learn(sessionId: string, capabilities: unknown): void {
    if (typeof capabilities !== 'object' || capabilities === null) return;
    const known = this.#capabilities.get(sessionId);
    this.#capabilities.set(sessionId, { ...known, ...capabilities });
  }

  #stopped(sessionId: string, body: DapEventBody): void {
    const { threadId, reason = 'stopped', description, text, allThreadsStopped } = body;
    this.#meet(sessionId, threadId);
    const stop: DebugStop = {
      sessionId,
      threadId: threadId ?? FIRST_THREAD,
      reason,
      text: reason === 'exception' ? exceptionText(text, description) : text,
      allThreads: allThreadsStopped === true,
    };
    const others = this.#stops.filter((other) => stopKey(other) !== stopKey(stop));
    // One that the debugger would not have looked at is not the last.
    this.#stops = body.preserveFocusHint === true ? [stop, ...others] : [...others, stop];
    this.#stopCount += 1;
    this.#changed.fire();
  }

  #resume(sessionId: string, threadId: number | undefined, all: boolean): void {
    const isMeant = (stop: DebugStop): boolean =>
      // One of which no thread was told is that of any.
      all || stop.allThreads || [FIRST_THREAD, threadId ?? stop.threadId].includes(stop.threadId);
    this.#stops = this.#stops.filter((stop) => stop.sessionId !== sessionId || !isMeant(stop));
  }

  #meet(sessionId: string, threadId: number | undefined): void {
    if (threadId !== undefined) this.#lastThread = { sessionId, threadId };
  }

  #remove(sessionId: string, threadId: number | undefined): void {
    this.#stops = this.#stops.filter(
      (stop) => stop.sessionId !== sessionId || stop.threadId !== threadId,
    );
  }

  #printed(sessionId: string, { category = 'console', output = '', source }: DapEventBody): void {
    if (category === 'telemetry') return;
    const { id, type } = this.root;
    const exit = NODE_EXIT.exec(output);
    if (exit && sessionId === id && source === undefined && NODE_TYPES.has(type)) {
      this.#exitCode = Number(exit[1]);
      return;
    }
    this.output.push(output);
  }
}

/** What others tell of it is that it is one. */
const PAUSED = /^paused\b/iu;

/** Some debuggers tell the name in one and what went wrong in the other. */
function exceptionText(
  text: string | undefined,
  description: string | undefined,
): string | undefined {
  if (text === undefined || description === undefined) return text ?? description;
  return text.includes(description) || PAUSED.test(description) ? text : `${text} (${description})`;
}

/** Stands for the first thread there is where the adapter names none. */
export const FIRST_THREAD = -1;

function stopKey({ sessionId, threadId }: DebugStop): string {
  return `${sessionId}\0${threadId}`;
}
