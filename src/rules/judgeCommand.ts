import * as l10n from '@vscode/l10n';
import { filesOf, MAX_COMMAND_LENGTH } from './commandFiles';
import { type Finding, ruleFinding } from './finding';
import { absolutePath, findPath, isInside, protectedPlace, type RealPaths } from './judgePath';
import {
  fileChange,
  hasOddRunner,
  hidesReader,
  isBeyondRules,
  isFileChanger,
  isFileProgram,
  isReader,
  looksAtFiles,
  ranWords,
  readOnlyCommand,
} from './knownCommands';
import type { PermissionRule } from './permissionRule';
import type { RuleSet } from './ruleSet';
import {
  readShellLine,
  type ShellHazard,
  type ShellLine,
  type ShellWord,
  type SimpleCommand,
} from './shellSyntax';

/** Fact: whatever names the variables of a process is asked about. */
const ENVIRONMENT = /\/proc\/.*environ/s;

interface Context {
  readonly rules: RuleSet;
  readonly real: RealPaths | undefined;
  /** From which relative paths count: behind `cd` another one than the CLI's. */
  readonly from: string;
}

/** What the rules say to a command line. Whatever is not read for sure is never called allowed. */
export function judgeCommand(line: string, rules: RuleSet, real?: RealPaths): Finding {
  if (line.length > MAX_COMMAND_LENGTH)
    return open(l10n.t('The command is too long to be looked at.'));
  const shell = readShellLine(line);
  const context = { rules, real, from: rules.world.cwd };
  if (shell.commands.length === 0) return open(l10n.t('There is no command.'));
  return (
    deniedCommand(shell, context) ??
    (ENVIRONMENT.test(line) ? open(closer()) : undefined) ??
    deniedFile(shell, context) ??
    askedCommand(shell, context) ??
    heldBack(shell, context, allowedCommand(line, shell, context))
  );
}

function deniedCommand({ commands, hazards }: ShellLine, { rules }: Context): Finding | undefined {
  const { bare } = rules.commands.deny;
  if (bare) return ruleFinding('denied', bare);
  for (const [at, command] of commands.entries()) {
    const rule = rules.commands.deny.findAny(command);
    if (rule) return isInDocument(at, hazards) ? mayCount(rule) : ruleFinding('denied', rule);
  }
  return undefined;
}

/** Fact: the lines of a document in a command are not its commands, but for what is nested in them. */
function isInDocument(at: number, hazards: ReadonlySet<ShellHazard>): boolean {
  return at > 0 && hazards.has('heredoc');
}

function mayCount(rule: PermissionRule): Finding {
  return open(l10n.t('A rule may count for what the command runs.'), rule);
}

/** Rules for files count for the commands that the CLI knows to read or write them. */
function deniedFile(shell: ShellLine, context: Context): Finding | undefined {
  let open: Finding | undefined;
  for (const { path, use, isKnown } of filesOf(shell, context.rules)) {
    const { denied, maybeDenied } = findPath(path, use, context.rules, context.real);
    // Fact: what must not be read may be written by a command.
    const isOfUse = use === 'read' || denied?.tool === 'Edit';
    if (denied && isKnown && isOfUse) return ruleFinding('denied', denied);
    const rule = denied ?? maybeDenied;
    if (rule) {
      open ??= {
        kind: 'open',
        rule,
        why: l10n.t('A rule for files may count for this command.'),
      };
    }
  }
  return open;
}

/** Fact: the CLI looks behind more programs than are known here, so a rule may count there. */
function heldBack({ commands }: ShellLine, { rules }: Context, found: Finding): Finding {
  if (found.kind === 'open') return found;
  for (const command of commands) {
    if (isReader(command)) continue;
    const { deny, ask } = rules.commands;
    const rule = deny.findBehind(command) ?? ask.findBehind(command);
    if (rule) return mayCount(rule);
  }
  return found;
}

function askedCommand({ commands, hazards }: ShellLine, { rules }: Context): Finding | undefined {
  for (const [at, command] of commands.entries()) {
    const rule = rules.commands.ask.findAny(command);
    if (rule) return isInDocument(at, hazards) ? mayCount(rule) : ruleFinding('asked', rule);
  }
  const { bare } = rules.commands.ask;
  return bare && ruleFinding('asked', bare);
}

/** Of these the CLI says itself that it cannot look into them. */
const ASKED_HAZARDS: ReadonlySet<ShellHazard> = new Set([
  'nested',
  'braces',
  'group',
  'background',
  'expansion',
  'obscure',
]);
/** A rule about every command lets these pass. */
const BARE_HAZARDS: ReadonlySet<ShellHazard> = new Set(['nested', 'inText', 'obscure']);

function allowedCommand(line: string, shell: ShellLine, context: Context): Finding {
  const { bare } = context.rules.commands.allow;
  const hazards = [...shell.hazards];
  const deletes = shell.commands.map(deletesMore);
  const deleteWhy = l10n.t('It deletes outside the workspace, or more than it names.');
  if (deletes.includes('yes')) return { kind: 'safety', isGrave: true, why: deleteWhy };
  if (deletes.includes('maybe')) return open(deleteWhy);
  if (bare) {
    const place = protectedChange(shell, context);
    if (place) return place;
    if (namesByVariable(shell, context.rules)) {
      return open(l10n.t('It holds a variable.'), bare);
    }
    return hazards.every((hazard) => BARE_HAZARDS.has(hazard))
      ? ruleFinding('allowed', bare)
      : open(closer(), bare);
  }
  if (!hazards.every((hazard) => ASKED_HAZARDS.has(hazard))) {
    return open(closer());
  }
  if (shell.hazards.size > 0) {
    return plain(l10n.t('What runs inside of it cannot be checked before.'));
  }
  let allowed: Finding | undefined;
  let weakest: Finding | undefined;
  const hasCd = shell.commands.length > 1 && shell.commands.some(isCd);
  const cdWhy = l10n.t('It changes the folder for what comes behind it.');
  if (hasCd && shell.commands.some((command) => isBehindCd(command, shell))) {
    return shell.commands.some((command) => staysIn(command, context)) ? open(cdWhy) : plain(cdWhy);
  }
  if (hasCd && shell.commands.some(({ redirects }) => redirects.length > 0)) return open(cdWhy);
  let { from } = context;
  for (const command of shell.commands) {
    const one = judgeOne(command, { ...context, from });
    if (isCd(command)) from = absolutePath(command.words[1]?.text ?? '~', context.rules, from);
    if (one.kind === 'allowed') allowed = allowed?.rule === undefined ? one : allowed;
    else weakest = weaker(weakest, one);
  }
  if (weakest !== undefined) return weakest;
  if (hasCd && context.rules.paths.has('read', 'deny')) {
    return open(l10n.t('It changes the folder, and rules for files count from there.'));
  }
  return allowed ?? plain(line);
}

function isCd({ words }: SimpleCommand): boolean {
  return words[0]?.text === 'cd';
}

/** Fact: `cd .` the CLI takes for none. */
function staysIn(command: SimpleCommand, { rules }: Context): boolean {
  return isCd(command) && absolutePath(command.words[1]?.text ?? '~', rules) === rules.world.cwd;
}

/** Fact: the CLI knows what some variables stand for, and holds that against rules for files. */
function namesByVariable({ commands }: ShellLine, { paths }: RuleSet): boolean {
  if (!paths.has('read', 'deny') && !paths.has('edit', 'deny')) return false;
  return commands.some(({ words }) => words.some(({ text }) => text.includes('$')));
}

/** Facts: beside `cd` the CLI asks about a second one, about git, and about what writes; mostly about `<`. */
function isBehindCd(command: SimpleCommand, { commands }: ShellLine): boolean {
  const name = command.words[0]?.text ?? '';
  return (
    (name === 'cd' && commands.filter(isCd).length > 1) ||
    name === 'git' ||
    command.redirects.some(({ kind }) => kind === 'write') ||
    isFileChange(command)
  );
}

/** A rule about every command does not reach these places. */
function protectedChange(shell: ShellLine, { rules, real }: Context): Finding | undefined {
  for (const { path, use } of filesOf(shell, rules)) {
    const place = use === 'edit' ? cliPlace(path, rules, real) : undefined;
    if (place) return place;
  }
  return undefined;
}

/** No guard of ours stands before commands, so our own places are none here. */
function cliPlace(path: string, rules: RuleSet, real: RealPaths | undefined): Finding | undefined {
  return protectedPlace(path, { ...rules, world: { ...rules.world, isGuarded: false } }, real);
}

/** What is surely asked about outweighs what cannot be foretold. */
function weaker(before: Finding | undefined, next: Finding): Finding {
  const order = ['safety', 'person', 'plain', 'open', 'editInside'];
  if (before === undefined) return next;
  return order.indexOf(next.kind) < order.indexOf(before.kind) ? next : before;
}

function judgeOne(command: SimpleCommand, context: Context): Finding {
  const { rules, real, from } = context;
  const writes = command.redirects.filter(({ kind }) => kind === 'write');
  if (writes.length > 0) {
    if (writes.some(({ target }) => !target.isPlain)) {
      return plain(l10n.t('Where it writes to cannot be checked before.'));
    }
    const targets = writes.map(({ target }) => target);
    const written = writeFinding(targets, context);
    if (written.kind !== 'editInside') return written;
    const redirects = command.redirects.filter(({ kind }) => kind === 'read');
    const rest = judgeOne({ ...command, redirects }, context);
    // What runs is looked at as well.
    return rest.kind === 'allowed' ? written : rest;
  }
  if (command.words.length === 0) {
    return command.redirects.length > 0
      ? open(closer())
      : plain(l10n.t('No rule allows the command.'));
  }
  for (const { target } of command.redirects) {
    const path = absolutePath(target.text, rules, from);
    if (!target.isPlain || target.text.split('/').includes('..') || !isInside(path, rules, real)) {
      return open(l10n.t('It reads from outside the workspace.'));
    }
  }
  const rule = rules.commands.allow.findSure(command);
  if (rule) return ruledFinding(command, rule, context);
  if (command.words[0]?.text === 'cd') return readFinding(command, 'paths', context);
  const known = readOnlyCommand(command);
  if (known === 'open' || hidesReader(command)) {
    return open(l10n.t('The agent knows more commands that only read than are known here.'));
  }
  if (known) return readFinding(command, known.kind, context);
  const ran = ranWords(command.words);
  const { allow } = rules.commands;
  const maybe = allow.findAny(command) ?? allow.findAny({ ...command, words: ran });
  if (maybe || command.words.every(isAssignment)) {
    return open(l10n.t('A rule allows a part of it; the agent may read the whole otherwise.'));
  }
  const changed = fileChange(command);
  if (changed) return writeFinding(changed, context);
  // Fact: of these accept-edits takes more forms than are known here.
  const isEditBehind =
    ran.length < command.words.length && fileChange({ ...command, words: ran }) !== undefined;
  const mayEdit = isEditBehind || /^(?:rm|rmdir|mkdir|touch)$/.test(ran[0]?.text ?? '');
  return { ...plain(l10n.t('No rule allows the command.')), mayEdit };
}

/** A rule allows it; the CLI still looks at the files that its own commands name, and into what runs others. */
function ruledFinding(
  command: SimpleCommand,
  rule: NonNullable<Finding['rule']>,
  { rules, real, from }: Context,
): Finding {
  const { words } = command;
  const isUnclear = words.some(({ text, isPlain }) => !isPlain && /\$(?!HOME\b)/.test(text));
  if (isUnclear) return plain(l10n.t('It holds a variable, which cannot be checked before.'));
  if (words.some(({ text }) => isList(text))) return open(oddWord());
  const [program, ...args] = ranWords(words);
  const name = program?.text ?? '';
  const passed = words.slice(0, -args.length - 1);
  if (isBeyondRules(name, args) || hasOddRunner(passed)) return open(closer());
  if (!looksAtFiles(name, args)) return ruleFinding('allowed', rule);
  const isSure = args.length === words.length - 1 && isFileProgram(name);
  for (const { text, isPlain } of args) {
    if (text.startsWith('-')) continue;
    const path = absolutePath(text, rules, from);
    const place = isFileChange(command) ? cliPlace(path, rules, real) : undefined;
    if (place) return place;
    const isOdd = !isPlain && /[~$]/.test(text);
    const isOut = text.split('/').includes('..') || !isInside(path, rules, real);
    const why = isOdd ? l10n.t('What it names cannot be checked before.') : outside();
    if (isOdd || isOut) return isSure ? plain(why) : open(why);
  }
  return ruleFinding('allowed', rule);
}

function readFinding({ words }: SimpleCommand, kind: string, context: Context): Finding {
  const { rules, real, from } = context;
  // Fact: of words of several lines some are asked about.
  if (words.some(({ text }) => text.includes('\n'))) return open(l10n.t('It has several lines.'));
  const args = words.slice(1).filter(({ text }) => !text.startsWith('-'));
  const program = words[0]?.text ?? '';
  if (kind === 'text') {
    const isOdd = args.some(({ text, isPlain }) => !isPlain && /\$(?!HOME\b)/.test(text));
    return isOdd ? open(l10n.t('It holds a variable.')) : readsOnlyIn(words);
  }
  // Fact: with an option the CLI asks, but for `cd -`.
  if (program === 'cd' && args.length < words.length - 1) return open(oddWord());
  if (program === 'cd' && args.length !== 1) return plain(outside());
  for (const { text, isPlain } of kind === 'pattern' ? args.slice(1) : args) {
    if (program === 'cut' && isBehindOption(text, words)) continue;
    if (!isPlain && /\$|^~/.test(text)) {
      const why = l10n.t('What it reads cannot be checked before.');
      return ASKS_LITTLE.test(program) ? open(why) : plain(why);
    }
    const isUp = text.split('/').includes('..');
    const path = absolutePath(text, rules, from);
    const found = findPath(path, 'read', rules, real);
    if (found.asked && !isUp) return ruleFinding('asked', found.asked);
    // Behind `cd` it may lead to where the agent may read.
    if (isUp && from !== rules.world.cwd) return open(outside());
    if (isUp || (!isInside(path, rules, real) && !found.allowed)) {
      return ASKS_LITTLE.test(program) ? open(outside()) : plain(outside());
    }
  }
  return readsOnlyIn(words);
}

/** Fact: of some that only look at a name, or at sizes, the CLI does not ask. */
const ASKS_LITTLE = /^(?:realpath|test|du|df)$/;

/** Such as `{a,b}`, which a shell takes apart where nobody quotes it. */
function isList(text: string): boolean {
  return (text.match(/\{[^{}]*\}/g) ?? []).some((list) => /,|\.\./.test(list));
}

/** Facts: also quoted the CLI asks about signs that a shell gives a meaning, in words of some programs. */
function readsOnlyIn(words: readonly ShellWord[]): Finding {
  const [program, ...args] = words;
  const isQuoting = program?.text === 'echo';
  const isOdd = args.some(
    ({ text, isPlain }) =>
      text.startsWith('~') ||
      isList(text) ||
      (!isQuoting && isPlain && /[$`]/.test(text)) ||
      (!isQuoting && TAKES_NO_PATTERN.test(program?.text ?? '') && /[*?[]/.test(text)) ||
      (!isPlain && TAKES_NO_FILES_BY_PATTERN.test(program?.text ?? '') && /[*?[]/.test(text)),
  );
  return isOdd ? open(oddWord()) : readsOnly();
}

/** Programs whose words are no files, or of which one file is asked for. */
const TAKES_NO_PATTERN =
  /^(?:test|printf|seq|which|sleep|tr|basename|dirname|type|date|id|hostname|sed)$/;
/** Of these the CLI asks where a shell would put files in the place of a word. */
const TAKES_NO_FILES_BY_PATTERN = /^(?:base64|false|file|rg|sort|true|uname)$/;

/** Whether this is the value of `-d` or the like, in a word of its own. */
function isBehindOption(text: string, words: readonly ShellWord[]): boolean {
  return words.some((word, at) => word.text === text && words[at - 1]?.text === '-d');
}

const oddWord = (): string =>
  l10n.t('It holds signs that a shell may give a meaning, which the agent looks closer at.');

function writeFinding(files: readonly ShellWord[], { rules, real, from }: Context): Finding {
  for (const { text } of files) {
    const path = absolutePath(text, rules, from);
    const place = cliPlace(path, rules, real);
    if (place) return place;
    // Fact: also where they are quoted, and `%x`, which may be a job.
    if (/[*?[]|^%/.test(text)) return open(oddWord());
    const { asked, allowed } = findPath(path, 'edit', rules, real);
    const isOut = !isInside(path, rules, real) || text.split('/').includes('..');
    if (isOut) return allowed ? mayCount(allowed) : plain(outside());
    if (asked) return ruleFinding('asked', asked);
    if (allowed) return mayCount(allowed);
  }
  return { kind: 'editInside', why: l10n.t('It changes files, and no rule allows the command.') };
}

function isFileChange({ words: [program, ...args] }: SimpleCommand): boolean {
  return isFileChanger(
    program?.text ?? '',
    args.map(({ text }) => text),
  );
}

function isAssignment({ text, isQuoted }: ShellWord): boolean {
  return !isQuoted && /^[A-Za-z_]\w*=/.test(text);
}

/** Deletes outside the workspace, the whole of it, or what a variable or another program names. */
function deletesMore({ words }: SimpleCommand): 'yes' | 'maybe' | undefined {
  const texts = words.map(({ text }) => text);
  const at = texts.findIndex((text) => /^(?:.*\/)?(?:rm|rmdir)$/.test(text));
  const named = at === -1 ? [] : texts.slice(at + 1);
  if (named.some((text) => /^[/~*]|^\.\/?\*?$|\.\./.test(text))) return at === 0 ? 'yes' : 'maybe';
  return named.some((text) => text.startsWith('$')) ? 'maybe' : undefined;
}

const closer = (): string => l10n.t('The agent looks closer at a command of this form.');

const outside = (): string => l10n.t('It names what lies outside the workspace.');

function readsOnly(): Finding {
  return { kind: 'allowed', why: l10n.t('The agent knows that it only reads.') };
}

function plain(why: string): Finding {
  return { kind: 'plain', why };
}

function open(why: string, rule?: Finding['rule']): Finding {
  return { kind: 'open', why, rule };
}
