import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { renderMarkdown, splitBlocks, withoutOpenRule } from '../../../src/chat/markdown';
import { linkKind, linkTarget } from '../../../src/chat/markdownLinks';

const CORPUS = [
  '# Title\n\nFirst paragraph\nwith a second line.\n\n- one\n- two\n  - deep\n\n  more\n\n1. a\n\n2. b\n\nend\n',
  'Text\n```ts\nconst a = 1;\n\nconst b = `x`;\n```\nafter\n\n~~~\nopen fence\n\nstill open',
  '| a | b |\n|:--|--:|\n| 1 | 2 |\n| 3 | 4 |\n\nafter\n| x | y |\n|---|---|\n| 1 | 2 |\n',
  'para\n# heading\n***\npara\n---\n> quote\nlazy\n\n> other\n\n    code\n\n    more code\n\ntext',
  '* a\n* b\n\n\n* c\n+ d\n1) x\n2) y\n3. z\n\n-\n\n- q',
  'Line\r\nnext\r\n\r\n- a\r\n- b\r\n\r\n```\r\ncode\r\n```\r\n\rlone',
  '- [ ] open\n- [x] done\n\n**bold *both*** `code` ~~gone~~ https://example.com/a_b and a.rs\n',
  '\n\n   \n\tindented\n\nשלום world\n\n> - a\n>   b\n>\n> ```\n> x\n\nout',
  String.raw`Sum $a*b*c$ and \(x_1 < y\)` + '\n\n$$\na \\\\\n*b*\n$$ and $5\n\n- \\[ z',
  'x\n| a | b |\n|--|--|z\nmore\n\n10. a\n\n   b\n\n    c\n\n2\n',
  '* \n\n* **- a\n\n* **b\n\n* * *c\n\n- d\n\n- --\te\n\n- - -\n\n* **\n\nf',
  '- \n| a | b |\r\n|--|--|\n\n* \n\n\n* ***\n\n- \n\n* **',
];

function renderByBlock(text: string): string {
  return splitBlocks(text).map(renderMarkdown).join('');
}

function checkCuts(text: string): void {
  let before: string[] = [];
  let settledLength = 0;
  let settledBlocks: string[] = [];
  for (let end = 1; end <= text.length; end += 1) {
    const part = text.slice(0, end);
    const blocks = splitBlocks(part);
    assert.equal(blocks.join(''), part);
    assert.equal(blocks.map(renderMarkdown).join(''), renderMarkdown(part), JSON.stringify(part));
    const settled = before.slice(0, -1);
    assert.deepEqual(blocks.slice(0, settled.length), settled, JSON.stringify(part));
    before = blocks;
    // As the webview does it: only from the last block on.
    const tail = splitBlocks(part.slice(settledLength));
    assert.deepEqual([...settledBlocks, ...tail], blocks, JSON.stringify(part));
    settledBlocks = blocks.slice(0, -1);
    settledLength = part.length - (blocks.at(-1)?.length ?? 0);
  }
}

test('cut at every character, blocks join to the text, render as the whole, and only the last changes', () => {
  for (const text of CORPUS) checkCuts(text);
});

test('the same holds for random markdown', () => {
  const piece = fc.constantFrom(
    ...[
      '- ',
      '* ',
      '1. ',
      '2',
      '2. ',
      '# ',
      '#',
      '> ',
      '```',
      '```\n',
      '~~~',
      '---',
      '-',
      '*',
      '***',
      '| a | b |',
    ],
    ...[
      '\n',
      '\n\n',
      '    ',
      '  ',
      '\t',
      'word ',
      'x',
      '|--|--|',
      '===',
      '`',
      '**',
      '_',
      '[a](b)',
      '\r\n',
      '$$',
      '\\[\n',
    ],
  );
  const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
  fc.assert(fc.property(text, checkCuts), { numRuns: 150 });
});

test('what only looks like a definition of links, as in code, leaves the blocks apart', () => {
  const text = 'One.\n\n```ts\ninterface A {\n  [key: string]: string;\n}\n```\n\nTwo.\n';
  checkCuts(text);
  assert.equal(splitBlocks(text).length, 3);
  checkCuts('One.\n\n- [note]:\n\n- [x] a: b\n\nTwo.');
});

test('signs of money and of variables are no formulas, and leave the markdown between them', () => {
  for (const [text, html] of [
    ['**$HOME** and **$PATH**', '<strong>$HOME</strong> and <strong>$PATH</strong>'],
    ['_$a_ and _$b_', '<em>$a</em> and <em>$b</em>'],
    ['[$a](https://a.example) or *$b*', 'example">$a</a> or <em>$b</em>'],
    ['$5 *or* $6', '$5 <em>or</em> $6'],
    ['$a*b*c$ and $x_1$.', '$a*b*c$ and $x_1$.'],
  ] as const) {
    assert.ok(renderMarkdown(text).includes(html), renderMarkdown(text));
  }
});

test('a formula of several lines stands as it was written, whatever its lines begin with', () => {
  for (const lines of [
    ['$$', 'a', '+ b', '- c', '$$'],
    ['$$', 'a', '= b', '==', '$$'],
    ['\\[', '# x', '1. y', '> z', '    | d', '\\]'],
    ['$$', '*a* < b', 'c $$'],
  ]) {
    const text = `So:\n${lines.join('\n')}\n\n- after`;
    checkCuts(text);
    const drawn = lines.map((line) => line.replace('<', '&lt;').replace('>', '&gt;').trim());
    const html = renderMarkdown(text).replace(/<br>\n\s*/g, '<br>\n');
    assert.ok(html.includes(`<p dir="auto">${drawn.join('<br>\n')}</p>`), html);
    assert.equal(html.match(/<li/g)?.length, 1);
  }
});

test('a text with link definitions is one block, so that its links are found', () => {
  const text = 'see [docs][1]\n\nmore\n\n[1]: https://example.com/d\n';
  assert.deepEqual(splitBlocks(text), [text]);
  assert.match(renderByBlock(text), /<a href="https:\/\/example\.com\/d"/);
});

test('T20 c: nothing of the text becomes a script, a picture or a command', () => {
  const html = renderMarkdown(
    [
      '<img src=x onerror=alert(1)>',
      '![p](https://tracker.invalid/?q=TOKEN)',
      '[go](command:workbench.action.terminal.new)',
      '[x](javascript:1)',
      '[y](data:text/html,hi)',
      '[z](vscode://x.y/z)',
      '[e](java&#115;cript:1)',
      '<a onclick="x()">raw</a>',
    ].join('\n\n'),
  );
  assert.doesNotMatch(html, /<img|<script|<a href="(?:command|javascript|data|vscode)/i);
  assert.match(html, /&lt;img src=x onerror=alert\(1\)&gt;/);
  assert.match(html, /\[go\]\(command:workbench/);
  assert.match(
    html,
    /<a class="image-link" href="https:\/\/tracker\.invalid\/\?q=TOKEN" data-href="[^"]+">p<\/a>/,
  );
  assert.equal(html.match(/<a /g)?.length, 1);
});

test('T20 c: an unclosed fence and a table of 2,000 columns are drawn', () => {
  assert.match(renderMarkdown('```ts\nconst a'), /<code class="language-ts">const a/);
  const row = `|${' a |'.repeat(2000)}`;
  const table = `${row}\n|${'---|'.repeat(2000)}\n${row}\n`;
  assert.equal(renderMarkdown(table).match(/<t[hd] /g)?.length, 4000);
});

test('a list whose numbers have four digits says so, and no other', () => {
  const isLong = (text: string) => /<ol[^>]* class="long-numbers"/.test(renderMarkdown(text));
  for (const long of ['1000. a', '2024. a year', '999. a\n1000. b', '- x\n\n  1999. y']) {
    assert.ok(isLong(long), long);
  }
  for (const short of ['1. a', '998. a\n999. b', '1. a\n   - b', '- a']) {
    assert.ok(!isLong(short), short);
  }
});

test('tables align by class, never by style', () => {
  const html = renderMarkdown('| a | b | c |\n|:--|--:|:-:|\n| 1 | 2 | 3 |\n');
  assert.doesNotMatch(html, /style=/);
  assert.match(html, /<td dir="auto" class="align-right">2<\/td>/);
});

test('links to the web stay, links to places in files become paths, file names are no links', () => {
  const html = renderMarkdown(
    'https://a.example/x [s](src/a.ts:12) [t](a.ts:3:4) main.rs README.md',
  );
  assert.match(html, /<a href="https:\/\/a\.example\/x" data-href="https:\/\/a\.example\/x">/);
  assert.match(html, /<a href="src\/a\.ts:12" data-href="src\/a\.ts:12">/);
  assert.match(html, /<a href="\.\/a\.ts:3:4" data-href="a\.ts:3:4">/);
  assert.equal(html.match(/<a /g)?.length, 3);
});

test('places in files that words and code name become links, what only looks like one does not', () => {
  const links = (text: string) =>
    [
      ...renderMarkdown(text).matchAll(
        /<a class="place-link" href="[^"]*" data-href="([^"]*)">(.*?)<\/a>/g,
      ),
    ].map(([, href, words]) => [href, words]);
  assert.deepEqual(links('See src/a.ts:12:3, **lib/b.py:7** and (c/d.rs#L10-L20).'), [
    ['src/a.ts:12:3', 'src/a.ts:12:3'],
    ['lib/b.py:7', 'lib/b.py:7'],
    ['c/d.rs:10', 'c/d.rs#L10-L20'],
  ]);
  assert.deepEqual(links('| a |\n|---|\n| `x.ts:3` |\n\n- [ ] src/a.ts:1'), [
    ['x.ts:3', '<code>x.ts:3</code>'],
    ['src/a.ts:1', 'src/a.ts:1'],
  ]);
  for (const none of [
    '`see src/a.ts:12`',
    '[src/a.ts:12](https://a.example)',
    'https://a.example/src/a.ts:12',
    'localhost:8080 example.com:443 12:30 v1.2:3 src/a.ts',
    '```\nsrc/a.ts:12\n```',
  ])
    assert.deepEqual(links(none), [], none);
});

test('schemes are judged by a list of allowed ones', () => {
  assert.deepEqual(
    [
      'https://a',
      'HTTP://a',
      'mailto:a@b',
      'src/a.ts',
      '#l',
      'C:\\a.ts',
      'file:///a',
      'a.ts:1-2',
    ].map(linkKind),
    ['web', 'web', 'web', 'path', 'path', 'path', 'path', 'path'],
  );
  for (const href of [
    'command:x',
    'javascript:1',
    'vscode:x',
    'data:,',
    'ftp://a',
    'JavaScript:1 ',
  ]) {
    assert.equal(linkKind(href), 'refused', href);
  }
  assert.equal(linkTarget('C:\\src\\a.ts'), 'file:///C:/src/a.ts');
});

test('an image inside a link is its words, so that no link stands in a link', () => {
  const html = renderMarkdown('[![build](https://x.example/b.svg)](https://x.example)');
  assert.equal(html.match(/<a /g)?.length, 1);
  assert.match(html, />build<\/a>/);
});

test('formulas stand as they were written, money and code are none', () => {
  const kept = [
    String.raw`$e^{i\pi} + a*b*c = \{x\}$`,
    String.raw`\(a_1 < b_2\)`,
    String.raw`\[\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}\]`,
    String.raw`$$\sum_{i} x_i \, *y*$$`,
  ];
  for (const formula of kept) {
    const text = formula.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    assert.equal(renderMarkdown(`So ${formula}.`), `<p dir="auto">So ${text}.</p>\n`);
  }
  const lines = '$$\na \\\\\nb\n$$';
  assert.equal(
    renderMarkdown(lines),
    `<p dir="auto">${lines.replaceAll('\n', '<br>\n')}</p>\n`,
    'on their own lines',
  );
  const others: readonly (readonly [string, string])[] = [
    ['from $5 *or* $6', 'from $5 <em>or</em> $6'],
    ['$5-$10 and *so*', '$5-$10 and <em>so</em>'],
    ['set `$A` or `$B`', 'set <code>$A</code> or <code>$B</code>'],
    [String.raw`\(open *only*`, '(open <em>only</em>'],
    [String.raw`\*no\* $$ *yes*`, '*no* $$ <em>yes</em>'],
    // So far nobody looks for the end.
    [`$*a*${'b'.repeat(2_000)}$`, `$<em>a</em>${'b'.repeat(2_000)}$`],
  ];
  for (const [text, html] of others) {
    assert.equal(renderMarkdown(text), `<p dir="auto">${html}</p>\n`);
  }
});

test('check boxes of a task list are signs', () => {
  const html = renderMarkdown('- [ ] open\n- [x] done\n');
  assert.match(html, /☐ open/);
  assert.match(html, /☑ done/);
});

test('of a block that is written the line that may become the next item waits, and no other', () => {
  for (const [block, drawn] of [
    ['Steps:\n-', 'Steps:'],
    ['Steps:\r\n- ', 'Steps:\r'],
    ['- a\n  -', '- a'],
    ['> a\n> ---', '> a'],
    ['a\n===', 'a'],
  ] as const) {
    assert.equal(withoutOpenRule(block), drawn);
  }
  for (const whole of [
    '-',
    '---',
    'a\n- b',
    'a\n---\n',
    'a\n-- b',
    '| a |\n|--',
    'a\n*',
    'a',
    '',
  ]) {
    assert.equal(withoutOpenRule(whole), whole);
  }
});

test('an address that has no end is no link, and holds up nobody', () => {
  const open = 'https://a.example/(';
  assert.ok(renderMarkdown(open.repeat(5_000)).length > 5_000 * open.length);
  assert.doesNotMatch(renderMarkdown(`https://a.example/${'a'.repeat(5_000)}`), /<a /);
  const long = `https://a.example/${'a'.repeat(3_000)}`;
  assert.ok(renderMarkdown(`See ${long}.`).includes(`data-href="${long}"`));
});
