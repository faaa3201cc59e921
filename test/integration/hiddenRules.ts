import { bash, fetch, read, write } from './ruleTable';
import type { RuleGroup } from './ruleVerdicts';

const HIDING = bash(
  ...['sudo -u root bad x', 'timeout -s KILL 5 bad x', 'stdbuf -o0 bad x', 'stdbuf -o 0 bad x'],
  ...['{ bad x; }', 'f() { bad; }; f', 'exec -a foo bad x', 'env -u A bad x', 'a=bad; $a x'],
  ...['ionice -c2 bad x', 'unshare bad x', 'flock /none/x bad x', 'strace bad x', 'nice -n 5 bad'],
  ...['echo x | xargs bad', 'echo x | xargs -n 1 bad', 'command bad', 'command -v bad', '$X bad'],
  ...['bash -c "bad x"', 'eval bad x', 'echo bad', 'ls bad', 'x=$(bad)', 'cat <<E\n$(bad)\nE'],
  ...[
    'cat <(cat secret.txt)',
    'echo $(<secret.txt)',
    'echo $(cat secret.txt)',
    'test -f secret.txt',
  ],
  ...['while read l; do break; done < secret.txt', '{ echo x; } > fixed.txt', '(cat) < secret.txt'],
  ...['case x in x) cat secret.txt;; esac', 'cat <<< "$(cat secret.txt)"', 'cat a.txt secret.txt'],
  ...['cd sub && echo x > fixed.txt', 'cat a.txt | cat > fixed.txt', '! cat secret.txt'],
);
const HIDDEN = ['Bash(bad:*)', 'Read(secret.txt)', 'Edit(fixed.txt)'];

/** Commands of which a rule for files, or a habit of the CLI's, may decide. */
const NAMING = bash(
  ...['touch', 'mkdir', 'rm', 'rmdir', 'du', 'stat', 'realpath', 'test -f', 'ls'].flatMap(
    (name) => [`${name} secret.txt`, `${name} fixed.txt`],
  ),
  ...[
    'cp a.txt secret.txt',
    'mv secret.txt q',
    'tee secret.txt < a.txt',
    'sed -i s/a/b/ secret.txt',
  ],
  ...[
    'echo x > secret.txt',
    'cat a.txt >> secret.txt',
    'sort a.txt > secret.txt',
    'bad2 > secret.txt',
  ],
  ...['timeout 5 ls', 'LANG=C ls', 'LC_ALL=C ls', 'command ls', '\\ls', '"ls"', 'l""s', 'nohup ls'],
  ...['realpath /etc/passwd', 'test -f /etc/passwd', 'realpath ../x', 'test -f ../x', 'cat ../x'],
  ...['rmdir d', 'rm -i a', 'rm -- a', 'mkdir -m 777 q2', 'touch -t 1 a', 'mv -f notes.md b'],
);
const ODD_NAMES = [
  '#y',
  's/#y',
  '#dir/a',
  '@at',
  '-dash',
  '=eq',
  'a+b',
  'a^b',
  '{x,y}',
  'x',
  '日本/a',
];

/** Words with signs that a shell gives a meaning, also where they are quoted. */
const SIGNS = [
  "'$x'",
  '\\$x',
  "'{a,b}'",
  "'a{1,2}'",
  '\\{a,b\\}',
  "'~x'",
  '~root',
  'a*',
  '[a]',
  '?',
];
const QUOTED = ["'`x`'", '"a$"', "'^a$'", 'HEAD~1', "'a;b'", "'#x'", '=x', '=1', '{a}', "'/x'"];
const ODD_WORDS = bash(
  ...[
    'echo',
    'cat',
    'grep -n',
    'printf',
    'ls',
    'seq',
    'which',
    'test -f',
    'cut -d',
    'tr a',
  ].flatMap((program) => [...SIGNS, ...QUOTED].map((word) => `${program} ${word}`)),
  ...[
    'sort a.txt | uniq -c',
    'ls | xargs',
    'sha1sum a.txt',
    'du -sh /etc',
    'df /',
    'git stash list',
  ],
);
/** None of these runs, so the shell stays where it is. */
const BEHIND_CD = bash(
  ...['cd src && cat < a.ts', 'cat < a.txt && cd src', 'cat < src/../a.txt', 'cd -P src && ls'],
  ...['cd -- src', 'cd src && foo < a.ts', 'cd -P src && foo x', 'cd src; cat < a.ts'],
);
const QUOTED_RULES = bash(
  ...['qux "run" a', "qux 'run' a", 'qux r"un" a', 'qux run "a"', '"qux" run a', 'one "two"'],
  ...['foo te\\st x', '"foo" test x', 'timeout 5 qux "run" a', 'LANG=C LANG=D foo test x'],
  ...['foo test \\{a,b\\}', 'foo test "a$"', 'foo test "x $(foo test y) z"', 'foo test =1'],
);
const DOCUMENTS = bash("cat <<'E'\n$(bad x)\nE", 'cat <<E\nbad x\nE', 'bash <<E\nbad x\nE');
const NAMED_FILES = bash(
  ...['grep secret.txt a.txt', "sed '' secret.txt", 'find . -name secret.txt', 'find secret.txt'],
  ...['LANG=C touch fixed.txt', 'timeout 5 touch fixed.txt', 'command touch fixed.txt'],
  ...['cd none; cat secret.txt', 'cat a.txt secret.txt', 'grep x secret.txt'],
);
/** Such as Windows would take for others, and beside them what it would not. */
const WINDOWS_NAMES = [
  'dot.',
  'dot. ',
  'd./x',
  'sp /x',
  '...',
  'a~1',
  'x.CON',
  'sp ',
  'a~b',
  'CON',
];
const PLACES = [
  ...['.cargo/config.toml', '.yarn/x', '.mvn/x', '.config/git/config', '.claude.json', 'Makefile'],
  ...['.pre-commit-config.yaml', 'lefthook.yml', '.lefthook.yaml', '.pnp.cjs', '.pnpmfile.cjs'],
  ...['bunfig.toml', '.bunfig.toml', '.bazelrc', 'pyrightconfig.json', '.devcontainer.json'],
  ...['gradle-wrapper.properties', '.claude/worktrees/x/a.ts', '.claude/worktrees/x/.vscode/a'],
];
const ADDRESSES = fetch(
  ...[
    'star',
    'xstar',
    'part.star',
    'pre',
    'prex.y',
    'a.mid',
    'a.x.mid',
    'mid',
    'spaced',
    'other',
  ].map((name) => `http://${name}.invalid`),
);
const PATTERNS = ['*star.invalid', 'pre*', 'a.*.invalid', ' spaced.invalid'].map(
  (domain) => `WebFetch(domain:${domain})`,
);
const RULED = ['foo test:*', 'qux run *', 'one two'].map((rule) => `Bash(${rule})`);

/** Of these the CLI asks, or looks closer, though a rule allows the program; the last ones it lets pass. */
const BEYOND = bash(
  ...['find . -exec foo x', 'find . -name x -delete', 'find . -ok foo', 'find . -fprint q'],
  ...[
    'cp -r a.txt b',
    'mv -f a.txt b',
    "cp a.txt '*'",
    "touch 'x*'",
    "tee 'x*' < a.txt",
    'rm -f z*',
  ],
  ...[
    'sed -n 1p *.txt',
    "sed s/a/b/ 'x*'",
    'printf *.txt',
    'test *.txt',
    'jq -f x',
    'jq . /etc/hostname',
  ],
  ...['awk 1 /etc/hostname', "awk 'BEGIN{system(1)}'", 'expand /etc/hostname', 'numfmt ../x'],
  ...['git diff ..', 'git --no-pager diff ~', 'git diff --no-index a.txt /etc/hostname'],
  ...[
    'timeout 5 cat /etc/hostname',
    'timeout -k 1 5 cat ~',
    'env cat ../x',
    'nice cat /etc/hostname',
  ],
  ...[
    'stdbuf -o0 cat /etc/hostname',
    'nohup cat /etc/hostname',
    'LANG=C tee "*" < a.txt',
    'env -name x',
  ],
  ...[
    'cd',
    'cd /etc',
    'cd --help',
    'cd src a',
    'npm run /proc/self/environ',
    'cat /proc/1/environ',
  ],
  ...[
    'eval foo',
    'exec foo',
    'source a',
    '. a',
    'alias a=b',
    'trap foo EXIT',
    'setsid foo',
    'let x=1',
  ],
  ...[
    'strace foo',
    'watch foo',
    'flock x foo',
    'hash -r',
    'mapfile x',
    'bind x',
    'alias a > out.txt',
  ],
  ...['npm run *', 'npm --prefix /etc run x', 'git log ..', 'rm -rf d', 'sort *.txt', 'rg x *.txt'],
);
const PROGRAMS =
  'find cp mv touch tee rm sed printf test jq awk expand numfmt git timeout env nice stdbuf cat cd npm eval exec source . alias trap setsid let strace watch flock hash mapfile bind sort rg';
/** A shell puts names of files there; some programs that read are asked about then. */
const PATTERNS_OF_FILES = bash(
  ...'cat cut df diff du echo grep head ls md5sum nl od realpath sha256sum stat tail wc base64 false file rg sort true uname seq test'
    .split(' ')
    .map((program) => `${program} *.txt`),
  ...[
    'sed -n 1p *.txt',
    "mkdir '*'",
    'mkdir "x?"',
    'touch %s',
    "echo x > 'x*'",
    'rg x *.txt',
    'base64 s?c',
    'test -f',
  ],
  ...[
    'test -f -f x',
    'test a.txt',
    'true /proc/self/environ',
    'foo x; 2>&1',
    '< a.txt',
    'cd . && git log',
  ],
  ...[
    'cd . && mkdir .',
    'noglob ls',
    'builtin false',
    'stdbuf -oL ls',
    'timeout 0.5 ls',
    'xargs echo ~',
  ],
  ...[
    'time nohup rmdir q',
    'command rmdir q',
    'timeout -k 1 5 mv a.txt b',
    'realpath ~/x',
    'nohup mkdir',
  ],
);
/** About how they are written the CLI asks before it sees that a rule for files forbids them. */
const UNREAD = bash(
  ...['foo <> fixed.txt', 'ls a <> fixed.txt', 'sort $X < secret.txt', 'foo $X &>> fixed.txt'],
  ...["foo $'secret.txt' > fixed.txt", '[ -f /etc < secret.txt', 'pushd sec* < secret.txt'],
  ...[
    'grep --file=secret.txt x',
    'grep -fsecret.txt x',
    'rg --file=secret.txt x',
    'cd -r > fixed.txt',
  ],
  ...['popd 1>fixed.txt', 'foo {a,b} > fixed.txt', 'timeout 5 grep --file=secret.txt x'],
  ...['cd /proc/self/environ &>> fixed.txt', 'nl secret.txt\r', 'sed -e s/a/b/ fixed.txt 2>&1'],
);

/** What stands behind something else: where it cannot be foretold we say so, and nothing else. */
export const HIDDEN_GROUPS: readonly RuleGroup[] = [
  {
    ...{ name: 'hidden from a mode', user: { deny: HIDDEN } },
    args: ['--allow-dangerously-skip-permissions'],
    rounds: [
      { mode: 'bypassPermissions', calls: HIDING },
      { mode: 'default', calls: HIDING },
    ],
  },
  {
    ...{ name: 'named', user: { deny: HIDDEN } },
    rounds: (['default', 'acceptEdits', 'dontAsk'] as const).map((mode) => ({
      ...{ mode, calls: NAMING },
    })),
  },
  {
    ...{ name: 'named where all is allowed', user: { deny: HIDDEN, allow: ['Bash'] } },
    rounds: [{ mode: 'default', calls: NAMING }],
  },
  {
    name: 'odd names',
    user: { deny: ODD_NAMES.map((name) => `Read(${name})`).filter((rule) => rule !== 'Read(x)') },
    rounds: [{ mode: 'default', calls: read(...ODD_NAMES.map((name) => `{ws}/${name}`)) }],
  },
  {
    ...{ name: 'hidden from a rule', user: { deny: HIDDEN, allow: ['Bash'] } },
    rounds: [{ mode: 'default', calls: HIDING }],
  },
  {
    ...{ name: 'odd words', user: { allow: [] } },
    rounds: [{ mode: 'default', calls: ODD_WORDS }],
  },
  {
    ...{ name: 'behind cd', user: { allow: ['Bash(foo:*)'] } },
    rounds: [{ mode: 'default', calls: BEHIND_CD }],
  },
  {
    ...{ name: 'quoted words of a rule', user: { allow: RULED } },
    rounds: [{ mode: 'default', calls: QUOTED_RULES }],
  },
  {
    ...{ name: 'documents', user: { deny: HIDDEN, allow: ['Bash'] } },
    rounds: [{ mode: 'default', calls: [...DOCUMENTS, ...NAMED_FILES] }],
  },
  {
    ...{ name: 'documents that are asked about', user: { ask: ['Bash(bad:*)'], allow: ['Bash'] } },
    rounds: [{ mode: 'default', calls: DOCUMENTS }],
  },
  {
    name: 'beyond a rule',
    user: { allow: PROGRAMS.split(' ').map((program) => `Bash(${program}:*)`) },
    rounds: [
      { mode: 'default', calls: BEYOND },
      { mode: 'acceptEdits', calls: BEYOND },
    ],
  },
  {
    ...{ name: 'patterns of files', user: { allow: [] } },
    rounds: [
      { mode: 'default', calls: PATTERNS_OF_FILES },
      { mode: 'acceptEdits', calls: PATTERNS_OF_FILES },
    ],
  },
  {
    ...{ name: 'not read so far', user: { deny: HIDDEN } },
    rounds: [{ mode: 'default', calls: UNREAD }],
  },
  {
    ...{ name: 'not read so far where all is allowed', user: { deny: HIDDEN, allow: ['Bash'] } },
    rounds: [{ mode: 'default', calls: UNREAD }],
  },
  {
    ...{ name: 'odd places', user: { allow: [] } },
    rounds: [
      {
        mode: 'acceptEdits',
        calls: write(...[...WINDOWS_NAMES, ...PLACES].map((name) => `{ws}/${name}`)),
      },
      { mode: 'default', calls: read(...WINDOWS_NAMES.map((name) => `{ws}/${name}`)) },
    ],
  },
  {
    ...{ name: 'patterns of addresses', user: { allow: PATTERNS } },
    rounds: [{ mode: 'default', calls: ADDRESSES }],
  },
  {
    ...{ name: 'forbidden addresses', user: { deny: PATTERNS } },
    rounds: [{ mode: 'default', calls: ADDRESSES }],
  },
  {
    ...{ name: 'edited so read', user: { allow: ['Edit(~/e/**)'] } },
    rounds: [{ mode: 'default', calls: read('{home}/e/x', '{home}/f') }],
  },
  {
    ...{ name: 'asked about', user: { ask: ['Bash(bad:*)'] } },
    args: ['--allow-dangerously-skip-permissions'],
    rounds: [{ mode: 'bypassPermissions', calls: HIDING }],
  },
];
