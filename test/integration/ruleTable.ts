import type { RuleCall, RuleGroup } from './ruleVerdicts';

/** Calls whose verdict the real CLI gives, to be compared with ours. All that is allowed is harmless. */

export const bash = (...commands: string[]): RuleCall[] =>
  commands.map((command) => ({ tool: 'Bash', input: { command, description: 'x' } }));
export const read = (...files: string[]): RuleCall[] =>
  files.map((file) => ({ tool: 'Read', input: { file_path: file } }));
export const write = (...files: string[]): RuleCall[] =>
  files.map((file) => ({ tool: 'Write', input: { file_path: file, content: 'x' } }));
export const fetch = (...urls: string[]): RuleCall[] =>
  urls.map((url) => ({ tool: 'WebFetch', input: { url, prompt: 'x' } }));
const call = (tool: string, input: RuleCall['input'] = {}): RuleCall => ({ tool, input });

/** There are no such programs: what is allowed says so and ends. */
const COMMANDS: RuleGroup = {
  name: 'commands',
  user: {
    allow: [
      'Bash(foo test:*)',
      'Bash(bar *)',
      'Bash(baz * main)',
      'Bash(one two)',
      'Bash(touch:*)',
    ],
    ask: ['Bash(bar ask *)'],
    deny: ['Bash(bad:*)', 'Bash(foo test evil)', 'Read(secret.txt)', 'Edit(fixed.txt)'],
  },
  rounds: [
    {
      mode: 'default',
      calls: bash(
        'foo test',
        'foo test x && bar y',
        'foo testing',
        "'foo' test",
        'bar x || other',
        'bar x; bad y',
        'bar "$(bad x)"',
        'bar "a; bad x"',
        'bar $(ls)',
        'bar `ls`',
        'bar > out.txt',
        'bar 2>&1 >/dev/null',
        '(bar x)',
        'bar x &',
        'bar {a,b}',
        'bar $X',
        'LANG=C bar x',
        'X=1 bad x',
        'timeout 5 bad x',
        '/usr/bin/bad x',
        'ls | xargs bad',
        'if true; then bad x; fi',
        'if bar; then bar x; fi',
        'bar <<E\nx\nE',
        'bar # bad',
        '# bad\nbar',
        'bar ask x',
        'baz push main',
        'baz push main x',
        'one two',
        'one two three',
        'foo test evil',
        'ls -la',
        'cat a.txt | head -1',
        'cat secret.txt',
        'cat < secret.txt',
        'cat /etc/passwd',
        'cat ../x',
        'echo x > fixed.txt',
        'touch fixed.txt',
        'touch ../x',
        'touch .git/x',
        'git status',
        'git push',
        'find . -type f',
        'sort -o x a.txt',
        'node -e 1',
      ),
    },
  ],
};

const FILES: RuleGroup = {
  name: 'files',
  user: {
    allow: ['Read(~/ok/**)', 'Edit(./free.txt)', 'Edit(gen/**)', 'Edit(/{ws}/abs.txt)'],
    ask: ['Read(ask.txt)'],
    deny: [
      'Read(./hidden.txt)',
      'Read(secrets/**)',
      'Read(sub/*.pem)',
      'Read(/own.txt)',
      'Edit(Fixed.txt)',
    ],
  },
  rounds: [
    {
      mode: 'default',
      calls: [
        ...read(
          '{ws}/a.txt',
          '{ws}/hidden.txt',
          '{ws}/sub/hidden.txt',
          '{ws}/secrets/key.txt',
          '{ws}/sub/secrets/key.txt',
          '{ws}/sub/a.pem',
          '{ws}/x/sub/a.pem',
          '{ws}/own.txt',
          '{home}/.claude/own.txt',
          '{ws}/ask.txt',
          '{home}/ok/a',
          '/etc/passwd',
        ),
        ...write(
          '{ws}/free.txt',
          '{ws}/sub/free.txt',
          '{ws}/gen/a',
          '{ws}/sub/gen/a',
          '{ws}/abs.txt',
          '{ws}/fixed.txt',
          '{ws}/hidden.txt',
          '{ws}/plain.txt',
        ),
      ],
    },
    {
      mode: 'acceptEdits',
      calls: [
        ...write('{ws}/plain.txt', '{ws}/fixed.txt', '{base}/out.txt'),
        ...write(
          '{ws}/.vscode/tasks.json',
          '{ws}/.bashrc',
          '{ws}/.claude/settings.json',
          '{ws}/.envrc',
        ),
        ...bash('touch made.txt', 'touch .vscode/x', 'rm -rf /none'),
      ],
    },
    {
      mode: 'plan',
      calls: [
        ...write('{ws}/plain.txt', '{ws}/fixed.txt'),
        ...read('{ws}/a.txt', '{ws}/hidden.txt'),
      ],
    },
    {
      mode: 'dontAsk',
      calls: [...write('{ws}/plain.txt', '{ws}/free.txt'), ...read('{ws}/a.txt', '/etc/passwd')],
    },
  ],
};

const SOURCES: RuleGroup = {
  name: 'sources',
  user: { allow: ['Bash(u1)', 'Bash(both)'], deny: ['Bash(ud)'], ask: ['Bash(ua)'] },
  project: {
    allow: ['Bash(p1)', 'Bash(ud)', 'Bash(ua)'],
    ask: ['Bash(u1)'],
    deny: ['Read(a.txt)'],
  },
  local: { allow: ['Bash(l1)', 'mcp__notes'], deny: ['Bash(both)', 'mcp__mail__*', 'Skill(tidy)'] },
  args: ['--allowedTools=Bash(a1),Bash(ud)', '--disallowedTools=Bash(ad),mcp__notes__write'],
  rounds: [
    {
      mode: 'default',
      calls: [
        ...bash('u1', 'both', 'ud', 'ua', 'p1', 'l1', 'a1', 'ad', 'none'),
        ...read('{ws}/a.txt'),
        call('mcp__notes__read'),
        call('mcp__notes__write'),
        call('mcp__mail__read'),
        call('Skill', { skill: 'tidy' }),
      ],
    },
  ],
};

const UNTRUSTED: RuleGroup = {
  name: 'untrusted',
  trusted: false,
  user: {
    allow: ['Bash(u1)', 'WebFetch(domain:127.0.0.1)', 'Bash(broken', 'mcp__mail__read(x)'],
    ask: ['WebFetch(domain:ask.invalid)'],
    deny: ['WebFetch(domain:*.evil.invalid)', 'WebFetch(domain:evil.invalid)', 'WebSearch(*)'],
  },
  project: { allow: ['Bash(p1)', 'Read(//etc/hosts)'], ask: ['Bash(ls)'], deny: ['Bash(pd)'] },
  local: { allow: ['Bash(l1)'] },
  rounds: [
    {
      mode: 'default',
      calls: [
        ...bash('u1', 'p1', 'ls', 'pd', 'l1'),
        ...read('/etc/hosts'),
        ...fetch(
          'http://127.0.0.1:1/x',
          'http://evil.invalid/',
          'http://x.y.evil.invalid/',
          'http://evil.invalid.other.invalid/',
          'http://evil.invalid@other.invalid/',
          'http://EVIL.invalid./',
          'http://ask.invalid/',
        ),
        call('WebSearch', { query: 'zz' }),
        call('mcp__mail__read'),
      ],
    },
  ],
};

/** Commands and addresses that hide what they do, and rules that are written in odd ways. */
const TRICKS: RuleGroup = {
  name: 'tricks',
  user: {
    allow: [
      'Bash(bar:*)',
      'WebFetch(domain:good.invalid)',
      'mcp__notes__r*',
      'mcp__ma*',
      'Read(~/p**q)',
      'Read(~/m[!a]n)',
    ],
    ask: ['Enter*'],
    deny: ['Cron*', 'WebFetch(domain:evil.invalid)'],
  },
  rounds: [
    {
      mode: 'default',
      calls: [
        ...bash('bar a\\ b', "bar 'a\n# b'", 'bar =ls', 'cd sub && bar x', 'cd sub && git status'),
        ...fetch('http://evil.invalid\\@good.invalid/', 'http://x@good.invalid@other.invalid/'),
        ...fetch('http:\\\\evil.invalid'),
        ...read('{home}/p/x/q', '{home}/pxq', '{home}/mbn'),
        call('mcp__notes__read'),
        call('mcp__mail__read'),
        call('CronList'),
        call('EnterPlanMode'),
      ],
    },
    {
      mode: 'acceptEdits',
      calls: bash(
        'cd sub && touch y',
        'other > o.txt',
        'cp -r sub sub2',
        'sed -i s/one/two/ a.txt',
      ),
    },
  ],
};

/** A rule about every command, and what it does not reach. */
const EVERY_COMMAND: RuleGroup = {
  name: 'every command',
  user: { allow: ['Bash'], deny: ['Bash(bad:*)', 'Read'] },
  rounds: [
    {
      mode: 'default',
      calls: [
        ...bash(
          'echo x > .git/config',
          'touch .vscode/x',
          'rm -rf .git',
          'X+=1 bad',
          'other',
          'cat a.txt',
        ),
        ...write('{ws}/plain.txt'),
      ],
    },
  ],
};

export const RULE_GROUPS: readonly RuleGroup[] = [
  COMMANDS,
  FILES,
  SOURCES,
  UNTRUSTED,
  TRICKS,
  EVERY_COMMAND,
];

/** Calls of which ours says that it cannot be foretold, by the text of their input, with the reason. */
export const OPEN_CALLS: Readonly<Record<string, string>> = {
  'if bar; then bar x; fi': 'the CLI reads conditions; we say nothing of what is inside of them',
  'bar <<E\nx\nE': 'of documents in a command some pass and some do not',
  'find . -type f': 'find can change files; only some of its forms pass',
  'sort -o x a.txt': 'an option that writes a file is not told from one that does not',
};
