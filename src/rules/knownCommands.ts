import type { ShellWord, SimpleCommand } from './shellSyntax';

/** How the arguments of a command are looked at. */
export type ArgumentKind =
  /** Text that names no file. */
  | 'text'
  /** Names of files that are read. */
  | 'paths'
  /** The first is a pattern or script, the rest are files that are read. */
  | 'pattern';

export interface ReadOnlyCommand {
  readonly kind: ArgumentKind;
}

/**
 * Options that were seen to keep a command one that only reads. All others leave it open: one of
 * them may write a file or run a program.
 */
const OPTIONS: Readonly<Record<string, readonly [kind: ArgumentKind, options: RegExp]>> = {
  arch: ['text', /^$/],
  base64: ['paths', /^$/],
  basename: ['text', /^$/],
  cat: ['paths', /^-[nAbEsTv]+$/],
  cut: ['paths', /^-[cdf].*$/],
  date: ['text', /^-u$|^\+/],
  df: ['paths', /^-[hTi]+$/],
  diff: ['paths', /^-[uqr]+$/],
  dirname: ['text', /^$/],
  du: ['paths', /^-[shac]+$/],
  echo: ['text', /^-[neE]+$/],
  false: ['text', /^$/],
  file: ['paths', /^$/],
  grep: ['pattern', /^-[rnilEFvwcoHhqs]+$/],
  head: ['paths', /^-(?:n|c|\d+|n\d+)$/],
  hostname: ['text', /^$/],
  id: ['text', /^$/],
  ls: ['paths', /^-[laARthSrd1F]+$|^--color=auto$/],
  md5sum: ['paths', /^$/],
  nl: ['paths', /^$/],
  od: ['paths', /^$/],
  printf: ['text', /^$/],
  ps: ['text', /^$/],
  pwd: ['text', /^$/],
  realpath: ['paths', /^$/],
  rg: ['pattern', /^-[nilFwc]+$/],
  seq: ['text', /^$/],
  sha256sum: ['paths', /^$/],
  sleep: ['text', /^$/],
  sort: ['paths', /^-[rnuf]+$/],
  stat: ['paths', /^$/],
  tail: ['paths', /^-(?:n|c|\d+|n\d+)$/],
  test: ['paths', /^-[fdes]$/],
  tr: ['text', /^-[ds]$/],
  true: ['text', /^$/],
  type: ['text', /^$/],
  uname: ['text', /^-[asrm]+$/],
  uptime: ['text', /^$/],
  wc: ['paths', /^-[lwcm]+$/],
  which: ['text', /^-a$/],
  whoami: ['text', /^$/],
};

/** What else may stand behind some: one that changes something with it, or shows more. */
const OPERANDS: Readonly<Record<string, RegExp>> = {
  arch: /^$/,
  date: /^\+/,
  hostname: /^$/,
  ps: /^[a-df-z]+$/,
  uptime: /^$/,
  whoami: /^$/,
};

const GIT: Readonly<Record<string, RegExp>> = {
  blame: /^$/,
  branch: /^$/,
  diff: /^(?:--stat|--cached|--staged|--name-only|HEAD)$/,
  log: /^(?:--oneline|-p|-\d+|--stat)$/,
  'ls-files': /^$/,
  remote: /^-v$/,
  'rev-parse': /^(?:HEAD|--show-toplevel)$/,
  show: /^(?:HEAD|--stat)$/,
  status: /^(?:--short|-s|--porcelain)$/,
  tag: /^$/,
};

/** Programs of which some uses pass without a question, in ways that are not all known. */
const OPEN = new Set([
  ...Object.keys(OPTIONS),
  ...'[ [[ cal cd column comm docker expr fd fmt fold free gh git groups hexdump history info'.split(
    ' ',
  ),
  ...'jq lsof man netstat node numfmt paste pgrep python python3 readlink rev sed strings'.split(
    ' ',
  ),
  ...'sum tac test tree tsort tty unexpand expand find xxd yes ss ip ifconfig nproc locale getconf'.split(
    ' ',
  ),
  ...'uniq sha1sum cmp pr help fdfind tput egrep fgrep'.split(' '),
]);

/**
 * How a command that surely only reads takes its arguments; `open` where that is not known, and
 * undefined for one that the CLI asks about.
 */
export function readOnlyCommand({ words }: SimpleCommand): ReadOnlyCommand | 'open' | undefined {
  const [program, ...args] = words;
  const name = program?.text ?? '';
  if (name === '[' || (name === 'xargs' && args.length === 0)) return 'open';
  if (program === undefined || program.isQuoted || !program.isPlain) return undefined;
  if (/^(?:node|python3?)$/.test(name)) {
    return args.length === 1 && /^(?:--version|-v|-V)$/.test(args[0]?.text ?? '') && name === 'node'
      ? { kind: 'text' }
      : args.some(({ text }) => /^(?:--version|-v|-V)$/.test(text))
        ? 'open'
        : undefined;
  }
  if (name === 'git') return readOnlyGit(args);
  if (name === 'sed') return readOnlySed(args);
  const known = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
  if (known === undefined) return OPEN.has(name) ? 'open' : undefined;
  const [kind, options] = known;
  if (name === 'pwd' && args.length > 0) return 'open';
  if (name === 'test' && !isOneTest(args)) return 'open';
  const isFine = args.every(({ text }) => !text.startsWith('-') || options.test(text));
  const operands = Object.hasOwn(OPERANDS, name) ? OPERANDS[name] : undefined;
  const isOther = args.some(({ text }) => !text.startsWith('-') && operands?.test(text) === false);
  return isFine && !isOther ? { kind } : 'open';
}

/**
 * Whether behind words such as `timeout 5`, or a quote in its name, there is a program that may only
 * read: the CLI looks behind some of them.
 */
export function hidesReader({ words }: SimpleCommand): boolean {
  const [program, ...args] = ranWords(words);
  const isBehind = args.length < words.length - 1;
  return program !== undefined && (isBehind || program.isQuoted) && OPEN.has(program.text);
}

const RUNNER = /^(?:timeout|nohup|time|command|builtin|noglob|nice|stdbuf|env|xargs)$/;
const BEFORE_PROGRAM = /^(?:\w+=.*|-.*|\d+(?:\.\d+)?[smhd]?)$/s;

/** The program that runs in the end, and its words: behind variables, `timeout 5` and the like. */
export function ranWords(words: readonly ShellWord[]): readonly ShellWord[] {
  let isRun = false;
  const at = words.findIndex(({ text }) => {
    const isRunner = RUNNER.test(text);
    isRun ||= isRunner;
    return !isRunner && !(isRun ? BEFORE_PROGRAM : /^\w+=/).test(text);
  });
  return at === -1 ? words : words.slice(at);
}

/** Their words are code, or what they start is not looked at. */
const RUN_CODE = new Set(
  '. alias bind complete coproc enable eval exec flock hash ionice let mapfile readarray script setsid source strace trap watch'.split(
    ' ',
  ),
);
const FIND_CHANGES = /^-(?:exec|execdir|ok|okdir|delete|fls|fprint0?|fprintf)$/;

/** Whether the CLI asks about it though a rule allows it. */
export function isBeyondRules(name: string, args: readonly ShellWord[]): boolean {
  if (RUN_CODE.has(name)) return true;
  const some = (form: RegExp): boolean => args.some(({ text }) => form.test(text));
  switch (name) {
    case 'find':
      return some(FIND_CHANGES);
    case 'cp':
    case 'mv':
      return some(/^-|[*?[]/);
    case 'cd':
      return args.length !== 1 || some(/^-./);
    case 'jq':
      return some(/^-(?:[^-]*[fL]|-.*file)/);
    case 'awk':
      return some(/system|getline|[|>]|^-f/);
    case 'printf':
    case 'test':
      return args.some(({ text, isPlain }) => !isPlain && /[*?[~]/.test(text));
    default:
      return name === 'sed' || isFileChanger(name, []) ? some(/[*?[]/) : false;
  }
}

/** Whether among the words before the program that runs there is an option of `env`. */
export function hasOddRunner(words: readonly ShellWord[]): boolean {
  const at = words.findIndex(({ text }) => text === 'env');
  return at !== -1 && words.slice(at).some(({ text }) => text.startsWith('-'));
}

/** Whether the CLI is known, or may be thought, to hold their words against the folders that it may use. */
export function looksAtFiles(name: string, args: readonly ShellWord[]): boolean {
  if (name === 'git') return args.some(({ text }) => text === 'diff');
  if (name === 'cd' || name === 'awk' || isFileProgram(name)) return true;
  return OPEN.has(name) && !Object.hasOwn(OPTIONS, name) && !NAMES_NO_FILES.test(name);
}

const NAMES_NO_FILES = /^(?:docker|gh|node|python3?|man|info|help|expr|pgrep|ip|\[\[?)$/;

/** A file, or an option and a file. */
function isOneTest(args: readonly ShellWord[]): boolean {
  const files = args.filter(({ text }) => !text.startsWith('-'));
  return files.length === 1 && args.length <= 2 && args.at(-1) === files[0];
}

/** A program that runs no other one, whatever stands behind it. */
export function isReader({ words: [program] }: SimpleCommand): boolean {
  const { text = '', isQuoted = true } = program ?? {};
  return !isQuoted && Object.hasOwn(OPTIONS, text);
}

function readOnlyGit(args: readonly ShellWord[]): ReadOnlyCommand | 'open' | undefined {
  const [command, ...rest] = args;
  const options = Object.hasOwn(GIT, command?.text ?? '') ? GIT[command?.text ?? ''] : undefined;
  if (options !== undefined && rest.every(({ text, isPlain }) => isPlain && options.test(text))) {
    return { kind: 'text' };
  }
  if (command?.text === 'stash' && rest[0]?.text === 'list') return 'open';
  const changes =
    /^(?:add|commit|push|pull|fetch|checkout|switch|merge|rebase|reset|stash|rm|mv|clean|init|clone|cherry-pick|revert|restore)$/;
  return changes.test(command?.text ?? '') ? undefined : 'open';
}

function readOnlySed(args: readonly ShellWord[]): ReadOnlyCommand | 'open' | undefined {
  const [flag, script, ...files] = args;
  const isPrint = flag?.text === '-n' && /^\d+(?:,\d+)?p$/.test(script?.text ?? '');
  if (isPrint && files.every(({ text }) => !text.startsWith('-'))) return { kind: 'pattern' };
  return flag?.text === '-i' && SIMPLE_SED.test(script?.text ?? '') ? undefined : 'open';
}

/** All else can write other files and run programs. */
const SIMPLE_SED = /^s\/[\w .-]*\/[\w .-]*\/g?$/;

/** Commands that change files, which accept-edits lets pass inside of the workspace. */
const FILE_CHANGES = new Set(['touch', 'mkdir', 'rm', 'cp', 'mv']);

/** The files that such a command changes or reads, where all of it is understood; undefined where not. */
export function fileChange({ words }: SimpleCommand): readonly ShellWord[] | undefined {
  const [program, ...args] = words;
  if (program === undefined || program.isQuoted) return undefined;
  const isSed = program.text === 'sed' && args[0]?.text === '-i';
  if (!isSed && !FILE_CHANGES.has(program.text)) return undefined;
  // Fact: these are asked about with any option.
  const options = /^(?:cp|mv)$/.test(program.text) ? /^$/ : /^-[prf]+$/;
  const files = isSed ? args.slice(2) : args.filter(({ text }) => !options.test(text));
  const isClear = files.every(({ text, isPlain }) => isPlain && !text.startsWith('-'));
  return isClear && files.length > 0 ? files : undefined;
}

/** Programs whose arguments the CLI takes for files, and holds against the rules for files. */
const FILE_PROGRAMS = new Set([
  ...Object.entries(OPTIONS).flatMap(([name, [kind]]) =>
    // Fact: what `test` looks at the CLI does not hold against the rules.
    kind === 'text' || name === 'test' ? [] : [name],
  ),
  ...FILE_CHANGES,
  ...'sed find rmdir tee'.split(' '),
]);

export function isFileProgram(name: string): boolean {
  return FILE_PROGRAMS.has(name);
}

/**
 * Whether the CLI holds an argument against the rules for reading. Fact: not what is only written or
 * deleted, nor what only its name is looked at of.
 */
export function isFileReader(name: string, isLast: boolean): boolean {
  if (/^(?:cp|mv)$/.test(name)) return !isLast;
  return isFileProgram(name) && !/^(?:touch|mkdir|rm|rmdir|tee|realpath|du)$/.test(name);
}

/** Of those, which write to the files that they name. */
export function isFileChanger(name: string, args: readonly string[]): boolean {
  return (
    FILE_CHANGES.has(name) ||
    name === 'rmdir' ||
    name === 'tee' ||
    (name === 'sed' && args.some((arg) => arg.startsWith('-i')))
  );
}
