/** What the person made of a text, with nothing of others in between. */
export interface TypedChange {
  readonly before: string;
  readonly after: string;
}

interface Stretch extends TypedChange {
  /** When it was last typed in, in milliseconds since 1970. */
  readonly end: number;
}

/** Older ones become one, which tells less exactly when. */
const KEPT = 40;

/**
 * What was typed in one document, as stretches with a pause after each. Only those that touch are
 * ever joined: a change of others lies between the rest. Texts are shared, not copied.
 */
export class TextHistory {
  #stretches: readonly Stretch[] = [];
  #text: string;
  /** Of a stretch that is going on: when it was last typed in. */
  #typedAt: number | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text when it was last looked at. */
  get text(): string {
    return this.#text;
  }

  get isEmpty(): boolean {
    return this.#stretches.length === 0 && this.#typedAt === undefined;
  }

  /** When it was last typed in; 0 for never. */
  get lastTyped(): number {
    return this.#typedAt ?? this.#stretches.at(-1)?.end ?? 0;
  }

  /** The person is changing the text. */
  typed(at: number): void {
    this.#typedAt = at;
  }

  /** The text as it is now, where only the person has changed it since it was last looked at. */
  settle(text: string): void {
    const end = this.#typedAt;
    this.#typedAt = undefined;
    const before = this.#text;
    this.#text = text;
    if (end === undefined || text === before) return;
    const all = [...this.#stretches, { before, after: text, end }];
    this.#stretches = all.length > KEPT ? joinOldest(all) : all;
  }

  /** Others have changed the text. */
  replaced(text: string): void {
    this.#typedAt = undefined;
    this.#text = text;
  }

  /** What was typed after that moment, oldest first; what came to nothing is left out. */
  since(moment: number): readonly TypedChange[] {
    const runs: TypedChange[] = [];
    for (const { before, after, end } of this.#stretches) {
      if (end <= moment) continue;
      const last = runs.at(-1);
      if (last?.after === before) runs[runs.length - 1] = { before: last.before, after };
      else runs.push({ before, after });
    }
    return runs.filter(({ before, after }) => before !== after);
  }
}

function joinOldest(all: readonly Stretch[]): readonly Stretch[] {
  const [first, second, ...rest] = all;
  if (first === undefined || second === undefined) return all;
  if (first.after !== second.before) return [second, ...rest];
  return [{ before: first.before, after: second.after, end: second.end }, ...rest];
}
