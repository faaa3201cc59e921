import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '../../../src/rules/finding';
import { judge } from '../../../src/rules/judge';
import type { PermissionMode } from '../../../src/rules/modes';
import type { Behavior } from '../../../src/rules/permissionRule';
import { compileRules, type JudgeWorld, type RuleSet } from '../../../src/rules/ruleSet';

const linux: JudgeWorld = { cwd: '/w/shop', home: '/home/ann', platform: 'linux' };
const windows: JudgeWorld = {
  ...{ cwd: 'C:\\w\\shop', home: 'C:\\Users\\ann', platform: 'win32', isGuarded: true },
};

function setOf(lists: Partial<Record<Behavior, readonly string[]>>, world = linux): RuleSet {
  const rules = (['allow', 'ask', 'deny'] as const).flatMap((behavior) =>
    (lists[behavior] ?? []).map((text) => ({ behavior, text, source: 'projectSettings' })),
  );
  return compileRules(rules, world);
}

const verdict = (set: RuleSet, tool: string, text: string, mode: PermissionMode): Verdict =>
  judge({ tool, input: { [tool === 'Bash' ? 'command' : 'file_path']: text } }, set, mode).verdict;

test('on Windows a path of the drive, and one that a shell writes, lies where it leads', () => {
  const set = setOf({ deny: ['Read(//c/Users/ann/secret.txt)'] }, windows);
  const cases: readonly (readonly [string, string, Verdict])[] = [
    ['Write', '\\Windows\\x.txt', 'ask'],
    ['Write', '/Windows/x.txt', 'ask'],
    ['Write', 'D:x.txt', 'ask'],
    ['Write', 'c:x.txt', 'allow'],
    ['Write', '\\w\\shop\\x.txt', 'allow'],
    ['Read', '\\Users\\ann\\secret.txt', 'deny'],
    ['Read', '/c/Users/ann/other.txt', 'ask'],
    ['Read', '/c/w/shop/a.txt', 'allow'],
    ['Bash', 'cat /c/Users/ann/secret.txt', 'deny'],
    ['Bash', 'cat /c/Users/ann/other.txt', 'ask'],
    ['Bash', 'cat /c/w/shop/a.txt', 'allow'],
    ['Bash', 'touch /c/Users/ann/other.txt', 'ask'],
  ];
  for (const [tool, text, wanted] of cases) {
    assert.equal(verdict(set, tool, text, 'acceptEdits'), wanted, `${tool} ${text}`);
  }
});

test('a rule that may count for what a command runs is told in every mode, and never passed over', () => {
  for (const behavior of ['deny', 'ask'] as const) {
    const set = setOf({ [behavior]: ['Bash(bad:*)'], allow: ['Bash'] });
    for (const mode of ['default', 'bypassPermissions'] as const) {
      for (const line of [
        'sudo -u root bad',
        'a=bad; $a x',
        '{ bad x; }',
        'flock f bad',
        '`x` y',
      ]) {
        assert.equal(verdict(set, 'Bash', line, mode), 'unknown', `${mode} ${line}`);
      }
      assert.equal(verdict(set, 'Bash', 'good x', mode), 'allow', mode);
    }
  }
});
