/** What the person made of a text, with nothing of others in between. */
export interface TypedChange {
  readonly before: string;
  readonly after: string;
}

interface Stretch extends TypedChange {
  /** When it was last typed in, in milliseconds since 1970. */
  readonly end: number;
}

/** Of more, the oldest that touch become one, which tells less exactly when. */
const KEPT = 40;
/** Of more that do not touch, the oldest are let go of. */
const MOST = 400;
/** Characters, the texts before and after added up. */
const MOST_CHARS = 80_000_000;

/**
 * What was typed in one document, as stretches with a pause after each. Only those that touch are
 * ever joined: a change of others lies between the rest. Texts are shared, not copied.
 */
export class TextHistory {
  #stretches: readonly Stretch[] = [];
  #text: string;
  /** Of a stretch that is going on: when it was last typed in. */
  #typedAt: number | undefined;
  #lostUntil = 0;

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
    this.#stretches = [...this.#stretches, { before, after: text, end }];
    if (this.#stretches.length > KEPT) this.#shrink();
  }

  /** Others have changed the text. */
  replaced(text: string): void {
    this.#typedAt = undefined;
    this.#text = text;
  }

  /** Whether what was typed after that moment is no longer known as a whole. */
  isCutSince(moment: number): boolean {
    return this.#lostUntil > moment;
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

  #shrink(): void {
    const joined = joinOldest(this.#stretches);
    if (joined !== undefined) {
      this.#stretches = joined;
      return;
    }
    let chars = this.#stretches.reduce((sum, one) => sum + sizeOf(one), 0);
    let from = 0;
    for (const oldest of this.#stretches) {
      if (this.#stretches.length - from <= MOST && chars <= MOST_CHARS) break;
      chars -= sizeOf(oldest);
      this.#lostUntil = oldest.end;
      from += 1;
    }
    this.#stretches = this.#stretches.slice(from);
  }
}

function sizeOf({ before, after }: Stretch): number {
  return before.length + after.length;
}

/** Undefined where others have changed the text between all of them. */
function joinOldest(all: readonly Stretch[]): readonly Stretch[] | undefined {
  const at = all.findIndex(({ after }, index) => all[index + 1]?.before === after);
  const [first, second] = all.slice(at, at + 2);
  if (at < 0 || first === undefined || second === undefined) return undefined;
  const joined = { before: first.before, after: second.after, end: second.end };
  return [...all.slice(0, at), joined, ...all.slice(at + 2)];
}
