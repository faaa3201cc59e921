import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown } from '../../../src/chat/markdown';
import { toolSubject } from '../../../src/chat/toolSubject';
import { parseLink } from '../../../src/host/linkTarget';

const file = (path: string, line?: number, column?: number) => ({
  kind: 'file',
  path,
  ...(line && { line }),
  ...(column && { column }),
});

test('web and mail addresses are for the outside', () => {
  for (const url of ['https://example.org/a?b=c#d', 'http://localhost:1/', 'mailto:a@b.c']) {
    assert.deepEqual(parseLink(url), { kind: 'external', url });
  }
});

test('a path may name a line and a column in the ways that models write them', () => {
  assert.deepEqual(parseLink('src/a.ts'), file('src/a.ts'));
  assert.deepEqual(parseLink('src/a.ts:12'), file('src/a.ts', 12));
  assert.deepEqual(parseLink('src/a.ts:12:5'), file('src/a.ts', 12, 5));
  assert.deepEqual(parseLink('src/a.ts:12-20'), file('src/a.ts', 12));
  assert.deepEqual(parseLink('src/a.ts#L12'), file('src/a.ts', 12));
  assert.deepEqual(parseLink('src/a.ts#L12-L20'), file('src/a.ts', 12));
  assert.deepEqual(parseLink('src/a.ts#L12C3'), file('src/a.ts', 12, 3));
  assert.deepEqual(parseLink('a.ts:3'), file('a.ts', 3));
  assert.deepEqual(parseLink('Makefile:3:1'), file('Makefile', 3, 1));
});

test('spaces, umlauts and a lone percent sign in a name survive', () => {
  assert.deepEqual(parseLink('my%20file.ts:2'), file('my file.ts', 2));
  assert.deepEqual(parseLink('gr%C3%B6%C3%9Fe.ts'), file('größe.ts'));
  assert.deepEqual(parseLink('100%.txt'), file('100%.txt'));
});

test('the file of a call is opened by just its name, whatever that looks like', () => {
  for (const name of [
    ...['/w/100%25 off.md', '/w/50%.md', '/w/issue #12', '/w/log:12', '/w/a#L3', '/w/größe.ts'],
    ...['src/my%20file.ts', 'C:\\w\\a#1.ts', 'C:/w/log:3'],
  ]) {
    for (const [tool, key] of [
      ['Read', 'file_path'],
      ['Edit', 'file_path'],
      ['LS', 'path'],
    ] as const) {
      const { href = '' } = toolSubject(tool, { [key]: name }, undefined) ?? {};
      assert.deepEqual(parseLink(href), file(name), `${tool} ${href}`);
    }
    const { href = '' } = toolSubject('Read', { file_path: name, offset: 7 }, undefined) ?? {};
    assert.deepEqual(parseLink(href), file(name, 7));
  }
});

test('a Windows path is a path and not a scheme', () => {
  assert.deepEqual(parseLink('C:\\w\\a.ts:4'), file('C:\\w\\a.ts', 4));
  assert.deepEqual(parseLink('file:///c:/w/a.ts#L4'), file('c:/w/a.ts', 4));
});

test('a Windows path in markdown is the same path, and a share is still refused', () => {
  const hrefOf = (markdown: string) =>
    /data-href="([^"]*)"/.exec(renderMarkdown(markdown))?.[1] ?? '';
  for (const [markdown, expected] of [
    ['[a](C:\\w\\a.ts:4)', file('C:\\w\\a.ts', 4)],
    ['[a](<C:\\My Work\\a.ts>)', file('C:\\My Work\\a.ts')],
    ['[a](c:/w/a.ts#L4)', file('c:/w/a.ts', 4)],
    ['see C:\\w\\a.ts:4', file('C:\\w\\a.ts', 4)],
  ] as const) {
    assert.deepEqual(parseLink(hrefOf(markdown)), expected, markdown);
  }
  assert.equal(parseLink(hrefOf('[a](<\\\\\\\\server\\share\\a.ts>)')).kind, 'refused');
});

test('a file URL of this machine is a path', () => {
  assert.deepEqual(parseLink('file:///w/a%20b.ts:4'), file('/w/a b.ts', 4));
});

test('what could run code or leave the machine is refused', () => {
  const refused: readonly [string, string][] = [
    ['command:workbench.action.terminal.new', 'command'],
    ['javascript:1', 'javascript'],
    ['JavaScript:alert(1)', 'javascript'],
    ['java\u0000script:alert(1)', 'javascript'],
    ['data:text/html,x', 'data'],
    ['vscode://publisher.extension/x', 'vscode'],
    ['file://server/share/a', 'file'],
    ['//server/share/a', 'file'],
    ['\\\\server\\share\\a', 'file'],
    ['', ''],
    ['#top', ''],
    ['a%00b', ''],
  ];
  for (const [href, scheme] of refused) {
    assert.deepEqual(parseLink(href), { kind: 'refused', scheme }, href);
  }
});
