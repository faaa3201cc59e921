/** A word of a shell, with the blanks that are in quotes or behind a backslash. */
const WORD = /(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'])+|["']/gs;
const QUOTED = /"((?:\\.|[^"\\])*)"|'([^']*)'/gs;
const NAME = String.raw`[\w-]*(?:auth|key|token|secret|pass|pwd|cookie|credential)[\w-]*`;
/** A header, a field of JSON or a variable: what stands behind the name belongs to it. */
const NAMED = new RegExp(String.raw`(${NAME}(?:\\?["'])?\s*[:=]).*[^"']`, 'is');
/** The value is the next word. */
const NAMES_NEXT = new RegExp(`^["']?${NAME}["']?[:=]?$`, 'i');
/** Variables and long options have any name. */
const ASSIGNED = /^(["']?(?:-[^=\s]*|[A-Za-z_]\w*)=).*[^"']/s;
const PART_OF_ADDRESS = /([?&][^\s=&"']+=)[^\s&"']+/g;
const PERSON_OF_ADDRESS = /(:\/\/)[^\s/@"']+(?=@)/g;
const IS_PERSON = /^(?:-[uU]|--(?:proxy-)?user)$/;
/** `-pSECRET`, `-ume:SECRET`. */
const GLUED = /^(-p(?=[^"'=-].{3})|-[uU](?=[^-].*:)).+/s;
const SCHEME = /^(?:bearer|basic|token)$/i;

/** These take a password behind `login` only. */
const LOGIN_FIRST = /^(?:docker|podman|nerdctl|helm|skopeo|buildah|oras|crane)$/;
/** By program, the short option behind which it takes a password; elsewhere that is a port or a folder. */
const PASSWORD_OPTIONS: readonly (readonly [program: RegExp, option: string])[] = [
  [/^(?:sshpass|mongo\w*|rabbitmqadmin|cqlsh|psexec)$/, '-p'],
  [LOGIN_FIRST, '-p'],
  [/^redis-cli$/, '-a'],
  [/^(?:sqlcmd|bcp|zip|unzip|ipmitool|mosquitto_\w+)$/, '-P'],
  [/^ldap\w+$/, '-w'],
  [/^(?:plink|pscp|psftp)$/, '-pw'],
];
/** Words in front of a program. */
const BEFORE_PROGRAM = /^(?:[A-Za-z_]\w*=.*|sudo|env|exec|command|nohup|time|then|do|else|if|!)$/s;

/** Knows at each word of a command line behind which option a password may stand. */
class ProgramReader {
  #program: string | undefined;
  #isLogin = false;

  /** @param gap what stands between the word and the one before */
  read(word: string, gap: string): void {
    if (gap.includes('\n')) this.begin();
    const parts = word.split(/[;|&]+|\$\(|[`(]/);
    if (parts.length > 1 && !/^["']/.test(word)) this.begin();
    // That has a command of its own behind its options.
    if (this.#program === 'sshpass' && !word.startsWith('-')) this.begin();
    const last = (parts.at(-1) ?? '').replace(/^["']|["']$/g, '');
    if (this.#program !== undefined) this.#isLogin ||= last === 'login';
    else if (last !== '' && !BEFORE_PROGRAM.test(last)) {
      this.#program = last.replace(/^.*[\\/]/s, '').replace(/\.exe$/i, '');
    }
  }

  get option(): string | undefined {
    const program = this.#program ?? '';
    if (LOGIN_FIRST.test(program) && !this.#isLogin) return undefined;
    return PASSWORD_OPTIONS.find(([programs]) => programs.test(program))?.[1];
  }

  /** Another command begins: also behind a password, since each takes one. */
  begin(): void {
    this.#program = undefined;
    this.#isLogin = false;
  }
}

/** A command of somebody's own without what may be a secret by its name or its place, however short it is. */
export function hideInCommand(text: string): string {
  const programs = new ProgramReader();
  let isNamed = false;
  let before = '';
  let end = 0;
  return text.replace(WORD, (word, at: number) => {
    const { option } = programs;
    const isPassword = option !== undefined && before === option;
    const isValue =
      (isNamed && !word.startsWith('-')) ||
      (IS_PERSON.test(before) && word.includes(':')) ||
      isPassword;
    const isGlued = option !== undefined && word.startsWith(option) && word !== option;
    if (isPassword || isGlued) programs.begin();
    else programs.read(word, text.slice(end, at));
    before = word;
    end = at + word.length;
    // Behind `Bearer` it comes only then.
    if (isNamed && SCHEME.test(word)) return word;
    isNamed = !isValue && NAMES_NEXT.test(word);
    if (isGlued) return `${option}•••`;
    return isValue ? '•••' : hideInWord(word);
  });
}

/** The same of one word, or of one argument. */
export function hideInWord(word: string): string {
  const plain = word.replace(PERSON_OF_ADDRESS, '$1•••').replace(PART_OF_ADDRESS, '$1•••');
  for (const form of [ASSIGNED, NAMED, GLUED]) {
    if (form.test(plain)) return plain.replace(form, '$1•••');
  }
  // What is quoted, or one argument, may be a command itself. Each step takes a shorter text.
  if (!/\s/.test(plain)) return plain;
  const words = plain.match(WORD)?.length ?? 0;
  if (words > 1) return hideInCommand(plain);
  return plain.replace(QUOTED, (whole, double?: string, single?: string) => {
    const quote = whole.slice(0, 1);
    return `${quote}${hideInCommand(double ?? single ?? '')}${quote}`;
  });
}
