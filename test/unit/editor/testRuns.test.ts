import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { type TestRun, TestRuns } from '../../../src/editor/testRuns';

const SHOP = path.resolve('/work/my shop');
const at = (name: string, exitCode: number, more: Partial<TestRun> = {}): TestRun => ({
  ...{ kind: 'command', name, folder: SHOP, exitCode, ...more },
});

function bookOf(...runs: readonly (TestRun | undefined)[]): TestRuns {
  const book = new TestRuns();
  for (const run of runs) book.ended(run);
  return book;
}
const nameIn = (book: TestRuns, folder = SHOP): string | undefined => book.failedIn(folder)?.name;

test('the last run that failed is told, and forgotten once the same passes', () => {
  const book = bookOf(at('npm test', 1), at('npx vitest', 1), undefined);
  assert.deepEqual(book.failedIn(SHOP), {
    ...{ kind: 'command', name: 'npx vitest', below: undefined, exitCode: 1 },
  });
  book.ended(at('npx vitest', 0));
  assert.equal(nameIn(book), 'npm test');
  book.ended(at('npm test', 0, { kind: 'task' }));
  assert.equal(nameIn(book), 'npm test');
  book.ended(at('npm test', 0, { folder: path.join(SHOP, 'a') }));
  assert.equal(nameIn(book), 'npm test');
  book.ended(at('npm test', 0));
  assert.equal(nameIn(book), undefined);
});

test('all tests that pass say it for a part of them, and a part not for all', () => {
  const book = bookOf(at('npm test', 1), at('npm test -- cart', 1), at('npm test -- cart', 0));
  assert.equal(nameIn(book), 'npm test');
  book.ended(at('npm test -- cart', 2));
  book.ended(at('npm test', 0));
  assert.equal(nameIn(book), undefined);
});

test('an end that says nothing of the tests changes nothing', () => {
  const book = bookOf(at('pytest', 127), at('pytest', 130));
  assert.equal(nameIn(book), undefined);
  book.ended(at('pytest', 1));
  book.ended(at('pytest', 143));
  assert.equal(nameIn(book), 'pytest');
});

test('a run is told in its folder and above it, with where it ran, and nowhere else', () => {
  const book = bookOf(at('npm test', 1, { folder: path.join(SHOP, 'packages', 'a') }));
  assert.equal(book.failedIn(SHOP)?.below, 'packages/a');
  assert.equal(nameIn(book, path.join(SHOP, 'packages', 'a')), 'npm test');
  assert.equal(nameIn(book, path.join(SHOP, 'packages', 'ab')), undefined);
  assert.equal(nameIn(book, path.resolve('/work/..garden')), undefined);
  book.ended(at('npm: test', 1, { kind: 'task', folder: undefined }));
  assert.equal(nameIn(book, path.resolve('/work/garden')), 'npm: test');
});

test('it is told on one line, without what looks like a secret', () => {
  const book = bookOf(at(`API_TOKEN=abcdef123 npm test\n-- ${'x'.repeat(500)}`, 1));
  const name = nameIn(book) ?? '';
  assert.ok(name.startsWith('API_TOKEN=… npm test -- x'), name);
  assert.ok(name.length <= 120, name);
});

test('whoever listens hears of a change, and of nothing else', () => {
  let told = 0;
  const book = new TestRuns();
  book.onDidChange(() => (told += 1));
  const runs = [at('a', 0), at('a', 1), at('b', 0), at('a', 130), undefined, at('a', 0)];
  const seen = runs.map((run) => {
    book.ended(run);
    return told;
  });
  assert.deepEqual(seen, [0, 1, 1, 1, 1, 2]);
  for (let i = 0; i < 500; i += 1) book.ended(at(`npm test -- ${i}`, 1));
  for (let i = 499; i >= 480; i -= 1) book.ended(at(`npm test -- ${i}`, 0));
  assert.equal(nameIn(book), undefined);
});
