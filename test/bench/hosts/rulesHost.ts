// Row 21: a verdict over two thousand rules.
import { performance } from 'node:perf_hooks';
import { judge, type JudgedCall } from '../../../src/rules/judge';
import type { RuleText } from '../../../src/rules/permissionRule';
import { compileRules } from '../../../src/rules/ruleSet';
import { quantile } from '../statistics';

export interface RulesReport {
  /** Taking the rules apart, in milliseconds. */
  readonly compileMs: number;
  /** One verdict, in milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly rules: number;
  /** Verdicts by their kind, so that a judge that says nothing is seen. */
  readonly verdicts: Readonly<Record<string, number>>;
}

const KINDS: readonly ((i: number) => string)[] = [
  (i) => `Bash(tool${i} run:*)`,
  (i) => `Bash(make target${i} *)`,
  (i) => `Bash(git * branch${i})`,
  (i) => `Bash(exact command ${i})`,
  (i) => `Read(**/secret${i}/*.key)`,
  (i) => `Read(//srv/data${i}/**)`,
  (i) => `Edit(./generated${i}/**)`,
  (i) => `WebFetch(domain:*.host${i}.example)`,
  (i) => `mcp__server${i}__*`,
  (i) => `Skill(skill${i})`,
];
const BEHAVIORS = ['deny', 'ask', 'allow'] as const;
const RULES = 2_000;
const TIMES = 4_000;

const rules: RuleText[] = [];
for (let i = 0; i < RULES; i += 1) {
  const text = KINDS[i % KINDS.length]?.(i) ?? '';
  rules.push({ behavior: BEHAVIORS[i % 3] ?? 'deny', text, source: 'userSettings' });
}
const bash = (command: string): JudgedCall => ({ tool: 'Bash', input: { command } });
const calls: readonly JudgedCall[] = [
  bash('npm test -- --watch && git status | head -5'),
  bash('FOO=1 timeout 5 node build.mjs; cat src/deep/file.ts > out.txt'),
  { tool: 'Read', input: { file_path: 'src/deep/in/the/tree/file.ts' } },
  { tool: 'Write', input: { file_path: '/work/shop/src/cart/calcTotal.ts' } },
  { tool: 'WebFetch', input: { url: 'https://docs.example.org/a/b' } },
  { tool: 'mcp__notes__search', input: { query: 'x' } },
];
const start = performance.now();
const set = compileRules(rules, { cwd: '/work/shop', home: '/home/ann', platform: 'linux' });
const compileMs = performance.now() - start;
// What is asked once is not yet fast; a person does not notice that.
for (const call of calls) for (let i = 0; i < 100; i += 1) judge(call, set, 'default');
const times: number[] = [];
const verdicts: Record<string, number> = {};
for (let i = 0; i < TIMES; i += 1) {
  const call = calls[i % calls.length];
  if (call === undefined) continue;
  const from = performance.now();
  const { verdict } = judge(call, set, 'default');
  times.push(performance.now() - from);
  verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
}
const report: RulesReport = {
  compileMs,
  p50Ms: quantile(times, 0.5),
  p99Ms: quantile(times, 0.99),
  rules: rules.length,
  verdicts,
};
process.stdout.write(JSON.stringify(report));
