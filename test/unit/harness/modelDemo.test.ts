import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { QUESTIONS } from '../../harness/model/demoAnswers';
import { demoScript, namedPlanFile, PLANTED, symbolIn } from '../../harness/model/demoScript';
import type { Message, ToolResult, Turn } from '../../harness/model/script';
import { inRoot } from '../../harness/paths';

function turn(prompt: string, results: readonly ToolResult[] = []): Turn {
  const context = ' - Primary working directory: /w/my shop\n - Is a git repository: false';
  return { prompt, results, asides: [], step: results.length, tools: [], context };
}

function result(name: string, text: string, isError = false): ToolResult {
  return { id: name, name, input: {}, text, isError };
}

function wordsOf(reply: Message): string {
  return reply.steps.map((step) => (step.kind === 'text' ? step.text : '')).join('');
}

function callOf(reply: Message): readonly [string, object] | undefined {
  const call = reply.steps.find((step) => step.kind === 'toolUse');
  return call?.kind === 'toolUse' ? [call.name, call.input] : undefined;
}

const CALLS: readonly (readonly [string, string, object])[] = [
  ['which errors are in my open files?', 'mcp__code__diagnostics', { path: 'open' }],
  ['Are there any problems?', 'mcp__code__diagnostics', {}],
  ['which files are open?', 'mcp__editor__open_editors', {}],
  ['what is in my open tabs', 'mcp__editor__open_editors', {}],
  ['where is calcTotal defined?', 'mcp__code__symbols', { query: 'calcTotal' }],
  ['find symbol Catalog', 'mcp__code__symbols', { query: 'Catalog' }],
  ['show me src/cart.ts', 'mcp__editor__read_buffer', { path: 'src/cart.ts' }],
  ['fix the type error', 'mcp__code__diagnostics', { severity: 'error', full: true }],
  ['ask me something', 'AskUserQuestion', QUESTIONS],
  ['please run the tests', 'Bash', { command: 'npm test', description: 'Run the tests' }],
];

for (const [prompt, name, input] of CALLS) {
  test(`the demo answers "${prompt}" with a call of ${name}`, () => {
    assert.deepEqual(callOf(demoScript(turn(prompt))), [name, input]);
  });
}

test('an answer quotes what the tool really said', () => {
  const said = `1 error\nsrc/report.ts\n 12:9 error ${PLANTED.message} [ts 2322]`;
  const reply = demoScript(turn('which errors?', [result('mcp__code__diagnostics', said)]));
  assert.ok(wordsOf(reply).includes(said));
  assert.match(wordsOf(reply), /fix the type error/);
});

test('a quoted result with code fences in it stays inside its own fence', () => {
  const reply = demoScript(
    turn('read a.md', [result('mcp__editor__read_buffer', '```ts\nx\n```')]),
  );
  assert.match(wordsOf(reply), /````text\n```ts\nx\n```\n````/);
});

test('the fix edits the planted error by the absolute path of the folder that the CLI told', () => {
  const found = result('mcp__code__diagnostics', `src/report.ts\n 12:9 error ${PLANTED.message}`);
  assert.deepEqual(callOf(demoScript(turn('fix it', [found]))), [
    'Edit',
    {
      file_path: '/w/my shop/src/report.ts',
      old_string: PLANTED.before,
      new_string: PLANTED.after,
    },
  ]);
});

test('the sample holds the planted text exactly once', () => {
  const source = readFileSync(inRoot('test/fixtures/sample', PLANTED.file), 'utf8');
  assert.equal(source.split(PLANTED.before).length, 2);
});

test('without the planted error the fix changes nothing and says so', () => {
  const reply = demoScript(turn('fix it', [result('mcp__code__diagnostics', 'no problems')]));
  assert.equal(callOf(reply), undefined);
  assert.match(wordsOf(reply), /only know how to mend/);
});

test('a refused edit is told as it was refused', () => {
  const found = result('mcp__code__diagnostics', PLANTED.message);
  const reply = demoScript(turn('fix it', [found, result('Edit', 'not today', true)]));
  assert.match(wordsOf(reply), /was not made[\s\S]*not today/);
});

test('a long answer holds headings, a list, a table and code', () => {
  const words = wordsOf(demoScript(turn('explain the shop at length')));
  assert.match(words, /^# /m);
  assert.match(words, /^- /m);
  assert.match(words, /^\| --- \|/m);
  assert.match(words, /^```ts$/m);
  assert.ok(words.length > 2000);
});

test('anything else is answered by what one can ask', () => {
  assert.match(wordsOf(demoScript(turn('hello'))), /offline scripted model/);
});

test('a symbol is found in backticks, in camel case or after "where is"', () => {
  assert.equal(symbolIn('where is `Cart` used'), 'Cart');
  assert.equal(symbolIn('and formatMoney, where does it live?'), 'formatMoney');
  assert.equal(symbolIn('where is the class catalog'), 'catalog');
});

test('the plan file is found in what the CLI tells, also where its folder has blanks', () => {
  for (const file of [
    '/tmp/my home ü/.claude/plans/say-hi.md',
    '/h/.claude/plans/say-hi.md',
    'C:\\Users\\A B\\.claude\\plans\\say-hi.md',
  ]) {
    const told = `Read and/or plan.\nNo plan file exists yet. Create your plan at ${file} by Write.`;
    assert.equal(namedPlanFile(told), file);
    assert.equal(namedPlanFile(`See "${file}"`), file);
  }
  assert.equal(namedPlanFile('There is none in /plans.'), undefined);
});
