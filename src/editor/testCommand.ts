/** Longer lines are scripts, of which nobody can say what has failed. */
const MOST_CHARACTERS = 2_000;

/** Programs that do nothing but run tests. */
const RUNNERS = new Set(
  (
    'vitest jest mocha ava tap jasmine pytest py.test nosetests nose2 tox unittest rspec phpunit pest ' +
    'ctest gotestsum busted bats prove minitest testthat'
  ).split(' '),
);
/** Programs whose first word says what they do: `cargo test`, `npm run test:unit`. */
const TOOLS = new Set(
  (
    'npm pnpm yarn bun deno nx turbo lerna rush cargo go dotnet mix swift flutter dart ng playwright ' +
    'bazel bazelisk meson stack cabal lein rails rake composer just task poe invoke inv artisan manage.py django-admin'
  ).split(' '),
);
/** Programs that do all of the words behind them: `mvn clean test`, `gradle :app:testDebug`. */
const BUILDERS = new Set('make gmake gradle gradlew mvn mvnw sbt zig ninja xcodebuild'.split(' '));
/** What stands in front of the program that is meant. */
const PREFIXES = new Set(
  (
    'sudo time nice command env cross-env xvfb-run timeout npx bunx pnpx exec dlx run poetry uv uvx pipenv ' +
    'rye hatch pdm bundle dotenv bash sh zsh python python3 py php node tsx ts-node'
  ).split(' '),
);
/** Before the word that says what is done. */
const FILLERS = new Set('run run-script run-many workspaces foreach exec task x'.split(' '));
/** Flags whose value is a word of its own. */
const VALUED = new Set(
  (
    '--prefix -C --dir --filter -F -w --workspace --cwd --project -p --package --manifest-path -f ' +
    '--directory --with'
  ).split(' '),
);
/** It is only asked what there is, or built. */
const NO_RUN =
  /^(?:--help|-h|--version|-V|--list|--listTests|--collect-only|--co|--dry-run|--no-run|--init|--showConfig)$/;
const NO_RUN_WORDS = new Set(['bench', 'list', 'init', 'install']);

const TEST_WORD = /^(?:tests?|tst|t|spec|nextest|coverage)$|^tests?[:._-]|[:._/-]tests?$/i;
const BUILD_WORD = /^:?(?:[\w-]+:)*(?:tests?|check|verify|spec|test[A-Z]\w*)$/;
const SCRIPT = /^(?:run[-_]?)?(?:all[-_]?)?tests?$/i;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;
/** What goes before a run without being a part of it. */
const PREPARING = new Set(['cd', 'pushd', 'export', 'source', '.', 'set', 'nvm', 'clear']);

/**
 * Whether a line of a terminal is plainly a run of tests, whose end says whether they pass: one
 * program, as `npm test` or `cd packages/a && npx vitest`. Not where another program may have failed
 * in its place, as in `npm run build && npm test`, or says how it ends, as in `npm test | tail`.
 */
export function isTestCommand(line: string): boolean {
  const commands = line.length > MOST_CHARACTERS ? undefined : splitCommands(line);
  if (commands === undefined) return false;
  const doing = commands.filter(([first = '']) => !PREPARING.has(first));
  return doing.length > 0 && doing.every(runsTests);
}

/** An operator between commands, one that changes what an end means, or a word. */
const TOKEN =
  /[^\S\n]*(?:(&&|;|\n)|(\|\|?|&(?!>)|[()`])|((?:"[^"]*"|'[^']*'|\\.|\d?>&\d|&>|[^\s;&|"'()`])+))/y;

/** Undefined for what is more than a row of commands. */
function splitCommands(line: string): readonly (readonly string[])[] | undefined {
  const commands: string[][] = [[]];
  const text = line.trim();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (match === null || match[2] !== undefined) return undefined;
    if (match[1] !== undefined) commands.push([]);
    else commands.at(-1)?.push((match[3] ?? '').replace(/["']/g, '').replace(/\\ /g, ' '));
  }
  return commands.filter((words) => words.length > 0);
}

function runsTests(words: readonly string[]): boolean {
  if (words.some((word) => NO_RUN.test(word))) return false;
  const at = words.findIndex((word, index) => !isBefore(word, words[index - 1]));
  // `node --test`, `python -m pytest`: their flag says it, or the program behind it.
  if (words.slice(0, at < 0 ? words.length : at).includes('--test')) return true;
  if (at < 0) return false;
  const program = baseName(words[at] ?? '');
  const rest = plainWords(words.slice(at + 1));
  const [first = ''] = rest;
  if (RUNNERS.has(program)) return !NO_RUN_WORDS.has(first);
  if (TOOLS.has(program)) return toolRunsTests(program, rest);
  if (BUILDERS.has(program)) return rest.some((word) => BUILD_WORD.test(word));
  if (program === 'cypress' || program === 'karma') return first === 'run' || first === 'start';
  // `test` alone is a command of the shell.
  return SCRIPT.test(program.replace(/\.\w+$/, '')) && /[\\/.]/.test(words[at] ?? '');
}

function toolRunsTests(program: string, rest: readonly string[]): boolean {
  const words = [...rest];
  if (program === 'yarn' && words[0] === 'workspace') words.splice(0, 2);
  while (FILLERS.has(words[0] ?? '')) words.shift();
  // Behind it may stand the program that it starts: `pnpm exec vitest`.
  return TEST_WORD.test(words[0] ?? '') || runsTests(words);
}

function isBefore(word: string, before = ''): boolean {
  const isFlag = word.startsWith('-') || ASSIGNMENT.test(word) || VALUED.has(before);
  return isFlag || /^\d+[smh]?$/.test(word) || PREFIXES.has(baseName(word));
}

/** Without flags and their values; those behind `--` are for the program that is run. */
function plainWords(words: readonly string[]): readonly string[] {
  return words.filter(
    (word, at) => !/^[-+]/.test(word) && !VALUED.has(words[at - 1] ?? '') && !ASSIGNMENT.test(word),
  );
}

/** Without its folders and what Windows puts behind a program. */
function baseName(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
  return name.replace(/\.(?:exe|cmd|bat|ps1)$/i, '');
}
