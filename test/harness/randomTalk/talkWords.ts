/** What became of a word that the person typed. */
interface Word {
  /** How often the model may read it: once, and once more for each Retry. */
  allowed: number;
  taken: number;
  /** The person wanted it in the running turn. */
  steered: boolean;
  /** The person took it out, or has lost it by a kill before it was with the host. */
  isGone: boolean;
}

/** Every word is typed once, so that it can be told where it is. */
export class TalkWords {
  readonly #words = new Map<string, Word>();
  /** What has no words of the person, such as the answer to a question that was interrupted. */
  readonly #steered = new Set<string>();
  /** What must not happen, and did. */
  readonly faults: string[] = [];

  next(): string {
    const word = `w${this.#words.size}w`;
    this.#words.set(word, { allowed: 1, taken: 0, steered: false, isGone: false });
    return word;
  }

  in(content: unknown): readonly string[] {
    return JSON.stringify(content ?? '').match(/w\d+w/g) ?? [];
  }

  steer(text: string): void {
    this.#steered.add(JSON.stringify(text));
    for (const word of this.#of(text)) word.steered = true;
  }

  allowAgain(text: string): void {
    for (const word of this.#of(text)) word.allowed += 1;
  }

  goes(text: string): void {
    for (const word of this.#of(text)) word.isGone = true;
  }

  /** A prompt came to the CLI. */
  written(content: unknown, others: readonly unknown[]): void {
    const words = this.in(content);
    const isWanted = (one: unknown): boolean =>
      this.#steered.has(JSON.stringify(one)) || this.#of(one).some(({ steered }) => steered);
    // One that was sent into a turn of text alone has a turn of its own behind it.
    if (!isWanted(content) && !others.every(isWanted)) {
      this.faults.push(`${words.join(' ') || 'a prompt'} was sent while a turn ran`);
    }
  }

  taken(content: unknown): void {
    for (const word of this.in(content)) {
      const known = this.#words.get(word);
      if (!known) continue;
      known.taken += 1;
      if (known.taken > known.allowed) this.faults.push(`${word} was sent twice`);
    }
  }

  /** Words that are nowhere: not read, not taken out, and in none of the texts. */
  lost(texts: readonly string[]): readonly string[] {
    const seen = new Set(texts.flatMap((text) => this.in(text)));
    return [...this.#words].flatMap(([word, { taken, isGone }]) =>
      taken > 0 || isGone || seen.has(word) ? [] : [word],
    );
  }

  isTaken(text: string): boolean {
    return this.#of(text).every(({ taken }) => taken > 0);
  }

  #of(content: unknown): readonly Word[] {
    return this.in(content).flatMap((word) => this.#words.get(word) ?? []);
  }
}
