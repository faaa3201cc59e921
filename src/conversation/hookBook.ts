import { type Disposable, toDisposable } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import { HOOK_EVENTS, isHookEvent } from './hookEvents';
import type { HookEvent } from './hookTypes';

export interface HookContext {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly conversation: { readonly id: string; readonly cwd: string };
}

/** A handler that somebody put in, for all conversations of the window. */
export interface HookEntry {
  readonly event: HookEvent;
  /** Names it in the log: an extension's id. */
  readonly source: string;
  /** A regular expression that must fit the whole of the matched field; absent: any. */
  readonly matcher?: RegExp | undefined;
  readonly run: (input: object, context: HookContext) => unknown;
}

/** The hooks of the window, in the order in which they came. */
export class HookBook {
  readonly #entries = new Set<HookEntry>();
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;

  add(entry: HookEntry): Disposable {
    this.#entries.add(entry);
    this.#changed.fire();
    return toDisposable(() => {
      if (this.#entries.delete(entry)) this.#changed.fire();
    });
  }

  /** Those of an event whose matcher fits. */
  matching(event: HookEvent, input: object): readonly HookEntry[] {
    const { matched } = HOOK_EVENTS[event];
    const value: unknown = matched === undefined ? undefined : Reflect.get(input, matched);
    return [...this.#entries].filter(
      (entry) =>
        entry.event === event &&
        (entry.matcher === undefined ||
          matched === undefined ||
          (typeof value === 'string' && entry.matcher.test(value))),
    );
  }

  get events(): ReadonlySet<HookEvent> {
    return new Set([...this.#entries].map(({ event }) => event));
  }
}

/** What somebody offers as a hook. @throws TypeError that names what is wrong with it */
export function hookEntry(source: string, given: unknown): HookEntry {
  if (typeof given !== 'object' || given === null) throw new TypeError('A hook needs an object');
  const field = (key: string): unknown => Reflect.get(given, key);
  const [event, matcher, run] = [field('event'), field('matcher'), field('run')];
  if (typeof event !== 'string' || !isHookEvent(event)) {
    throw new TypeError(`There is no hook event '${String(event)}'`);
  }
  const why = HOOK_EVENTS[event].closed;
  if (why !== undefined) throw new TypeError(`The hook event '${event}' is not offered: ${why}`);
  if (typeof run !== 'function') throw new TypeError(`A hook of ${event}: run must be a function`);
  return {
    event,
    source,
    matcher: matcherOf(event, matcher),
    // As a method of what was handed over.
    run: (input, context) => run.call(given, input, context) as unknown,
  };
}

function matcherOf(event: HookEvent, matcher: unknown): RegExp | undefined {
  if (matcher === undefined || matcher === '' || matcher === '*') return undefined;
  if (typeof matcher !== 'string')
    throw new TypeError(`A hook of ${event}: matcher must be a text`);
  try {
    return new RegExp(`^(?:${matcher})$`);
  } catch (cause) {
    throw new TypeError(`A hook of ${event}: matcher is not a regular expression`, { cause });
  }
}
