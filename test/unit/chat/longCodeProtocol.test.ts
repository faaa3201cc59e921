import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DRAWN_LINES, LongCodes } from '../../../src/chat/longCodeProtocol';
import { renderForView, renderMarkdown, splitBlocks } from '../../../src/chat/markdown';

const lines = (count: number): string =>
  Array.from({ length: count }, (_, n) => `line ${n}\n`).join('');

test('of very long code a view gets the beginning, and all of it beside', () => {
  const code = lines(100_000);
  const { html, cuts } = renderForView(`before\n\n\`\`\`ts\n${code}\`\`\`\n\nafter`);
  assert.equal(cuts.length, 1);
  assert.deepEqual([cuts[0]?.code, cuts[0]?.lines], [code, 100_000]);
  assert.match(html, /<pre dir="ltr" class="cut-code"><code class="language-ts">line 0\n/);
  assert.ok(html.includes(`line ${DRAWN_LINES - 1}\n`));
  assert.ok(!html.includes(`line ${DRAWN_LINES}\n`));
  assert.ok(html.includes('<p dir="auto">after</p>'));
});

test('other code is drawn whole, and elsewhere all of it is there', () => {
  assert.deepEqual(renderForView(`\`\`\`\n${lines(2_000)}\`\`\``).cuts, []);
  assert.ok(renderMarkdown(`\`\`\`\n${lines(3_000)}\`\`\``).includes('line 2999'));
});

test('one line that is very long is cut as well', () => {
  const codes = new LongCodes();
  const drawn = codes.cut('x'.repeat(300_000));
  assert.ok(drawn !== undefined && drawn.length < 50_000);
  assert.equal(codes.found[0]?.lines, 1);
  assert.equal(codes.cut('short\n'), undefined);
});

test('a fence that is not closed is one block, whatever stands in it', () => {
  for (const open of ['```ts\na\n\n# b\n', '~~~\na\n\n- b\n\n```\n', '````\n```\nstill\n\nopen']) {
    assert.deepEqual(splitBlocks(open), [open], open);
  }
  assert.deepEqual(splitBlocks('```\na\n```\n\nb'), ['```\na\n```\n\n', 'b']);
  assert.deepEqual(splitBlocks('``` a ``` b\n\nc'), ['``` a ``` b\n\n', 'c'], 'no fence at all');
});
