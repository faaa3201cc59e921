import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FiledRule, RuleFiles } from '../../../src/cli/ruleFiles';
import { furtherFolders, rulesInForce } from '../../../src/conversation/rulesInForce';

const filed = (source: FiledRule['source'], behavior: FiledRule['behavior'], text: string) => ({
  ...{ source, behavior, text },
  file: `/${source}.json`,
});
const filesOf = (rules: readonly FiledRule[], more: Partial<RuleFiles> = {}): RuleFiles => ({
  ...{ rules, directories: [], faults: [], isTrusted: false },
  ...more,
});

test('in a folder that the agent does not trust the project’s allow rules are idle, its others count', () => {
  const files = filesOf([
    filed('projectSettings', 'allow', 'Bash(a)'),
    filed('projectSettings', 'deny', 'Bash(b)'),
    filed('localSettings', 'allow', 'Bash(c)'),
    filed('userSettings', 'allow', 'Bash(d'),
  ]);
  const idle = rulesInForce({ listed: undefined, files, given: [], isWorkspaceTrusted: true });
  assert.deepEqual(
    idle.map((rule) => rule.idle?.slice(0, 14)),
    ['Does not count', undefined, undefined, 'Left out by th'],
  );
  const trusted = { ...files, isTrusted: true };
  const [first] = rulesInForce({
    listed: undefined,
    files: trusted,
    given: [],
    isWorkspaceTrusted: true,
  });
  assert.equal(first?.idle, undefined);
});

test('in a workspace that the editor does not trust only the person’s own rules count', () => {
  const files = filesOf(
    [filed('projectSettings', 'deny', 'Bash(b)'), filed('userSettings', 'deny', 'Bash(c)')],
    { isTrusted: true },
  );
  const found = rulesInForce({ listed: undefined, files, given: [], isWorkspaceTrusted: false });
  assert.deepEqual(
    found.map(({ idle }) => idle === undefined),
    [false, true],
  );
});

test('the running agent’s list is believed: its rules count, what it lacks is told as not in force', () => {
  const files = filesOf([
    filed('userSettings', 'deny', 'WebSearch(*)'),
    filed('userSettings', 'allow', 'Bash(new)'),
  ]);
  const listed = [
    { behavior: 'deny', text: 'WebSearch', source: 'userSettings' },
    { behavior: 'allow', text: 'Bash(once)', source: 'session' },
  ] as const;
  const found = rulesInForce({ listed, files, given: [], isWorkspaceTrusted: true });
  assert.deepEqual(
    found.map(({ text, file, idle }) => [text, file, idle !== undefined]),
    [
      ['WebSearch', '/userSettings.json', false],
      ['Bash(once)', undefined, false],
      ['Bash(new)', '/userSettings.json', true],
    ],
  );
});

test('further folders are absolute, and those of a project count with its trust', () => {
  const files = filesOf([], {
    directories: [
      { folder: '~/lib', source: 'userSettings' },
      { folder: '../other', source: 'projectSettings' },
      { folder: '/abs', source: 'localSettings' },
    ],
  });
  const at = { cwd: '/w/shop', home: '/home/ann' };
  assert.deepEqual(furtherFolders({ files, isWorkspaceTrusted: true }, at), [
    '/home/ann/lib',
    '/abs',
  ]);
  const trusted = { ...files, isTrusted: true };
  assert.deepEqual(furtherFolders({ files: trusted, isWorkspaceTrusted: true }, at), [
    '/home/ann/lib',
    '/w/other',
    '/abs',
  ]);
  assert.deepEqual(furtherFolders({ files: trusted, isWorkspaceTrusted: false }, at), [
    '/home/ann/lib',
  ]);
});
