import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordAt } from '../../../src/webview/suggestWord';

/** The caret is where `|` stands. */
function at(marked: string) {
  const caret = marked.indexOf('|');
  const text = marked.replace('|', '');
  const word = wordAt(text, caret);
  return word && { ...word.query, covers: text.slice(word.start, word.end) };
}

test('a command stands at the start of the message only', () => {
  assert.deepEqual(at('/|'), { kind: 'command', text: '', covers: '/' });
  assert.deepEqual(at('/com|pact'), { kind: 'command', text: 'com', covers: '/compact' });
  assert.deepEqual(at('/notes:pl|'), { kind: 'command', text: 'notes:pl', covers: '/notes:pl' });
  for (const none of ['x /com|', ' /com|', '/etc/ho|', '/e|tc/hosts', '|/com', '\n/com|', 'a/b|']) {
    assert.equal(at(none), undefined, none);
  }
});

test('behind a command its arguments are typed, in the first line', () => {
  const argument = (given: string, text: string, covers = text) => ({
    ...{ kind: 'argument', command: 'plan', given, text, covers },
  });
  assert.deepEqual(at('/plan |'), argument('', ''));
  assert.deepEqual(at('/plan id=mi|lk'), argument('', 'id=mi', 'id=milk'));
  assert.deepEqual(at('/plan id=milk ho|'), argument('id=milk ', 'ho'));
  assert.deepEqual(at('/plan id="buy mi|'), argument('', 'id="buy mi'));
  assert.deepEqual(at('/plan id="buy mi|lk" x'), argument('', 'id="buy mi', 'id="buy milk"'));
  assert.deepEqual(at('/plan id="a b" c|'), argument('id="a b" ', 'c'));
  assert.equal(at('/plan a\nb|'), undefined);
});

test('a mention begins a word, anywhere, and may be quoted', () => {
  assert.deepEqual(at('@|'), { kind: 'mention', text: '', covers: '@' });
  assert.deepEqual(at('see @src/ca|rt.ts now'), {
    kind: 'mention',
    text: 'src/ca',
    covers: '@src/cart.ts',
  });
  assert.deepEqual(at('see\n(@ca|'), { kind: 'mention', text: 'ca', covers: '@ca' });
  assert.deepEqual(at('@"with sp|'), { kind: 'mention', text: 'with sp', covers: '@"with sp' });
  assert.deepEqual(at('@"with sp|ace.md" x'), {
    kind: 'mention',
    text: 'with sp',
    covers: '@"with space.md"',
  });
  assert.deepEqual(at('/plan @ca|'), { kind: 'mention', text: 'ca', covers: '@ca' });
  for (const none of ['me@home|', '@a b|', '@@a|', '@"a b" |', 'x|']) {
    assert.equal(at(none), undefined, none);
  }
});

test('a mention goes on behind the sign of a scope, and ends before the signs of the sentence', () => {
  const mention = (text: string, covers: string) => ({ kind: 'mention', text, covers });
  assert.deepEqual(at('@packages/@ac|'), mention('packages/@ac', '@packages/@ac'));
  assert.deepEqual(at('@packages/@ac|me/ui x'), mention('packages/@ac', '@packages/@acme/ui'));
  for (const behind of [', then', '.', ')', '?)', '; x', '…']) {
    const covers = behind === '…' ? '@ca…' : '@ca';
    assert.deepEqual(at(`(see @ca|${behind}`), mention('ca', covers), behind);
  }
  assert.deepEqual(at('@ca|rt.ts, then'), mention('ca', '@cart.ts'));
});

test('a text without end is no word', () => {
  assert.equal(wordAt(`@${'x'.repeat(400)}`, 401), undefined);
  assert.equal(wordAt(`/${'x'.repeat(400)}`, 401), undefined);
  assert.equal(wordAt('', 0), undefined);
});
