import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '../../../src/rules/finding';
import { judge, pathsOfCall } from '../../../src/rules/judge';
import type { PermissionMode } from '../../../src/rules/modes';
import { type Behavior, parseRule } from '../../../src/rules/permissionRule';
import { compileRules, type JudgeWorld, type RuleSet } from '../../../src/rules/ruleSet';

const world: JudgeWorld = {
  cwd: '/w/shop',
  home: '/home/ann',
  platform: 'linux',
  planFolder: '/home/ann/.claude/plans',
};
type Lists = Partial<Record<Behavior, readonly string[]>>;

function setOf(lists: Lists, more: Partial<JudgeWorld> = {}): RuleSet {
  const rules = (['allow', 'ask', 'deny'] as const).flatMap((behavior) =>
    (lists[behavior] ?? []).map((text) => ({ behavior, text, source: 'projectSettings' })),
  );
  return compileRules(rules, { ...world, ...more });
}

const INPUTS: Readonly<Record<string, string>> = {
  Bash: 'command',
  Read: 'file_path',
  Edit: 'file_path',
  Write: 'file_path',
  NotebookEdit: 'notebook_path',
  WebFetch: 'url',
  Skill: 'skill',
  Agent: 'subagent_type',
  Task: 'subagent_type',
};
const callOf = (tool: string, text = '') => ({ tool, input: { [INPUTS[tool] ?? 'text']: text } });
const verdict = (
  set: RuleSet,
  tool: string,
  text = '',
  mode: PermissionMode = 'default',
): Verdict => judge(callOf(tool, text), set, mode).verdict;

test('a rule that denies outweighs one that asks, that one a rule that allows', () => {
  const set = setOf({ allow: ['Bash'], ask: ['Bash(a *)'], deny: ['Bash(a b)'] });
  assert.equal(verdict(set, 'Bash', 'a b'), 'deny');
  assert.equal(verdict(set, 'Bash', 'a c'), 'ask');
  assert.equal(verdict(set, 'Bash', 'd'), 'allow');
  const judgement = judge(callOf('Bash', 'a b'), set, 'default');
  const { text, source } = judgement.rule ?? {};
  assert.deepEqual([text, source], ['Bash(a b)', 'projectSettings']);
  assert.ok(judgement.why.endsWith('.'));
});

test('a command is allowed only where every part of it surely is', () => {
  const set = setOf({ allow: ['Bash(foo:*)', 'Bash(bar)'], deny: ['Bash(bad:*)'] });
  const cases: readonly (readonly [string, Verdict])[] = [
    ['foo', 'allow'],
    ['foo x && bar', 'allow'],
    ['foo | foo x\nfoo', 'allow'],
    ['foo x || other', 'ask'],
    ['bar x', 'ask'],
    ['food', 'ask'],
    ['foo $(bar)', 'ask'],
    ['foo `bar`', 'ask'],
    ['foo <(bar)', 'ask'],
    ['foo "$(bad)"', 'deny'],
    ['foo "a && bad"', 'allow'],
    ["foo 'x; bad'", 'allow'],
    ['foo x\\\n&& bad', 'deny'],
    ['foo # bad', 'allow'],
    ['foo > out.txt', 'ask'],
    ['foo >> ~/.bashrc', 'ask'],
    ['foo 2>&1 >/dev/null', 'allow'],
    ['foo &', 'ask'],
    ['foo & bad', 'deny'],
    ['foo ${x}', 'ask'],
    ['foo $X', 'ask'],
    ['foo {a,b}', 'ask'],
    ['(foo)', 'ask'],
    ['if foo; then bad; fi', 'deny'],
    ['if foo; then foo; fi', 'unknown'],
    ['foo <<E\nx\nE', 'unknown'],
    ['foo "unclosed', 'unknown'],
    ['foo\u202e x', 'unknown'],
    ['foo\u00a0x', 'unknown'],
    ['', 'unknown'],
    ['LANG=C foo', 'allow'],
    ['X=1 foo', 'unknown'],
    ['X=1 bad', 'deny'],
    ['sudo -n bad x', 'deny'],
    ['timeout 5 nice -n 3 bad x', 'deny'],
    ['/usr/bin/bad x', 'deny'],
    ['b\\ad x', 'deny'],
    ["'bad' x", 'deny'],
    ['ls | xargs bad', 'deny'],
    ['\\foo x', 'allow'],
  ];
  for (const [command, expected] of cases) {
    assert.equal(verdict(set, 'Bash', command), expected, JSON.stringify(command));
  }
});

test('what only reads passes inside the workspace, and only in forms that are known', () => {
  const set = setOf({ deny: ['Read(secret.txt)'] });
  const cases: readonly (readonly [string, Verdict])[] = [
    ['ls', 'allow'],
    ['ls -la src', 'allow'],
    ['cat a.txt | head -5', 'allow'],
    ['cat secret.txt', 'deny'],
    ['cat < secret.txt', 'deny'],
    // Seen: what must not be read may be written by a command.
    ['echo x > secret.txt', 'unknown'],
    ['cat ../a', 'ask'],
    ['cat /etc/passwd', 'ask'],
    ['cat ~/a', 'ask'],
    ['cat $X', 'ask'],
    ['sort -o x a', 'unknown'],
    ['find . -delete', 'unknown'],
    ['git log', 'allow'],
    ['git log --output=x', 'unknown'],
    ['git push', 'ask'],
    ['git -c core.pager=x log', 'unknown'],
    ['date -s now', 'unknown'],
    ['sed -n 1p a.txt', 'allow'],
    ['sed -n wx a.txt', 'unknown'],
    ['mystery', 'ask'],
  ];
  for (const [command, expected] of cases) {
    assert.equal(verdict(set, 'Bash', command), expected, command);
  }
});

test('a link that leads out of the workspace is judged by where it leads', () => {
  const set = setOf({ allow: ['Edit(link/**)'] });
  const realPaths = new Map([['/w/shop/link/a', '/elsewhere/a']]);
  const call = { tool: 'Read', input: { file_path: 'link/a' }, realPaths };
  assert.deepEqual(pathsOfCall(call, set), ['/w/shop/link/a']);
  assert.equal(judge(call, set, 'default').verdict, 'ask');
  const edit = { tool: 'Write', input: { file_path: 'link/a' }, realPaths };
  assert.equal(judge(edit, set, 'acceptEdits').verdict, 'ask');
  const command = { tool: 'Bash', input: { command: 'cat link/a' }, realPaths };
  assert.equal(judge(command, set, 'default').verdict, 'ask');
  assert.deepEqual(pathsOfCall(command, set), ['/w/shop/link/a']);
});

test('in no mode a protected place is written without the person where our guard stands, whatever the rules allow', () => {
  const set = setOf({ allow: ['Edit', 'Write', 'Edit(**)', 'Edit(//**)'] }, { isGuarded: true });
  const modes = ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'] as const;
  const places = [
    '.patchbay/a.ts',
    '.vscode/tasks.json',
    'sub/.git/hooks/x',
    '.bashrc',
    'x.code-workspace',
    '/etc/hosts',
    '../other/a',
  ];
  for (const mode of modes) {
    for (const place of places) {
      // In these two nobody is asked about a change, but for one of tool files.
      const isRefused = (mode === 'plan' || mode === 'dontAsk') && !place.startsWith('.patchbay');
      const expected = isRefused ? 'deny' : 'ask';
      assert.equal(verdict(set, 'Write', place, mode), expected, `${mode} ${place}`);
    }
  }
  assert.equal(verdict(set, 'Write', 'src/a.ts', 'acceptEdits'), 'allow');
  assert.equal(verdict(set, 'Write', 'src/a.ts', 'plan'), 'deny');
  assert.equal(verdict(set, 'Write', '~/.claude/plans/calm-deer.md', 'plan'), 'allow');
});

test('a command that may change tool files waits for the person where our guard stands, in every mode', () => {
  const set = setOf({ allow: ['Bash', 'Bash(touch *)'] }, { isGuarded: true });
  const modes = ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'] as const;
  for (const mode of modes) {
    assert.equal(verdict(set, 'Bash', 'touch .patchbay/a', mode), 'ask', mode);
  }
  assert.equal(verdict(set, 'Bash', 'cat .patchbay/a'), 'allow');
  const denied = setOf({ deny: ['Bash'] }, { isGuarded: true });
  assert.equal(verdict(denied, 'Bash', 'touch .patchbay/a'), 'deny');
});

test('our own tools that read run in every mode; what else is ours is refused in plan mode', () => {
  const own = new Set(['mcp__code__symbols', 'mcp__shop__pay']);
  const set = setOf(
    { allow: ['mcp__shop'], ask: ['mcp__code__ask'] },
    { isGuarded: true, ownTools: own, readOnlyTools: new Set(['mcp__code__symbols']) },
  );
  for (const mode of ['default', 'plan', 'dontAsk', 'auto'] as const) {
    assert.equal(verdict(set, 'mcp__code__symbols', '', mode), 'allow', mode);
  }
  assert.equal(verdict(set, 'mcp__shop__pay', '', 'default'), 'allow');
  assert.equal(verdict(set, 'mcp__shop__pay', '', 'plan'), 'deny');
  assert.equal(verdict(set, 'mcp__other__pay', '', 'plan'), 'ask');
});

test('of a tool of ours that edits nothing is said but that plan mode refuses it', () => {
  const edits = new Set(['mcp__shop__pay']);
  const own = { isGuarded: true, ownTools: edits, ownEditors: edits };
  const set = setOf({ allow: ['mcp__shop'] }, own);
  assert.equal(verdict(set, 'mcp__shop__pay', '', 'acceptEdits'), 'unknown');
  assert.equal(verdict(set, 'mcp__shop__pay', '', 'plan'), 'deny');
  assert.equal(verdict(setOf({ deny: ['mcp__shop'] }, own), 'mcp__shop__pay'), 'deny');
  assert.equal(verdict(setOf({ ask: ['mcp__shop'] }, own), 'mcp__shop__pay'), 'ask');
});

test('a mode changes what no rule decides', () => {
  const set = setOf({ allow: ['mcp__n__w'], ask: ['Bash(q)'], deny: ['Bash(d)'] });
  const table: readonly (readonly [string, string, ...Verdict[]])[] = [
    // default, acceptEdits, plan, auto, dontAsk, bypassPermissions
    ['Write', 'a.ts', 'ask', 'allow', 'ask', 'allow', 'deny', 'allow'],
    ['Read', 'a.ts', 'allow', 'allow', 'allow', 'allow', 'allow', 'allow'],
    ['Read', '/etc/a', 'ask', 'ask', 'allow', 'allow', 'deny', 'allow'],
    ['Bash', 'foo', 'ask', 'ask', 'unknown', 'unknown', 'deny', 'allow'],
    ['Bash', 'q', 'ask', 'ask', 'ask', 'ask', 'deny', 'ask'],
    ['Bash', 'd', 'deny', 'deny', 'deny', 'deny', 'deny', 'deny'],
    ['Bash', 'touch a', 'ask', 'allow', 'unknown', 'allow', 'deny', 'allow'],
    ['Bash', 'rm -rf /', 'ask', 'ask', 'unknown', 'unknown', 'deny', 'unknown'],
    ['mcp__n__w', '', 'allow', 'allow', 'ask', 'allow', 'allow', 'allow'],
    ['WebSearch', '', 'ask', 'ask', 'unknown', 'unknown', 'deny', 'allow'],
    ['ExitPlanMode', '', 'ask', 'ask', 'ask', 'ask', 'deny', 'ask'],
  ];
  const modes = ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'] as const;
  for (const [tool, text, ...expected] of table) {
    const found = modes.map((mode) => verdict(set, tool, text, mode));
    assert.deepEqual(found, expected, `${tool} ${text}`);
  }
});

test('rules of servers, hosts, agents and skills count as the CLI counts them', () => {
  const set = setOf({
    allow: ['mcp__notes', 'WebFetch(domain:*.a.org)', 'WebFetch(domain:b.org)', 'Skill(tidy:*)'],
    deny: ['mcp__mail__*', 'Task(Explore)', 'WebFetch(domain:evil.org)'],
  });
  const cases: readonly (readonly [string, string, Verdict])[] = [
    ['mcp__notes__read', '', 'allow'],
    ['mcp__notes2__read', '', 'ask'],
    ['mcp__mail__send', '', 'deny'],
    ['WebFetch', 'https://x.y.a.org/z', 'allow'],
    ['WebFetch', 'https://a.org/', 'ask'],
    ['WebFetch', 'http://B.org./', 'allow'],
    ['WebFetch', 'http://b.org@evil.org:80/', 'deny'],
    ['WebFetch', 'http://b.org.evil2.org/', 'ask'],
    ['WebFetch', 'not a url', 'ask'],
    ['Agent', 'Explore', 'deny'],
    ['Agent', 'other', 'allow'],
    ['Task', 'Explore', 'deny'],
    ['Skill', 'tidy', 'allow'],
    ['Unheard', '', 'unknown'],
    ['Read', '', 'unknown'],
  ];
  for (const [tool, text, expected] of cases) {
    assert.equal(verdict(set, tool, text), expected, `${tool} ${text}`);
  }
});

test('rules that the CLI leaves out are left out, with the reason', () => {
  const broken = ['', 'Bash(x', 'Bash(x) y', 'Bash()', 'bash(x)', 'mcp__a__b(x)', 'WebFetch(foo)'];
  for (const text of broken) {
    const parsed = parseRule(text);
    assert.ok(!parsed.ok && parsed.why.length > 5, text);
  }
  const set = setOf({ allow: [...broken, 'Bash(fine)'] });
  assert.equal(verdict(set, 'Bash', 'fine'), 'allow');
  assert.equal(verdict(set, 'Bash', 'x'), 'ask');
  const parsed = parseRule(String.raw`Bash(echo \(a\))`);
  assert.deepEqual(parsed, { ok: true, tool: 'Bash', content: 'echo (a)' });
});

test('a rule whose path the CLI reads otherwise than it is meant is told as open, never as allowed', () => {
  const set = setOf({ deny: ['Read(../k.txt)', 'Read(é.txt)', 'Read(*.log)', 'Read(!keep.log)'] });
  for (const path of ['../k.txt', 'é.txt'.normalize('NFD'), 'keep.log']) {
    assert.equal(verdict(set, 'Read', path), 'unknown', path);
  }
  assert.equal(verdict(set, 'Read', 'other.log'), 'deny');
});

test('no command of odd characters is ever allowed beside a forbidden one', () => {
  const set = setOf({ allow: ['Bash(ok:*)'], deny: ['Bash(bad:*)'] });
  const parts = [
    'ok',
    ' ',
    'bad',
    ';',
    '&&',
    '|',
    '\n',
    '"',
    "'",
    '\\',
    '$(',
    ')',
    '`',
    '(',
    '#',
    '>',
    '&',
    '{',
    '}',
    '\u00a0',
    '\r',
    '\v',
  ];
  let seed = 7;
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let round = 0; round < 3_000; round += 1) {
    const command = Array.from({ length: 2 + next(8) }, () => parts[next(parts.length)]).join('');
    // Outside of quotes and comments the word stands as a command of its own here.
    const isPlain =
      /(?:^|[;&|\n(])\s*bad(?:$|[\s;&|)])/.test(command) && !/["'\\#`{}>$]/.test(command);
    if (!isPlain) continue;
    const found = verdict(set, 'Bash', command);
    // What is no space for a shell may be one for who reads it: then nothing is foretold.
    const isOdd = /[\u00a0\r\v]/.test(command);
    assert.ok(found === 'deny' || (isOdd && found === 'unknown'), JSON.stringify(command));
  }
});

test('a command that hides what it does, or does more than it says, is not called allowed', () => {
  const set = setOf({ allow: ['Bash(foo:*)', 'Bash( spaced x)'] });
  const cases: readonly (readonly [string, PermissionMode, Verdict])[] = [
    ['foo a\\ b', 'default', 'ask'],
    ["foo 'a\n# b'", 'default', 'ask'],
    ['foo =ls', 'default', 'ask'],
    ['foo {a,"b"}', 'default', 'unknown'],
    ['foo x\\', 'default', 'unknown'],
    ['foo 2>&-', 'default', 'unknown'],
    ['foo > /dev/null x', 'default', 'unknown'],
    ['LANG= foo', 'default', 'unknown'],
    ['LANG=~ foo', 'default', 'unknown'],
    ['spaced x', 'default', 'unknown'],
    ['date 01010101', 'default', 'unknown'],
    ['hostname other', 'default', 'unknown'],
    ['ps auxe', 'default', 'unknown'],
    ['cd src && git status', 'default', 'ask'],
    ['cd src && cd deep', 'default', 'ask'],
    ['cd src && ls', 'default', 'allow'],
    ['cd src && touch a', 'acceptEdits', 'ask'],
    ['cd src && echo x > a', 'acceptEdits', 'ask'],
    ['cp -r a b', 'acceptEdits', 'ask'],
    ['sed -i s/a/b/ x', 'acceptEdits', 'allow'],
    ["sed -i '1e bad' x", 'acceptEdits', 'unknown'],
    ["sed -i 's/a/b/w y' x", 'acceptEdits', 'unknown'],
    ['other > a', 'acceptEdits', 'ask'],
    ['cat /etc/passwd > a', 'acceptEdits', 'ask'],
    ['echo x > a', 'acceptEdits', 'allow'],
    ['rm .', 'acceptEdits', 'ask'],
    ['touch .kshrc', 'acceptEdits', 'unknown'],
  ];
  for (const [command, mode, expected] of cases) {
    assert.equal(verdict(set, 'Bash', command, mode), expected, JSON.stringify(command));
  }
});

test('a rule about every command reaches neither protected places nor what a rule forbids behind others', () => {
  const set = setOf({ allow: ['Bash'], ask: ['Bash(slow:*)'], deny: ['Bash(bad:*)'] });
  const cases: readonly (readonly [string, Verdict])[] = [
    ['echo x > .git/config', 'ask'],
    ['touch ~/.bashrc', 'ask'],
    ['cp a .vscode/x', 'ask'],
    ['rm -rf .git', 'ask'],
    ['touch .patchbay/x', 'allow'],
    ['rm -rf "$NONE"/', 'unknown'],
    ['X+=1 bad', 'deny'],
    ['X[0]=1 bad', 'deny'],
    ['sudo -u root bad', 'unknown'],
    ['timeout -s KILL 5 bad', 'unknown'],
    ['flock x slow', 'unknown'],
    ['nice -n5 bad', 'unknown'],
    ['echo bad', 'allow'],
    [`run ${'x '.repeat(500)}`, 'unknown'],
  ];
  for (const [command, expected] of cases) {
    assert.equal(verdict(set, 'Bash', command), expected, command);
  }
  assert.equal(verdict(setOf({ allow: ['Bash'] }), 'Bash', 'run x'), 'allow');
});

test('behind cd a path is judged from the folder that it leads to', () => {
  const realPaths = new Map([['/w/shop/src/link', '/elsewhere/a']]);
  const call = { tool: 'Bash', input: { command: 'cd src && cat link' }, realPaths };
  assert.equal(judge(call, setOf({}), 'default').verdict, 'ask');
});

test('stars in the names of tools count as the CLI counts them', () => {
  const set = setOf({
    allow: ['Web*', 'mcp__ma*', 'mcp__n__r*'],
    ask: ['Enter*', 'Ba*'],
    deny: ['R*d', 'Cron*'],
  });
  const cases: readonly (readonly [string, string, Verdict])[] = [
    ['WebSearch', '', 'ask'],
    ['mcp__mail__read', '', 'ask'],
    ['mcp__n__read', '', 'allow'],
    ['EnterPlanMode', '', 'ask'],
    ['Bash', 'ls', 'ask'],
    ['CronList', '', 'deny'],
    ['Read', 'a.ts', 'deny'],
    ['Write', 'a.ts', 'deny'],
  ];
  for (const [tool, text, expected] of cases) {
    assert.equal(verdict(set, tool, text, 'acceptEdits'), expected, `${tool} ${text}`);
  }
  assert.equal(verdict(setOf({ deny: ['*'] }), 'Bash', 'ls'), 'deny');
  assert.equal(parseRule('Web*').ok, false);
  assert.equal(parseRule('Web*', 'deny').ok, true);
});

test('the host of an address is that which is asked', () => {
  const set = setOf({
    allow: ['WebFetch(domain:good.org)', 'WebFetch(domain:*.wide.org)'],
    deny: ['WebFetch(domain:evil.org)'],
  });
  const cases: readonly (readonly [string, Verdict])[] = [
    ['http://evil.org\\@good.org/', 'deny'],
    ['http://other.org\\.wide.org/', 'ask'],
    ['http://x@good.org@other.org/', 'ask'],
    ['http://.wide.org/', 'ask'],
    ['http://%65vil.org', 'deny'],
    ['http:\\\\evil.org', 'deny'],
    ['http:good.org', 'allow'],
    ['http://good.org../', 'allow'],
  ];
  for (const [url, expected] of cases) assert.equal(verdict(set, 'WebFetch', url), expected, url);
});

test('a path rule that allows covers no more than the CLI takes it to cover', () => {
  const set = setOf({
    allow: ['Read(~/p**q)', 'Read(~/m[!a]n)', 'Read(~/k[^b]c)', 'Read(~/s )', 'Read(~/r\\*)'],
  });
  for (const path of ['p/x/q', 'mbn', 'kcc', 's ', '', 'r']) {
    assert.equal(verdict(set, 'Read', `/home/ann/${path}`), 'ask', path);
  }
  assert.equal(verdict(set, 'Read', '/home/ann/pxq'), 'allow');
  assert.equal(verdict(set, 'Read', '/home/ann/r*'), 'allow');
  const denying = setOf({ deny: ['Read([!a]2.txt)', 'Read(q**r)'] });
  assert.equal(verdict(denying, 'Read', 'c2.txt'), 'unknown');
  assert.equal(verdict(denying, 'Read', 'q/x/r'), 'unknown');
});
