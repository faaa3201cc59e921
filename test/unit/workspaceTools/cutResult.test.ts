import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallToolResult, ContentBlock } from '../../../src/mcp/wire';
import { cutResult } from '../../../src/workspaceTools/cutResult';

const LIMIT = 50_000;
const X = 'x'.repeat(5_000_000);

async function cut(content: readonly ContentBlock[], more: Partial<CallToolResult> = {}) {
  const kept: string[] = [];
  const result = await cutResult({ content, ...more }, LIMIT, (whole) => {
    kept.push(String(whole));
    return Promise.resolve(`/kept/${kept.length}`);
  });
  return { result, kept, size: JSON.stringify(result).length };
}

const embedded = (uri: string, text: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, text },
});
const link = (index: number): ContentBlock => ({
  type: 'resource_link',
  uri: `file:///x/${index}`,
  name: `n${index}`,
  description: 'd'.repeat(100),
});
const image: ContentBlock = { type: 'image', data: 'AQI=', mimeType: 'image/png' };

const long: readonly (readonly [what: string, content: readonly ContentBlock[], part: string])[] = [
  ['a text', [{ type: 'text', text: X }], X],
  ['an embedded text', [embedded('a:b', X)], X],
  ['a huge embedded text', [embedded('a:b', X.repeat(3))], X.repeat(3)],
  [
    'many embedded texts',
    Array.from({ length: 2_000 }, (_, i) => embedded(`a:${i}`, 'y'.repeat(99))),
    'a:1999\nyyy',
  ],
  ['many links', Array.from({ length: 20_000 }, (_, i) => link(i)), 'file:///x/19999 n19999 ddd'],
  [
    'one long link',
    [{ type: 'resource_link', uri: 'a:b', name: 'n', description: X }],
    `a:b n ${X}`,
  ],
  [
    'the address of data',
    [{ type: 'resource', resource: { uri: `a:${X}`, blob: 'AQI=' } }],
    `a:${X}`,
  ],
  [
    'something of each kind',
    [{ type: 'text', text: 'first' }, embedded('a:b', X), link(1)],
    'file:///x/1 n1 d',
  ],
];
for (const [what, content, part] of long) {
  test(`a result that is too long by ${what} is cut, and the whole is kept`, async () => {
    const { result, kept, size } = await cut([...content, image]);
    assert.ok(size < 2 * LIMIT, String(size));
    assert.equal(kept.length, 1);
    assert.ok(kept[0]?.includes(part));
    const last = result.content.at(-1);
    assert.match(last?.type === 'text' ? last.text : '', /was cut.* The whole is in \/kept\/1\]$/);
    assert.ok(result.content.includes(image), 'a picture stays');
  });
}

test('the beginning of what is cut is given, of whatever kind it is', async () => {
  const { result } = await cut([{ type: 'text', text: 'first' }, link(7), embedded('a:b', X)]);
  const [first, second, third] = result.content;
  assert.deepEqual([first, second], [{ type: 'text', text: 'first' }, link(7)]);
  const text = third?.type === 'resource' ? (third.resource.text ?? '') : '';
  assert.ok(text.length > LIMIT - 1_000 && text.length < LIMIT, String(text.length));
});

test('what fits stays as it is, and so do blocks beside an object that fits', async () => {
  const blocks = [embedded('a:b', 'x'.repeat(40_000)), link(1), image];
  assert.deepEqual((await cut(blocks)).result, { content: blocks });
  const more = { structuredContent: { a: 1 } };
  assert.deepEqual((await cut(blocks, more)).result, { content: blocks, ...more });
});

test('beside an object that is too long nothing of the other blocks is lost', async () => {
  const content = [{ type: 'text' as const, text: '{}' }, embedded('a:b', X), link(3)];
  const all = { structuredContent: { all: X } };
  const { kept, size } = await cut([...content, image], all);
  assert.ok(size < 2 * LIMIT, String(size));
  const [json = '', uri, text, last] = (kept[0] ?? '').split('\n');
  assert.deepEqual([JSON.parse(json), uri, text], [all.structuredContent, 'a:b', X]);
  assert.match(last ?? '', /^file:...x.3 n3/);
  assert.deepEqual((await cut([content[0]!, image], all)).kept, [json]);
});
