/** What in a command line makes that more runs, or something else, than its words tell. */
export type ShellHazard =
  /** `$(…)`, backquotes, `<(…)`. */
  | 'nested'
  /** The same within a text in double quotes. */
  | 'inText'
  /** `(…)`, `{ …; }`. */
  | 'group'
  /** `if`, `for`, `while`, `case`, a function. */
  | 'keyword'
  | 'heredoc'
  /** `&`. */
  | 'background'
  /** `${…}`, and other than a plain `$NAME`. */
  | 'expansion'
  /** `$((…))`. */
  | 'arithmetic'
  /** `{a,b}`. */
  | 'braces'
  /** Of these the CLI asks about each, since they can hide what is meant. */
  | 'obscure'
  /** A quote that is not closed, a control character, or what is not understood. */
  | 'unclear';

export interface ShellWord {
  /** Quotes and backslashes taken away. */
  readonly text: string;
  /** No variable, no pattern, no `~`: it is what it says. */
  readonly isPlain: boolean;
  readonly isQuoted: boolean;
}

export interface Redirect {
  readonly kind: 'read' | 'write';
  readonly target: ShellWord;
}

/** One command without operators. */
export interface SimpleCommand {
  /** As it is written, without redirections of the harmless kinds and comments. */
  readonly text: string;
  readonly words: readonly ShellWord[];
  readonly redirects: readonly Redirect[];
}

export interface ShellLine {
  readonly commands: readonly SimpleCommand[];
  readonly hazards: ReadonlySet<ShellHazard>;
}

const KEYWORDS = new Set(
  'if then elif else fi for while until do done case esac function select ! { } [[ coproc'.split(
    ' ',
  ),
);
/** Control characters, and those of no width or of another direction: they show another command than runs. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0]/u;

/**
 * Reads a command line as far as it is sure of: words, operators, redirections. All else becomes a
 * hazard; what runs inside of `$(…)` and the like stands among the commands as well.
 */
export function readShellLine(line: string): ShellLine {
  const reader = new Reader(line);
  reader.read();
  return { commands: reader.commands, hazards: reader.hazards };
}

class Reader {
  readonly commands: SimpleCommand[] = [];
  readonly hazards = new Set<ShellHazard>();
  readonly #line: string;
  #at = 0;
  #start = 0;
  #words: ShellWord[] = [];
  #redirects: Redirect[] = [];
  #isRedirected = false;
  /** Ends and starts of what is cut out of the command's own text. */
  #cuts: [number, number][] = [];

  constructor(line: string) {
    this.#line = line;
    if (UNSEEN.test(line.replace(/[\t\n]/g, ' '))) this.hazards.add('unclear');
  }

  read(): void {
    while (this.#at < this.#line.length) this.#step();
    this.#endCommand();
  }

  #step(): void {
    const line = this.#line;
    const char = line[this.#at] ?? '';
    const pair = line.slice(this.#at, this.#at + 2);
    if (pair === '\\\n') this.#at += 2;
    else if (char === ' ' || char === '\t') this.#at += 1;
    else if (char === '\n' || char === ';') this.#operator(1);
    else if (pair === '&&' || pair === '||' || pair === '|&') this.#operator(2);
    else if (pair === '&>') this.#redirect();
    else if (char === '|') this.#operator(1);
    else if (char === '&') {
      this.hazards.add('background');
      this.#operator(1);
    } else if (char === '(' || char === ')') {
      this.hazards.add('group');
      this.#operator(1);
    } else if (char === '#') this.#comment();
    else if (pair === '<(' || pair === '>(') this.#nestedWord();
    else if (/^(?:\d*)[<>]/.test(line.slice(this.#at, this.#at + 12))) this.#redirect();
    else this.#nextWord();
  }

  #nextWord(): void {
    const from = this.#at;
    // Fact: words behind a redirection the CLI may take for its target.
    if (this.#isRedirected) this.hazards.add('unclear');
    this.#words.push(this.#word());
    // Another shell than bash takes the name of a program behind it.
    if (this.#line[from] === '=') {
      this.hazards.add(/[A-Za-z_]/.test(this.#line[from + 1] ?? '') ? 'obscure' : 'unclear');
    }
    if (this.#at > from) return;
    // Whatever stands there: the reading goes on.
    this.hazards.add('unclear');
    this.#at += 1;
  }

  #operator(length: number): void {
    this.#endCommand();
    this.#at += length;
    this.#start = this.#at;
  }

  #comment(): void {
    const end = this.#line.indexOf('\n', this.#at);
    const to = end === -1 ? this.#line.length : end;
    this.#cuts.push([this.#at, to]);
    this.#at = to;
  }

  #endCommand(): void {
    let text = '';
    let from = this.#start;
    for (const [cutFrom, cutTo] of this.#cuts) {
      text += this.#line.slice(from, cutFrom);
      from = cutTo;
    }
    text = (text + this.#line.slice(from, this.#at)).trim();
    const first = this.#words[0];
    if (first !== undefined && !first.isQuoted && KEYWORDS.has(first.text)) {
      this.hazards.add(first.text === '{' || first.text === '}' ? 'group' : 'keyword');
    }
    if (this.#words.length > 0 || this.#redirects.length > 0) {
      this.commands.push({ text, words: this.#words, redirects: this.#redirects });
    } else if (this.#isRedirected) this.hazards.add('unclear');
    this.#words = [];
    this.#redirects = [];
    this.#isRedirected = false;
    this.#cuts = [];
  }

  #redirect(): void {
    const from = this.#at;
    const [operator = ''] =
      /^(?:\d*(?:<<<|<<-?|<>|<&|>>|>&|>\||<|>)|&>>?)/.exec(this.#line.slice(from)) ?? [];
    this.#at += Math.max(operator.length, 1);
    if (operator.includes('<<')) this.hazards.add('heredoc');
    while (/[ \t]/.test(this.#line[this.#at] ?? '')) this.#at += 1;
    const target = this.#word();
    this.#cuts.push([from, this.#at]);
    const isClosing = operator.endsWith('&') && target.text === '-';
    if (target.text === '' || isClosing || operator.endsWith('<>')) this.hazards.add('unclear');
    this.#isRedirected = true;
    // `2>&1` names no file; neither does the null device.
    if (operator.endsWith('&') && /^\d+$|^-$/.test(target.text)) return;
    if (target.text === '/dev/null') return;
    this.#redirects.push({ kind: operator.endsWith('<') ? 'read' : 'write', target });
  }

  #nestedWord(): void {
    this.#at += 1;
    this.#words.push({ text: '', isPlain: false, isQuoted: false });
    this.#nested(')');
  }

  /** Stands on the opening parenthesis or quote. */
  #nested(close: ')' | '`', hazard: ShellHazard = 'nested'): void {
    this.hazards.add(hazard);
    const from = this.#at + 1;
    const to = close === '`' ? this.#line.indexOf('`', from) : closing(this.#line, from);
    if (to === -1) {
      this.hazards.add('unclear');
      this.#at = this.#line.length;
      return;
    }
    const inner = readShellLine(this.#line.slice(from, to).replace(/\\`/g, '`'));
    this.commands.push(...inner.commands);
    for (const hazard of inner.hazards) this.hazards.add(hazard);
    this.#at = to + 1;
  }

  #word(): ShellWord {
    let text = '';
    let isPlain = true;
    let isQuoted = false;
    let hasBrace = false;
    const from = this.#at;
    for (; this.#at < this.#line.length;) {
      const char = this.#line[this.#at] ?? '';
      if (/[ \t\n;|&()<>]/.test(char)) break;
      if (char === '\\') {
        const next = this.#line[this.#at + 1] ?? '';
        if (next !== '\n') text += next;
        if (next === '') this.hazards.add('unclear');
        if (/[ \t]/.test(next)) this.hazards.add('obscure');
        isQuoted = true;
        this.#at += 2;
      } else if (char === "'") {
        isQuoted = true;
        text += this.#single();
      } else if (char === '"') {
        isQuoted = true;
        const { inner, isPlain: plain } = this.#double();
        text += inner;
        isPlain &&= plain;
      } else if (char === '$' || char === '`') {
        isPlain = false;
        text += this.#dollar();
      } else {
        if (/[*?[~]/.test(char)) isPlain = false;
        hasBrace ||= char === '{';
        text += char;
        this.#at += 1;
      }
    }
    if (!isQuoted && /\{[^}]*(?:,|\.\.)[^}]*\}/.test(this.#line.slice(from, this.#at))) {
      this.hazards.add('braces');
      isPlain = false;
    }
    if (hasBrace && isQuoted) this.hazards.add('unclear');
    if (isQuoted && /\n\s*#/.test(text)) this.hazards.add('obscure');
    return { text, isPlain, isQuoted };
  }

  #single(): string {
    const end = this.#line.indexOf("'", this.#at + 1);
    const to = end === -1 ? this.#line.length : end;
    if (end === -1) this.hazards.add('unclear');
    const inner = this.#line.slice(this.#at + 1, to);
    this.#at = to + 1;
    return inner;
  }

  #double(): { readonly inner: string; readonly isPlain: boolean } {
    let inner = '';
    let isPlain = true;
    this.#at += 1;
    for (; this.#at < this.#line.length;) {
      const char = this.#line[this.#at] ?? '';
      if (char === '"') {
        this.#at += 1;
        return { inner, isPlain };
      }
      if (char === '\\') {
        const next = this.#line[this.#at + 1] ?? '';
        inner += /["\\$`\n]/.test(next) ? next : `\\${next}`;
        this.#at += 2;
      } else if (char === '$' || char === '`') {
        isPlain = false;
        if (/^(?:`|\$\()/.test(this.#line.slice(this.#at))) this.hazards.add('inText');
        inner += this.#dollar();
      } else {
        inner += char;
        this.#at += 1;
      }
    }
    this.hazards.add('unclear');
    return { inner, isPlain: false };
  }

  /** A variable or something nested; what it becomes is not known, so its text stands for it. */
  #dollar(): string {
    const from = this.#at;
    const rest = this.#line.slice(from, from + 200);
    if (rest.startsWith('`')) this.#nested('`');
    else if (rest.startsWith('$(')) {
      this.#at += 1;
      this.#nested(')', rest.startsWith('$((') ? 'arithmetic' : 'nested');
    } else {
      const [name = '$'] = /^\$[A-Za-z_]\w*/.exec(rest) ?? [];
      // At the end of a text in quotes it is a sign as any other; nobody knows whether the CLI says so.
      if (name === '$') this.hazards.add(rest[1] === '"' ? 'unclear' : 'expansion');
      this.#at += name.length;
    }
    return this.#line.slice(from, this.#at);
  }
}

/** The parenthesis that closes the one before `from`; -1 where there is none. */
function closing(line: string, from: number): number {
  let depth = 1;
  for (let at = from; at < line.length; at += 1) {
    const char = line[at];
    if (char === '\\') at += 1;
    else if (char === "'") {
      at = line.indexOf("'", at + 1);
      if (at === -1) return -1;
    } else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}
