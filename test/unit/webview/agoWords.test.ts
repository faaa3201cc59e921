import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agoWords } from '../../../src/webview/agoWords';

const NOW = Date.UTC(2026, 10, 28, 12);
const ago = (ms: number, language = 'en'): string => agoWords(NOW - ms, NOW, language);

test('how long ago is told in the largest unit that fits, from a week on by the day', () => {
  assert.equal(ago(0), 'just now');
  assert.equal(ago(-5_000), 'just now', 'a clock that is ahead');
  assert.equal(ago(60_000), '1 minute ago');
  assert.equal(ago(59 * 60_000), '59 minutes ago');
  assert.equal(ago(3 * 3_600_000), '3 hours ago');
  assert.equal(ago(86_400_000), 'yesterday');
  assert.equal(ago(6 * 86_400_000), '6 days ago');
  assert.match(ago(8 * 86_400_000), /20.*2026|2026.*20/);
});

test('it is told in the language of the page, and where nobody knows that in the browser’s own', () => {
  assert.equal(ago(3 * 3_600_000, 'de'), 'vor 3 Stunden');
  assert.notEqual(ago(3 * 3_600_000, 'not a language'), '');
});
