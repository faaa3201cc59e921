import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EditTarget, type EditVerdict, guardEdit } from '../../../src/rules/editGuard';
import { modeText, offeredModes, PERMISSION_MODES, tryParseMode } from '../../../src/rules/modes';

function guard(...targets: (string | Partial<EditTarget>)[]): EditVerdict {
  return guardEdit({
    toolName: 'Write',
    targets: targets.map((target) => {
      const given = typeof target === 'string' ? { path: target } : target;
      const path = given.path ?? '';
      return { path, realPath: given.realPath ?? path, dirtyAs: given.dirtyAs };
    }),
    workspaceRoots: ['/w'],
    planFolder: '/h/.claude/plans',
    platform: 'linux',
  });
}

test('a clean file inside the workspace is left to the usual rules', () => {
  assert.deepEqual(guard('/w/a.ts', '/w/b.ts'), { decision: 'none', reason: '' });
  assert.equal(guard().decision, 'none');
});

test('unsaved changes deny the write, and the model is told what to do', () => {
  const one = guard({ path: '/w/a.ts', dirtyAs: '/w/a.ts' }, '/w/b.ts');
  assert.equal(one.decision, 'deny');
  assert.deepEqual(one.dirtyPaths, ['/w/a.ts']);
  assert.match(
    one.reason,
    /nothing was written: \/w\/a\.ts has unsaved changes.*save or discard.*again/,
  );
  const both = guard(
    { path: '/w/a.ts', dirtyAs: '/w/a.ts' },
    { path: '/w/.git/x', dirtyAs: '/w/.git/x' },
  );
  assert.deepEqual(both.dirtyPaths, ['/w/a.ts', '/w/.git/x']);
  assert.match(both.reason, /\/w\/a\.ts, \/w\/\.git\/x have unsaved changes/);
});

test('protected folders and places outside the workspace ask, with the reason', () => {
  assert.deepEqual(guard('/w/a.ts', '/w/.vscode/tasks.json'), {
    decision: 'ask',
    reason:
      '/w/.vscode/tasks.json lies in .vscode, where a change can run code or alter how the editor works.',
  });
  assert.deepEqual(guard('/etc/hosts'), {
    decision: 'ask',
    reason: '/etc/hosts lies outside the workspace.',
  });
});

test('of several targets that ask one of tool files is told, by its name or by where it leads', () => {
  const place = '/w/.patchbay/tools/a.tool.ts';
  for (const target of [place, { path: '/w/link.ts', realPath: place }, '/w/x/.Patchbay/y']) {
    const verdict = guard('/w/.vscode/tasks.json', target, '/w/b.ts');
    assert.deepEqual([verdict.decision, verdict.isOfToolFiles], ['ask', true]);
    assert.match(verdict.reason, /lies in \.patchbay/);
  }
  assert.equal(guard('/w/.vscode/tasks.json', '/elsewhere/.patchbay/a').isOfToolFiles, undefined);
});

test('a file that shells start with asks, and the reason speaks of the file', () => {
  const { decision, reason } = guard('/w/.zshrc');
  assert.equal(decision, 'ask');
  assert.equal(reason, '/w/.zshrc is read by a program that then runs what stands in it.');
  assert.match(guard({ path: '/w/rc', realPath: '/w/.bashrc' }).reason, /^\/w\/rc is read by/);
});

test('the plan files pass also where the workspace is the home folder, other files of the agent do not', () => {
  const target = (path: string) =>
    guardEdit({
      toolName: 'Write',
      targets: [{ path, realPath: path }],
      workspaceRoots: ['/h'],
      planFolder: '/h/.claude/plans',
      platform: 'linux',
    }).decision;
  assert.equal(target('/h/.claude/plans/calm-deer.md'), 'none');
  assert.equal(target('/h/.claude/settings.json'), 'ask');
});

test('links are judged by where they lead and by what they are called', () => {
  const out = guard({ path: '/w/link/a.ts', realPath: '/elsewhere/a.ts' });
  assert.equal(out.decision, 'ask');
  assert.match(out.reason, /\/w\/link\/a\.ts leads to \/elsewhere\/a\.ts/);
  assert.equal(guard({ path: '/w/x/hook', realPath: '/w/.git/hooks/hook' }).decision, 'ask');
  assert.equal(guard({ path: '/w/.patchbay/a', realPath: '/w/tools/a' }).decision, 'ask');
  assert.equal(guard({ path: '/alias/a.ts', realPath: '/w/a.ts' }).decision, 'none');
});

test('the plan files of the CLI pass, unless an editor holds changes of them', () => {
  const path = '/h/.claude/plans/calm-deer.md';
  assert.equal(guard(path).decision, 'none');
  assert.equal(guard({ path, dirtyAs: path }).decision, 'deny');
  assert.equal(guard({ path, realPath: '/etc/plan.md' }).decision, 'ask');
  assert.equal(guard('/h/.claude/plans/run.sh').decision, 'ask');
  assert.equal(guard('/h/.claude/settings.json').decision, 'ask');
});

test('every mode has its words, and what lets everything through is not offered', () => {
  for (const mode of PERMISSION_MODES) {
    const { label, description } = modeText(mode);
    assert.ok(label.length > 0 && description.endsWith('.'), mode);
  }
  assert.deepEqual(offeredModes(), ['default', 'acceptEdits', 'plan', 'auto']);
  assert.equal(tryParseMode('manual'), 'default');
  assert.equal(tryParseMode('plan'), 'plan');
  for (const odd of ['toString', '', null, 5]) assert.equal(tryParseMode(odd), undefined);
});
