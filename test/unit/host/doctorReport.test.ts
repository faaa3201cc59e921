import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CliFacts } from '../../../src/host/doctorFacts';
import { doctorReport, type DoctorFacts } from '../../../src/host/doctorReport';

const healthy: CliFacts = {
  cli: {
    found: true,
    why: '/home/zoë/.local/bin/claude, found by known folder (native installer)',
    tried: ['PATH: /usr/bin: not there', 'native installer: /home/zoë/.local/bin/claude: chosen'],
  },
  version: '2.1.332',
  droppedFlags: '',
  login: 'yes',
  variables: ['ANTHROPIC_API_KEY', 'HTTPS_PROXY'],
  networkProblems: [],
  configProblems: [],
  hooks: [],
  shell: { name: '/bin/zsh', note: 'answered', told: true },
  git: 'git version 2.39.5',
  secrets: ['hunter2-hunter2'],
  home: '/home/zoë',
};

function report(cli: Partial<CliFacts> = {}, more: Partial<DoctorFacts> = {}): string {
  return doctorReport({
    cli: { ...healthy, ...cli },
    editor: {
      name: 'Code',
      version: '1.101.0',
      extension: '0.1.0',
      remote: undefined,
      machine: 'linux x64',
      node: '22.0.0',
    },
    workspace: { isTrusted: true, isVirtual: false, folder: '/home/zoë/shop' },
    isProxyOff: false,
    settings: [],
    ...more,
  });
}

/** The words behind the colon of each heading, by title. */
function verdicts(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^## (.+): (.+)$/gm)].map((match) => [match[1]!, match[2]!]),
  );
}

test('Where all is well each section says so, and there is nothing to do', () => {
  const text = report();
  assert.deepEqual(verdicts(text), {
    CLI: 'good',
    'Version and flags': 'good',
    Login: 'good',
    'Files of the CLI': 'good',
    Network: 'good',
    'Login shell': 'good',
    Git: 'good',
    Workspace: 'good',
    'Settings in effect': 'good',
    'Hooks of the agent': 'good',
    Editor: 'good',
  });
  assert.ok(text.includes('All is well.') && !text.includes('What to do'));
  assert.ok(text.includes('Chosen: ~/.local/bin/claude') && text.includes('PATH: /usr/bin'));
});

test('Each illness has a verdict of its own and says what to do', () => {
  const missing = {
    found: false,
    message: 'Not there.',
    next: 'Install it.',
    details: 'Looked:\nPATH: /x',
  } as const;
  const cases: readonly (readonly [text: string, title: string, verdict: string, todo: RegExp])[] =
    [
      [report({ cli: missing }), 'CLI', 'does not work', /Install it\./],
      [report({ version: undefined }), 'Version and flags', 'worth a look', /--version/],
      [
        report({ droppedFlags: '--model (x)' }),
        'Version and flags',
        'worth a look',
        /Update the CLI/,
      ],
      [report({ login: 'no' }), 'Login', 'does not work', /auth login/],
      [report({ login: 'unknown' }), 'Login', 'worth a look', /auth status/],
      [report({ networkProblems: ['certificatesMissing'] }), 'Network', 'worth a look', /Correct/],
      [report({}, { isProxyOff: true }), 'Network', 'worth a look', /Correct/],
      [
        report({ shell: { name: '/bin/zsh', note: 'no answer within 5000 ms', told: false } }),
        'Login shell',
        'worth a look',
        /patchbay\.cli\.path/,
      ],
      [report({ git: undefined }), 'Git', 'worth a look', /Install Git/],
      [
        report({}, { workspace: { isTrusted: false, isVirtual: false, folder: '/x' } }),
        'Workspace',
        'worth a look',
        /Trust the workspace/,
      ],
      [
        report({}, { workspace: { isTrusted: true, isVirtual: true, folder: undefined } }),
        'Workspace',
        'does not work',
        /on a disk/,
      ],
    ];
  for (const [text, title, verdict, todo] of cases) {
    assert.equal(verdicts(text)[title], verdict, title);
    assert.match(text, new RegExp(`^To look at: ${title}[.,]`, 'm'));
    assert.match(text.split('**What to do**: ')[1] ?? '', todo);
  }
});

test('Settings show what is in effect and where it comes from, also one of a wrong type (W08)', () => {
  const text = report(
    {},
    {
      settings: [
        { key: 'patchbay.model', value: 'opus', from: 'workspace', isInvalid: false },
        { key: 'patchbay.chat.sendKey', value: 'enter', from: 'user', isInvalid: true },
        { key: 'patchbay.cli.path', value: '', from: 'default', isInvalid: false },
        { key: 'patchbay.cli.environment', value: { A: 'b' }, from: 'user', isInvalid: true },
      ],
    },
  );
  assert.match(text, /environment` = `{"A":"•••"}` \(without what is of a wrong type\)/);
  assert.ok(text.includes('- `patchbay.model` = `"opus"` (workspace settings)'));
  assert.match(text, /sendKey` = `"enter"` \(default, since the value is of a wrong type\)/);
  assert.ok(text.includes('Correct the type of: patchbay.chat.sendKey'));
});

test('Nothing secret stands in it: values of variables and flags, known secrets, the home folder', () => {
  const text = report(
    {
      git: 'git version hunter2-hunter2',
      shell: { name: '/home/zoë/sh', note: 'sk-ant-abcdefgh123', told: true },
    },
    {
      settings: [
        {
          key: 'patchbay.cli.environment',
          value: { A: 'b-value' },
          from: 'user',
          isInvalid: false,
        },
        {
          key: 'patchbay.cli.arguments',
          value: ['--append-system-prompt=private words', '--verbose'],
          from: 'user',
          isInvalid: false,
        },
        {
          key: 'patchbay.cli.wrapper',
          value: ['env', 'PASS=private'],
          from: 'user',
          isInvalid: false,
        },
        {
          key: 'patchbay.cli.wrapper',
          value: ['sshpass', '-p', 'private', '--verbose', 'private', 'ssh'],
          from: 'user',
          isInvalid: false,
        },
      ],
    },
  );
  for (const secret of ['hunter2', 'sk-ant', 'b-value', 'private', '/home/zoë']) {
    assert.ok(!text.includes(secret), secret);
  }
  assert.ok(text.includes('{"A":"•••"}') && text.includes('"--verbose"'));
});

test('What the CLI passes over in silence stands in the report', () => {
  const text = report({ configProblems: ['The file /home/zoë/.claude/settings.json is broken.'] });
  assert.equal(verdicts(text)['Files of the CLI'], 'worth a look');
  assert.match(text, /To look at: Files of the CLI\./);
  assert.match(text, /The file ~\/\.claude\/settings\.json is broken\./);
});

test('hooks of the agent are shown with where they stand, on one line each (C19)', () => {
  const file = '/home/zoë/shop/.claude/settings.json';
  const hook = { event: 'PreToolUse', matcher: 'Bash', runs: './a.sh\n--token=abcd1234 -v', file };
  const text = report({ hooks: [hook] });
  assert.match(text, /does not tell when:/);
  assert.match(
    text,
    /PreToolUse `Bash`: `\.\/a\.sh --token=••• -v` \(in `~\/shop\/\.claude\/settings\.json`\)/,
  );
  assert.match(report(), /Its settings name none\./);
});

test('no writing of the home folder or of a secret is left, whatever stands around it', () => {
  const setting = (key: string, value: unknown) => ({
    ...{ key: `patchbay.${key}`, value, isInvalid: false },
    from: 'user' as const,
  });
  const hook = (runs: string, file: string) => ({ event: 'Stop', matcher: '', runs, file });
  const home = 'C:\\Users\\Bob';
  const text = report(
    {
      home,
      secrets: ['pa"ss\\word1'],
      hooks: [hook(`${home}\\notify.cmd`, 'c:\\users\\bob\\.claude\\settings.json')],
    },
    {
      workspace: { isTrusted: true, isVirtual: false, folder: 'C:\\Users\\Bobby\\shop' },
      settings: [
        setting('cli.path', `${home}\\claude.exe`),
        setting('allowedTools', ['Bash(x pa"ss\\word1)', `Read(${home})`]),
      ],
    },
  );
  assert.doesNotMatch(text, /users\\{1,2}bob(?!by)|word1/i);
  assert.ok(text.includes('C:\\Users\\Bobby\\shop'), 'the folder of somebody else');
  assert.ok(text.includes('"~\\\\claude.exe"') && text.includes('~\\.claude\\settings.json'));
});

test('of a command that somebody wrote nothing is shown that may be a secret by its name or place', () => {
  const SECRET = 'hunter2hunter2';
  const commands = [
    `AWS_SECRET_ACCESS_KEY=${SECRET} notify`,
    `export DB_PASS='${SECRET}'; run`,
    `curl -u me:${SECRET} https://x.invalid`,
    `curl --user=me:${SECRET} https://x.invalid`,
    `curl -H "X-Auth: ${SECRET}" https://x.invalid`,
    `curl -H 'X-My-Key:${SECRET}' https://x.invalid`,
    `mysql -p${SECRET} shop`,
    `tool --password ${SECRET}`,
    `tool --api-token=${SECRET}`,
    `ssh box "env MY_PWD=${SECRET} claude"`,
    // In quotes a value may hold blanks, and a header two of them.
    `curl -H "Authorization: Bearer ${SECRET}" https://x.invalid`,
    `curl -H 'Authorization: token ${SECRET}' https://x.invalid`,
    `curl --header="Cookie: a=1; b=${SECRET}" https://x.invalid`,
    `curl -H Authorization:\\ Bearer\\ ${SECRET} https://x.invalid`,
    `curl -d '{"password":"a ${SECRET}"}' https://x.invalid`,
    `tool --password "my ${SECRET} words"`,
    `PGPASSWORD="my ${SECRET}" psql`,
    `curl -u "me too:${SECRET}" https://x.invalid`,
    `curl -ume:${SECRET} --proxy-user me:${SECRET} https://x.invalid`,
    // Of these no name says what they are.
    `tool --pat=${SECRET}`,
    `export PW=${SECRET}; run`,
    `curl --cookie "sid=${SECRET}; b=${SECRET}" https://x.invalid`,
    `curl "https://x.invalid/?sig=${SECRET}&b=${SECRET}"`,
    `git clone https://${SECRET}@x.invalid/a`,
    `sh -c "mysql -p${SECRET} shop"`,
    `sshpass -p ${SECRET} ssh box`,
    `sh -c "run \\"a b\\" c && tool --password ${SECRET}"`,
    `/usr/bin/redis-cli -h x.invalid -a '${SECRET}' ping`,
    `docker login -u me -p ${SECRET} && docker push a`,
    `x=$(redis-cli -a ${SECRET} get k)`,
    `x=\`redis-cli -a ${SECRET}\``,
    `(redis-cli -a ${SECRET})`,
    `echo y|redis-cli -a ${SECRET}`,
    `true;redis-cli -a ${SECRET}`,
    `cd a\nsudo ldapsearch -x -w ${SECRET}`,
    `sqlcmd -S h -P${SECRET}`,
    `sshpass -p${SECRET} ssh box`,
    `FOO=1 /opt/plink.exe -pw ${SECRET} box`,
  ];
  const hooks = commands.map((runs) => ({ event: 'Stop', matcher: '', runs, file: '/x' }));
  const wrapper = ['mysql', `-p${SECRET}`, '-it', `Authorization: Bearer ${SECRET}`, ...commands];
  const settings = [
    { key: 'patchbay.cli.wrapper', value: wrapper, from: 'user' as const, isInvalid: false },
  ];
  const text = report({ hooks }, { settings });
  const shown = text.split('\n').filter((line) => line.includes('hunter2'));
  assert.deepEqual(shown, []);
  assert.ok(text.includes('"-p•••"') && text.includes('"-it"'), 'what is no value is shown');
  assert.ok(text.includes('tool --password •••') && text.includes('notify'));
  const kept =
    'redis-cli ping&&mkdir -p out; python3 -u "$HOME/my hooks/a.py" --verbose | tee -a log.txt && date -u';
  const plain = report({ hooks: [{ event: 'Stop', matcher: '', runs: kept, file: '/x' }] });
  assert.ok(plain.includes(kept), 'what is no secret is shown');
  for (const runs of [
    'docker run --name mongo -p 27017:27017 redis-cli',
    'node scripts/login -p 3000',
    'sshpass -e ssh -p 2222 box',
    'jest login -w 4',
    // One word for the shell, which goes on to the end of the text.
    "jq -r '.x y'; exit 0",
    "echo 'a b';",
    '"$CLAUDE_PROJECT_DIR/my hooks"/a.sh',
    '/home/me/my\\ hooks/a.sh',
    `a "b 'c d' e"'f "g h"' \\ i`,
  ]) {
    const text = report({ hooks: [{ event: 'Stop', matcher: '', runs, file: '/x' }] });
    assert.ok(text.includes(runs), runs);
  }
});
