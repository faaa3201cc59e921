import type { PermissionRule } from './permissionRule';
import type { ShellWord, SimpleCommand } from './shellSyntax';

/** Rules for shell commands of one behaviour, so kept that the right ones are found at once. */
export interface CommandRules {
  /** The one about every command. */
  readonly bare: PermissionRule | undefined;
  /** The first that surely fits the command as it stands. For rules that allow. */
  findSure(command: SimpleCommand): PermissionRule | undefined;
  /**
   * The first that fits the command in any of its readings: quotes taken away, behind variables and
   * programs that only run another one, by its bare name. For rules that deny or ask.
   */
  findAny(command: SimpleCommand): PermissionRule | undefined;
  /** The first that fits what stands anywhere in the command: many programs run others. */
  findBehind(command: SimpleCommand): PermissionRule | undefined;
}

interface Prefix {
  readonly words: readonly string[];
  readonly rule: PermissionRule;
}

interface Wild {
  /** What stands behind its last star: looked at first, since most texts end otherwise. */
  readonly end: string;
  readonly regexp: RegExp;
  readonly rule: PermissionRule;
}

/** Programs that run the command behind them. */
const RUNNERS = new Set(
  'env sudo doas timeout nice nohup time stdbuf command exec xargs setsid ionice builtin noglob if then elif else while until do !'.split(
    ' ',
  ),
);
/** Those that a rule which allows looks behind. Fact: seen with these three. */
const SURE_RUNNERS = /^(?:timeout|nohup|time)$/;
/** More words are not looked at one by one. */
const MAX_WORDS = 100;
/** Variables that no program is led by. */
const SURE_VARIABLE = /^LANG=./;
const VARIABLE = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;
/** Options; fact: behind an option with its value in one word the CLI does not look, nor behind any of `xargs`. */
const SKIPPED = /^-(?:.?$|-)/;
/** Fact: of these the CLI passes over numbers as well. */
const NUMBERED = new Set(['timeout', 'nice', 'ionice']);
const NUMBER = /^\d+(?:\.\d+)?[smhd]?$/;
/** A program that a variable or another command names can be any. */
const UNKNOWN_PROGRAM = /[$`]/;

interface Sorted {
  readonly exact: ReadonlyMap<string, PermissionRule>;
  /** By their first word. */
  readonly prefixes: ReadonlyMap<string, readonly Prefix[]>;
  /** By their first word where that is whole, else by the empty text. */
  readonly wild: ReadonlyMap<string, readonly Wild[]>;
}

function sortRules(rules: readonly PermissionRule[]): Sorted {
  const exact = new Map<string, PermissionRule>();
  const prefixes = new Map<string, Prefix[]>();
  const wild = new Map<string, Wild[]>();
  for (const rule of rules) {
    if (rule.content === undefined) continue;
    const content = rule.content.trim().replace(/:\*$/, ' *');
    const prefix = content.replace(/ \*$/, '');
    if (!content.includes('*')) {
      if (!exact.has(content)) exact.set(content, rule);
    } else if (!prefix.includes('*')) {
      const words = prefix.split(/\s+/);
      add(prefixes, words[0] ?? '', { words, rule });
    } else {
      const end = content.slice(content.lastIndexOf('*') + 1);
      add(wild, firstWord(content), { end, regexp: wildPattern(content), rule });
    }
  }
  return { exact, prefixes, wild };
}

function add<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Facts: `x:*` and `x *` cover `x` and `x y`, not `xy`; `*` stands for anything, in any place. */
export function compileCommandRules(rules: readonly PermissionRule[]): CommandRules {
  const limited = rules.filter(({ content }) => content !== undefined);
  const { findSure, findAny } = commandFinders(limited);
  return {
    bare: rules.find(({ content }) => content === undefined),
    findSure: (command) => {
      const found = findSure(command);
      // Fact: with spaces at its ends a rule fits nothing.
      return found?.content === found?.content?.trim() ? found : undefined;
    },
    findAny,
    findBehind: ({ words }) => {
      if (limited.length === 0) return undefined;
      const program = words.find(({ text }) => !VARIABLE.test(text));
      const isUnknown = program?.isPlain === false && UNKNOWN_PROGRAM.test(program.text);
      if (isUnknown || words.length > MAX_WORDS) return limited[0];
      for (let at = 1; at < words.length; at += 1) {
        const found = findAny({ text: '', words: words.slice(at), redirects: [] });
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

function commandFinders(
  rules: readonly PermissionRule[],
): Pick<CommandRules, 'findSure' | 'findAny'> {
  const { exact, prefixes, wild } = sortRules(rules);
  /** @param whole how many words may stand for those of a rule */
  const byPrefix = (words: readonly string[], whole = Infinity): PermissionRule | undefined =>
    prefixes
      .get(words[0] ?? '')
      ?.find(
        (prefix) =>
          prefix.words.length <= whole &&
          prefix.words.every((word, index) => word === words[index]),
      )?.rule;
  const byWild = (text: string): PermissionRule | undefined =>
    [firstWord(text), '']
      .flatMap((first) => wild.get(first) ?? [])
      .find(({ end, regexp }) => text.endsWith(end) && regexp.test(text))?.rule;
  return {
    findSure: ({ text, words }) => {
      const found = exact.get(text);
      if (found !== undefined) return found;
      const own = withoutSureRunners(words);
      const isQuoted = own.some((word) => word.isQuoted);
      // Fact: a quote in the program's name changes nothing, one in the words behind it does.
      const quote = own.findIndex((word, index) => index > 0 && word.isQuoted);
      const texts = own.map((word) => word.text);
      const joined = texts.join(' ');
      return (
        (isQuoted || own === words ? undefined : exact.get(joined)) ??
        byPrefix(texts, quote === -1 ? Infinity : quote) ??
        (isQuoted ? undefined : byWild(joined))
      );
    },
    findAny: ({ text, words }) => {
      for (const reading of readings(words.map((word) => word.text))) {
        const joined = reading.join(' ');
        // A word that was quoted may hold several.
        const found =
          exact.get(joined) ?? byPrefix(joined.split(/\s+/)) ?? byPrefix(reading) ?? byWild(joined);
        if (found !== undefined) return found;
      }
      return exact.get(text) ?? byWild(text);
    },
  };
}

/** The word that a pattern begins with, where that is whole and without a sign; else empty. */
function firstWord(text: string): string {
  return /^([^*\s]+)\s/.exec(text)?.[1] ?? '';
}

function wildPattern(content: string): RegExp {
  const parts = content.replace(/ \*$/, '\u0000').split('*');
  const source = parts
    .map((part) => part.replace(/[.+?^$()|\\{}[\]/]/g, String.raw`\$&`))
    .join('[^]*')
    .replaceAll('\u0000', '(?: [^]*)?');
  return new RegExp(`^${source}$`);
}

function withoutSureRunners(words: readonly ShellWord[]): readonly ShellWord[] {
  // Fact: of several variables the CLI takes none for sure.
  const own = words.length > 1 && isSureVariable(words[0]) ? words.slice(1) : words;
  const [first, second] = own;
  if (first === undefined || first.isQuoted || !SURE_RUNNERS.test(first.text)) return own;
  const rest = own.slice(first.text === 'timeout' ? 2 : 1);
  const isClear = first.text !== 'timeout' || /^\d+[smh]?$/.test(second?.text ?? '');
  return isClear && rest.length > 0 && !rest[0]?.text.startsWith('-') ? rest : own;
}

/** Fact: a value that is empty, quoted or expanded is not looked behind. */
function isSureVariable(word: ShellWord | undefined): boolean {
  return word?.isPlain === true && !word.isQuoted && SURE_VARIABLE.test(word.text);
}

function isPassedOver(word: string, runner: string): boolean {
  if (VARIABLE.test(word) || (NUMBERED.has(runner) && NUMBER.test(word))) return true;
  // `command -v` only tells where a program is.
  const isLast = runner === 'xargs' || (runner === 'command' && /^-[vV]/.test(word));
  return !isLast && SKIPPED.test(word);
}

/** The command and, one after the other, what it runs. */
function readings(words: readonly string[]): (readonly string[])[] {
  const found: (readonly string[])[] = [words];
  let rest = words;
  for (let depth = 0; depth < 8 && rest.length > 0; depth += 1) {
    const before = rest;
    while (VARIABLE.test(rest[0] ?? '')) rest = rest.slice(1);
    const bare = (rest[0] ?? '').replace(/^.*\//, '');
    if (bare !== rest[0] && bare !== '') rest = [bare, ...rest.slice(1)];
    const runner = rest[0] ?? '';
    if (RUNNERS.has(runner)) {
      rest = rest.slice(1);
      while (isPassedOver(rest[0] ?? '', runner)) rest = rest.slice(1);
    }
    if (rest === before) break;
    if (rest.length > 0) found.push(rest);
  }
  return found;
}
