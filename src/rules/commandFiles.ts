import { absolutePath } from './judgePath';
import { isFileChanger, isFileProgram, isFileReader } from './knownCommands';
import type { RuleSet } from './ruleSet';
import { readShellLine, type ShellHazard, type ShellLine, type ShellWord } from './shellSyntax';

/** More is not looked at: a command of that size is no one's habit. */
export const MAX_COMMAND_LENGTH = 20_000;

/** Fact: in lines with one of these the CLI finds some files and lets others pass. */
const MAZES: ReadonlySet<ShellHazard> = new Set([
  'nested',
  'group',
  'keyword',
  'heredoc',
  'expansion',
  'braces',
  'unclear',
]);

const ASKED_FIRST = /^(?:\[|cd|pushd|popd)$/;
/** Fact: `--file=x` the CLI holds against the rules as well. */
const OPTION_VALUE = /^-(?:-[^=]*=|[A-Za-z])(.+)$/s;

export interface NamedFile {
  readonly path: string;
  readonly use: 'read' | 'edit';
  /** The CLI was seen to take the words of this command for files. */
  readonly isKnown: boolean;
}

/** The files that a command line names. */
export function filesOf({ commands, hazards }: ShellLine, rules: RuleSet): readonly NamedFile[] {
  const found: NamedFile[] = [];
  let folder = rules.world.cwd;
  const isClear = [...hazards].every((hazard) => !MAZES.has(hazard));
  for (const { words, redirects } of commands) {
    const [program, ...args] = words;
    const name = program?.text ?? '';
    const isChange = isFileChanger(
      name,
      args.map(({ text }) => text),
    );
    // Fact: whatever its options are, `sed` counts as one that writes.
    const isHidden =
      name === 'sed' || words.some(({ text }, at) => at > 0 && isFileChanger(text, []));
    for (const [at, { text }] of args.entries()) {
      if (text === '') continue;
      if (text.startsWith('-')) {
        const value = OPTION_VALUE.exec(text)?.[1];
        if (value !== undefined) {
          found.push({ path: absolutePath(value, rules, folder), use: 'read', isKnown: false });
        }
        continue;
      }
      const path = absolutePath(text, rules, folder);
      const isNamed = !text.includes('$') && isClear && isFileOf(name, args, at);
      const isRead = isFileReader(name, at === args.length - 1);
      found.push({ path, use: 'read', isKnown: isNamed && isRead });
      if (isChange) found.push({ path, use: 'edit', isKnown: isNamed && isFileProgram(name) });
      else if (isHidden) found.push({ path, use: 'edit', isKnown: false });
      // Where the folder cannot be gone to, what comes behind `;` runs in the first one.
      const here = absolutePath(text, rules);
      if (here !== path) found.push({ path: here, use: 'read', isKnown: false });
    }
    // Fact: about a variable, and about these, the CLI asks before it looks where they are led to.
    const isPlain = words.every(({ text }) => !text.includes('$')) && !ASKED_FIRST.test(name);
    for (const { kind, target } of redirects) {
      const path = absolutePath(target.text, rules, folder);
      found.push({ path, use: kind === 'read' ? 'read' : 'edit', isKnown: isClear && isPlain });
    }
    if (name === 'cd') folder = absolutePath(args[0]?.text ?? '~', rules, folder);
  }
  return found;
}

/** Fact: the pattern of `grep` is none, nor what stands behind an option of `find`; of `sed` it is not sure. */
function isFileOf(name: string, args: readonly ShellWord[], at: number): boolean {
  if (name === 'sed') return args[0]?.text === '-n' && at > 1;
  if (name === 'find') return args.slice(0, at).every(({ text }) => !text.startsWith('-'));
  const isPattern = /^(?:grep|rg)$/.test(name);
  return !isPattern || args.slice(0, at).some(({ text }) => !text.startsWith('-'));
}

/** Absolute paths that a command names, so that somebody can look where they lead. */
export function pathsOfCommand(line: string, rules: RuleSet): readonly string[] {
  if (line.length > MAX_COMMAND_LENGTH) return [];
  return [...new Set(filesOf(readShellLine(line), rules).map(({ path }) => path))];
}
