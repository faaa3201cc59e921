import { type FoundSymbol, isSymbolName, MAX_SYMBOL_NAMES } from '../chat/symbolProtocol';

export interface SymbolPorts {
  /** Asks for names; the answer comes by {@link SymbolModel.answered}. */
  readonly ask: (names: string[]) => void;
  readonly open: (name: string) => void;
  readonly now: () => number;
}

/** What is not there may be there later: after so long it is asked for again, in milliseconds. */
const FORGET_MS = 60_000;

/** What is known of the names that answers cite; asked for when somebody looks at one, once. */
export class SymbolModel {
  readonly #ports: SymbolPorts;
  readonly #known = new Map<string, { readonly count: number; readonly at: number }>();
  readonly #asked = new Set<string>();
  readonly #listeners = new Set<() => void>();
  /** A press on a name of which nothing was known yet. */
  #pressed: string | undefined;

  constructor(ports: SymbolPorts) {
    this.#ports = ports;
  }

  /** Told when an answer came; the result ends it. */
  onAnswer(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  isLink(name: string): boolean {
    return (this.#known.get(name)?.count ?? 0) > 0;
  }

  /** Somebody looks at these. */
  want(names: readonly string[]): void {
    const fresh = [...new Set(names)].filter((name) => this.#isWanted(name));
    const asked = fresh.slice(0, MAX_SYMBOL_NAMES);
    if (asked.length === 0) return;
    for (const name of asked) this.#asked.add(name);
    this.#ports.ask(asked);
  }

  press(name: string): void {
    if (this.isLink(name)) this.#ports.open(name);
    else {
      this.#pressed = name;
      this.want([name]);
    }
  }

  answered(found: readonly FoundSymbol[]): void {
    for (const { name, count } of found) {
      this.#asked.delete(name);
      this.#known.set(name, { count, at: this.#ports.now() });
      if (name !== this.#pressed) continue;
      this.#pressed = undefined;
      if (count > 0) this.#ports.open(name);
    }
    for (const listener of this.#listeners) listener();
  }

  #isWanted(name: string): boolean {
    if (!isSymbolName(name) || this.#asked.has(name)) return false;
    const known = this.#known.get(name);
    if (known === undefined) return true;
    return known.count === 0 && this.#ports.now() - known.at > FORGET_MS;
  }
}
