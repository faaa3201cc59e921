import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { launchArguments } from '../../src/cli/launchArguments';
import { localSettings, readRuleFiles } from '../../src/cli/ruleFiles';
import { listRules } from '../../src/conversation/listedRules';
import { furtherFolders, rulesInForce } from '../../src/conversation/rulesInForce';
import { judge } from '../../src/rules/judge';
import type { RuleText } from '../../src/rules/permissionRule';
import { compileRules } from '../../src/rules/ruleSet';
import { HIDDEN_GROUPS } from './hiddenRules';
import { OPEN_CALLS, RULE_GROUPS } from './ruleTable';
import { runCli } from '../harness/fakeCli/cliHarness';
import { createRealCliSandbox } from '../harness/model/realCli';
import { createBench } from './conversationBench';
import { createRuleJudge, fill, type JudgedGroup, type RuleGroup } from './ruleVerdicts';

interface Compared {
  readonly call: string;
  readonly cli: string;
  readonly ours: string;
  readonly said: string;
}

let judgeOf: Awaited<ReturnType<typeof createRuleJudge>> | undefined;
const judged = new Map<string, JudgedGroup>();

before(async () => {
  judgeOf = await createRuleJudge();
  const { judge: ask } = judgeOf;
  // Two at once: each is a process of its own.
  const waiting = [...RULE_GROUPS, ...HIDDEN_GROUPS];
  const work = async (): Promise<void> => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      judged.set(group.name, await ask(group));
    }
  };
  await Promise.all([work(), work()]);
});
after(() => judgeOf?.close());

const factsOf = (group: RuleGroup, { files }: JudgedGroup) => ({
  listed: undefined,
  files,
  given: (group.args ?? []).flatMap((arg): RuleText[] => {
    const [, not, list = ''] = /^--(dis)?allowedTools=(.*)$/.exec(arg) ?? [];
    const behavior = not === undefined ? 'allow' : 'deny';
    return list.split(',').map((text) => ({ behavior, text, source: 'cliArg' }));
  }),
  isWorkspaceTrusted: true,
});

function compare(group: RuleGroup): readonly Compared[] {
  const found = judged.get(group.name);
  assert.ok(found, group.name);
  const { home, workspace: cwd } = found.sandbox;
  const facts = factsOf(group, found);
  const rules = rulesInForce(facts).filter(({ idle }) => idle === undefined);
  const set = compileRules(rules, {
    ...{ cwd, home, platform: process.platform },
    furtherFolders: furtherFolders(facts, { cwd, home }),
  });
  return group.rounds.flatMap(({ mode, calls }, round) =>
    fill(calls, found.sandbox).map(({ tool, input }, index) => {
      const cli = found.verdicts[round]?.[index];
      const named = [input.command, input.file_path, input.url].find(
        (one) => typeof one === 'string',
      );
      return {
        call: `${mode} ${tool} ${named ?? ''}`,
        cli: cli?.verdict ?? 'nothing',
        ours: judge({ tool, input }, set, mode).verdict,
        said: cli?.said ?? '',
      };
    }),
  );
}

test('what hides a command or a file is never called allowed, or forbidden, where the CLI says otherwise', () => {
  const all = HIDDEN_GROUPS.flatMap(compare);
  assert.ok(all.length >= 400, `${all.length} cases`);
  assert.deepEqual(
    all.filter(({ cli, ours }) => ours !== 'unknown' && cli !== ours),
    [],
  );
});

test('our verdicts are those of the real CLI, but for a few that are told as open', () => {
  const all = RULE_GROUPS.flatMap(compare);
  assert.ok(all.length >= 60, `${all.length} cases`);
  const open = all.filter(({ ours }) => ours === 'unknown');
  const differing = all.filter(({ cli, ours }) => ours !== 'unknown' && cli !== ours);
  assert.deepEqual(differing, []);
  const texts = open.map(({ call }) => call.replace(/^\S+ \S+ /, '')).sort();
  assert.deepEqual(texts, Object.keys(OPEN_CALLS).sort());
  assert.ok(open.length < all.length / 10, `${open.length} of ${all.length} are open`);
  const kinds = new Set(all.map(({ cli }) => cli));
  assert.deepEqual([...kinds].sort(), ['allow', 'ask', 'deny']);
});

test('the rules that we read from the files are those that the running CLI lists', () => {
  for (const group of RULE_GROUPS) {
    const found = judged.get(group.name);
    assert.ok(found);
    const words = ({ behavior, source, text }: RuleText): string =>
      `${source} ${behavior} ${text.replace('(*)', '')}`;
    const ours = rulesInForce(factsOf(group, found)).filter(({ idle }) => idle === undefined);
    assert.deepEqual(ours.map(words).sort(), found.listed.map(words).sort(), group.name);
  }
});

test('what the CLI leaves out is told with the reason', () => {
  const group = RULE_GROUPS.find(({ name }) => name === 'untrusted');
  const found = group && judged.get(group.name);
  assert.ok(found);
  const idleOf = (listed: readonly RuleText[] | undefined): readonly string[] =>
    rulesInForce({ ...factsOf(group, found), listed })
      .filter(({ idle }) => idle !== undefined)
      .map(({ text }) => text)
      .sort();
  const expected = ['Bash(broken', 'Bash(p1)', 'Read(//etc/hosts)', 'mcp__mail__read(x)'];
  assert.deepEqual(idleOf(undefined), expected);
  assert.deepEqual(idleOf(found.listed), expected);
});

test('in a folder of a repository, in a worktree and in UTF-16 the files are those that the CLI reads', async () => {
  const sandbox = await createRealCliSandbox({ modelUrl: 'http://127.0.0.1:9' });
  const { home, workspace: base, env } = sandbox;
  const [repo, tree] = [path.join(base, 'repo'), path.join(base, 'tree')];
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x.invalid', ...args], {
      cwd: repo,
      env: { ...process.env, HOME: home },
    });
  const put = async (folder: string, name: string, rule: string, encoding: BufferEncoding) => {
    await mkdir(path.join(folder, '.claude'), { recursive: true });
    const text = `\uFEFF${JSON.stringify({ permissions: { deny: [rule] } })}`;
    await writeFile(path.join(folder, '.claude', name), text, encoding);
  };
  const words = ({ source, behavior, text }: RuleText) => `${source} ${behavior} ${text}`;
  const check = async (folder: string): Promise<readonly string[]> => {
    const args = launchArguments({ trusted: true });
    const running = await runCli({ command: sandbox.command, cwd: folder, env, args });
    try {
      await running.session.initialize({});
      const listed = ((await listRules(running.session)) ?? []).map(words).sort();
      const ours = await readRuleFiles({ env, home, folder, platform: process.platform });
      assert.deepEqual(ours.rules.map(words).sort(), listed, folder);
      return listed;
    } finally {
      await running.session.dispose();
    }
  };
  try {
    await mkdir(path.join(repo, 'sub'), { recursive: true });
    await writeFile(path.join(repo, 'sub/x'), 'x');
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'x');
    git('worktree', 'add', '-q', tree);
    await put(home, 'settings.json', 'Read(wide)', 'utf16le');
    await put(repo, 'settings.json', 'Read(shared)', 'utf8');
    await put(repo, 'settings.local.json', 'Read(root)', 'utf8');
    for (const folder of [path.join(repo, 'sub'), tree]) {
      assert.equal(localSettings(folder), path.join(repo, '.claude/settings.local.json'));
      await put(folder, 'settings.local.json', 'Read(own)', 'utf8');
    }
    for (const folder of [repo, path.join(repo, 'sub'), tree, path.join(tree, 'sub')]) {
      const listed = await check(folder);
      assert.ok(listed.includes('localSettings deny Read(root)'), folder);
      assert.ok(listed.includes('userSettings deny Read(wide)'), folder);
    }
    await rm(path.join(repo, '.git'), { recursive: true });
    assert.ok(!(await check(path.join(repo, 'sub'))).includes('localSettings deny Read(root)'));
  } finally {
    await sandbox.cleanup();
  }
});

test('a conversation tells the rules of its agent once that runs', async () => {
  const bench = await createBench({
    files: { '.claude/settings.json': JSON.stringify({ permissions: { deny: ['Read(k.txt)'] } }) },
    settings: { allowedTools: ['Bash(given)'] },
  });
  try {
    assert.equal(await bench.conversation.rules(), undefined);
    await bench.prompt('hello');
    await bench.until('the answer', ({ items }) => items.some(({ kind }) => kind === 'assistant'));
    const rules = await bench.conversation.rules();
    const words = (rules ?? []).map(
      ({ behavior, source, text }) => `${source} ${behavior} ${text}`,
    );
    assert.ok(words.includes('projectSettings deny Read(k.txt)'), words.join());
    assert.ok(words.includes('cliArg allow Bash(given)'), words.join());
  } finally {
    await bench.dispose();
  }
});
