/** A number ends where its digits do: what is behind it in `$0name` is text. */
const NAME = String.raw`(\d+|[A-Za-z_]\w*)`;
const FIELD = new RegExp(String.raw`\$\{${NAME}`, 'uy');
const BARE = new RegExp(String.raw`\$(?:${NAME}|\{${NAME}\})`, 'uy');
/** What the snippet is put around: without it that text would be lost. */
const SELECTED = 'TM_SELECTED_TEXT';
/** The first choice, and those behind it. */
const CHOICE = /\|((?:[^\\,|]|\\.)*)(?:,(?:[^\\|]|\\.)*)?\|\}/suy;
const TRANSFORM = /\/(?:[^\\}$]|\\.|\$\{[^}]*\}|\$)*\}/suy;
const LINE_START = /(^|\n)([\t ]*)/gu;

/** Where a snippet is put. */
export interface SnippetPlace {
  /** The text in whose place it comes. */
  readonly selected?: string | undefined;
  /** Of the line that it begins in: all others of it are written without. */
  readonly indent?: string;
  /** What a tab is there. */
  readonly tab?: string;
}

/** What a snippet of the editor puts in where nobody fills it in: what stands there at first. */
export function snippetText(
  snippet: string,
  { selected = '', indent = '', tab = '\t' }: SnippetPlace = {},
): string {
  const indented = snippet.replace(LINE_START, (_, start: string, blanks: string) =>
    [start, start === '' ? '' : indent, blanks.replaceAll('\t', tab)].join(''),
  );
  // A field may be named before the place that says what stands in it.
  const fields = new SnippetReader(indented, selected, indent, new Map());
  fields.read();
  return new SnippetReader(indented, selected, indent, fields.values).read();
}

/** It is put around the text in whose place it comes. */
export function keepsSelected(snippet: string): boolean {
  return snippet.includes(SELECTED);
}

class SnippetReader {
  /** By number, what stands in a field wherever it is named. */
  readonly values = new Map<string, string>();
  readonly #snippet: string;
  readonly #selected: string;
  readonly #indent: string;
  readonly #known: ReadonlyMap<string, string>;
  #at = 0;

  constructor(
    snippet: string,
    selected: string,
    indent: string,
    known: ReadonlyMap<string, string>,
  ) {
    this.#snippet = snippet;
    this.#selected = selected;
    this.#indent = indent;
    this.#known = known;
  }

  read(): string {
    return this.#until('');
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#snippet);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  #field(): string {
    const start = this.#at;
    const bare = this.#take(BARE);
    if (bare) return this.#valueOf(bare[1] ?? bare[2] ?? '', start);
    const [, name = ''] = this.#take(FIELD) ?? [];
    if (name !== '') {
      const choice = this.#take(CHOICE);
      if (choice) return this.#define(name, (choice[1] ?? '').replace(/\\(.)/gsu, '$1'));
      if (this.#take(TRANSFORM)) return this.#valueOf(name, start);
      if (this.#snippet[this.#at] === ':') {
        this.#at += 1;
        const otherwise = this.#until('}');
        const isNumber = /^\d/u.test(name);
        return isNumber ? this.#define(name, otherwise) : this.#valueOf(name, start) || otherwise;
      }
    }
    this.#at = start + 1;
    return '$';
  }

  /** The first to say what stands in a field says it for all; each last place is one of its own. */
  #define(name: string, value: string): string {
    if (name === '0') return value;
    const first = this.values.get(name) ?? value;
    this.values.set(name, first);
    return first;
  }

  #valueOf(name: string, start: number): string {
    if (name !== SELECTED) return this.values.get(name) ?? this.#known.get(name) ?? '';
    // Its lines go in as far as the snippet takes the first of them.
    const line = this.#snippet.lastIndexOf('\n', start) + 1;
    const [blanks = ''] = /^[\t ]*/u.exec(this.#snippet.slice(line, start)) ?? [];
    const further = line === 0 ? '' : blanks.slice(this.#indent.length);
    return this.#selected.replaceAll('\n', `\n${further}`);
  }

  #until(end: string): string {
    let text = '';
    for (;;) {
      const next = this.#snippet[this.#at];
      if (next === undefined) break;
      if (next === '$') text += this.#field();
      else {
        const isEscape = next === '\\' && /[$}\\]/u.test(this.#snippet[this.#at + 1] ?? '');
        if (!isEscape && next === end) break;
        if (isEscape) this.#at += 1;
        text += this.#snippet[this.#at] ?? '';
        this.#at += 1;
      }
    }
    this.#at += end.length;
    return text;
  }
}
