import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOfState } from '../../../src/host/placeIds';
import { fixProblemsPrompt, MAX_PROBLEMS, quoteSelection } from '../../../src/host/promptTexts';
import { createRefusedConversation } from '../../../src/host/refusedConversation';
import { makeSuggestions } from '../../../src/host/suggestionTexts';
import { chatHtml, failureHtml } from '../../../src/host/webviewHtml';

test('a selection is quoted with its place and a fence', () => {
  const quote = { path: 'src/a.ts', from: 3, to: 4, language: 'typescript', text: 'a\r\nb\n' };
  assert.equal(quoteSelection(quote), 'src/a.ts:3-4\n```typescript\na\nb\n```\n\n');
  assert.ok(quoteSelection({ ...quote, to: 3 }).startsWith('src/a.ts:3\n'));
});

test('the fence is longer than any in the selection', () => {
  const quote = { path: 'a.md', from: 1, to: 3, language: '', text: '````\nx\n````' };
  assert.equal(quoteSelection(quote), 'a.md:1-3\n`````\n````\nx\n````\n`````\n\n');
});

test('the prompt for problems names the file and the worst first, and counts the rest', () => {
  const warning = {
    line: 2,
    column: 1,
    severity: 'warning',
    message: 'unused',
    source: 'ts',
  } as const;
  const error = { line: 9, column: 5, severity: 'error', message: 'no number' } as const;
  assert.equal(
    fixProblemsPrompt('src/a.ts', [warning, error]),
    'Fix these 2 problems in src/a.ts:\n\n9:5 error no number\n2:1 warning unused [ts]',
  );
  assert.match(fixProblemsPrompt('a.ts', [error]), /^Fix this problem in a\.ts:/);
  const many = Array.from({ length: MAX_PROBLEMS + 7 }, () => error);
  assert.match(fixProblemsPrompt('a.ts', many), /\n… and 7 more$/);
});

test('the offers of the empty state are what the editor knows, and none without it', () => {
  assert.deepEqual(makeSuggestions({ problemFiles: [], dirtyFiles: [] }), []);
  const [problem, dirty] = makeSuggestions({
    problemFiles: [{ path: 'src/pricing.ts', counts: { error: 2, warning: 1 } }],
    dirtyFiles: [{ path: 'src/a.ts' }, { path: 'b.ts' }],
  });
  assert.equal(problem?.title, 'Fix 3 problems in pricing.ts');
  assert.equal(problem.prompt, 'Fix the problems in src/pricing.ts.');
  assert.equal(dirty?.detail, 'a.ts, b.ts');
});

test('the offers of the empty state are of each kind, however many files have problems', () => {
  const problemFiles = ['a', 'b', 'c', 'd'].map((path) => ({
    path,
    counts: { error: 1, warning: 0 },
  }));
  const ids = (dirtyFiles: readonly { readonly path: string }[], changedFiles: number) =>
    makeSuggestions({ problemFiles, dirtyFiles, changedFiles }).map(({ id }) => id);
  assert.deepEqual(ids([], 0), ['problems:a', 'problems:b', 'problems:c']);
  assert.deepEqual(ids([{ path: 'x' }], 2), ['problems:a', 'dirty', 'changes']);
  const [changes] = makeSuggestions({ problemFiles: [], dirtyFiles: [], changedFiles: 2 });
  assert.equal(changes?.detail, '2 files');
  assert.match(changes.prompt, /@git:changes$/);
});

test('a failing run of tests is offered with where it ran, and has a place among the others', () => {
  const failed = { kind: 'command', name: 'npm test', below: undefined, exitCode: 1 } as const;
  const none = { problemFiles: [], dirtyFiles: [] };
  const [plain] = makeSuggestions({ ...none, failedTests: failed });
  assert.deepEqual(plain, {
    id: 'tests',
    icon: 'beaker',
    title: 'Fix the failing test run: npm test',
    detail: 'exit code 1',
    prompt: 'Fix the failing test run: npm test (exit code 1).',
  });
  const name = `npx vitest ${'x'.repeat(90)}`;
  const [long] = makeSuggestions({
    ...none,
    failedTests: { kind: 'task', name, below: 'packages/a', exitCode: 3 },
  });
  assert.ok(long && long.title.length < 100 && long.title.endsWith('x…'), long?.title);
  assert.equal(long.detail, 'exit code 3, in packages/a');
  assert.ok(long.prompt.endsWith(`: the task "${name}" (exit code 3, run in packages/a).`));
  const counts = { error: 1, warning: 0 };
  const all = makeSuggestions({
    problemFiles: ['a', 'b'].map((path) => ({ path, counts })),
    dirtyFiles: [{ path: 'x' }],
    changedFiles: 2,
    failedTests: failed,
  });
  assert.deepEqual(
    all.map(({ id }) => id),
    ['problems:a', 'tests', 'dirty'],
  );
});

test('the page of the chat allows its own script by nonce and nothing unsafe', () => {
  const html = chatHtml({
    cspSource: 'https://x.test',
    nonce: 'abc',
    script: 'https://x.test/a.js?"<',
    styles: ['https://x.test/a.css'],
    language: 'de',
    title: 'Patchbay',
    place: 'tab-"1',
  });
  const policy = /Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? '';
  assert.match(policy, /^default-src 'none'; /);
  assert.match(policy, /script-src 'nonce-abc'/);
  // Pictures that the page's own script makes, and nothing that is loaded.
  assert.match(policy, /img-src https:\/\/x\.test blob:;/);
  assert.doesNotMatch(policy, /unsafe|\*|data:|http:/);
  assert.doesNotMatch(html, / style=| on\w+=|<style/);
  assert.match(html, /src="https:\/\/x\.test\/a\.js\?&quot;&lt;"/);
  assert.match(html, /data-place="tab-&quot;1"/);
});

test('the page of a failure says the reason as text and runs nothing', () => {
  const html = failureHtml({
    language: 'en',
    title: 'Patchbay',
    message: 'The chat could not be loaded',
    details: '<img src=x onerror=alert(1)>',
    links: [{ command: 'patchbay.showLog', label: 'Show log' }],
  });
  assert.match(html, /content="default-src 'none'"/);
  assert.match(html, /&lt;img src=x onerror=alert\(1\)&gt;/);
  assert.match(html, /href="command:patchbay\.showLog"/);
  assert.doesNotMatch(html, /<script|<img/);
});

test('a refused conversation says why, and keeps what is submitted with the person', () => {
  const refused = createRefusedConversation({ message: 'No disk here', next: 'Open a folder' });
  const [item] = refused.snapshot().items;
  assert.ok(item?.kind === 'error');
  assert.deepEqual([item.message, item.next], ['No disk here', 'Open a folder']);
  assert.deepEqual(refused.submit('p1', 'x'), { accepted: false, reason: 'No disk here' });
  refused.setFields({ notice: 'n' });
  assert.equal(refused.snapshot().notice, 'n');
});

test('a restored tab finds its place in its state, and nothing else is taken for one', () => {
  assert.equal(placeOfState({ place: 'tab-1f-2' }), 'tab-1f-2');
  for (const state of [
    undefined,
    null,
    'tab-1',
    { place: 7 },
    { place: 'window' },
    { place: 'tab-../x' },
  ]) {
    assert.equal(placeOfState(state), undefined);
  }
});
