import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import {
  type ExpandPorts,
  expandMessage,
  mayExpand,
} from '../../../src/conversation/expandMessage';

const cwd = realpathSync(mkdtempSync(path.join(tmpdir(), 'patchbay-expand-')));
after(() => rmSync(cwd, { recursive: true }));
writeFileSync(
  path.join(cwd, 'a.ts'),
  Array.from({ length: 90 }, (_, i) => `line ${i + 1}`).join('\n'),
);

const ports = {
  offers: { has: (name: string) => name === 'notes' },
  isCliCommand: () => false,
  cwd,
  buffers: {
    read: () => Promise.resolve(Array.from({ length: 90 }, (_, i) => `line ${i + 1}`).join('\n')),
  },
  sources: undefined,
  denials: () => Promise.resolve(() => Promise.resolve(undefined)),
  // Of the offers only `has` is asked here.
} as unknown as ExpandPorts;

const expand = (text: string) => expandMessage(text, ports, new AbortController().signal);
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, i) => `@a.ts:${from + i}`).join(' ');

test('of more than fifty mentions the rest is told, to the model and to the person', async () => {
  const { content, parts } = await expand(`${lines(1, 53)} @notes:note://milk @gone.ts:3 @word`);
  const blocks = typeof content === 'string' ? [] : content;
  const texts = blocks.map((block) => (block.type === 'text' ? block.text : ''));
  assert.equal(texts.filter((text) => text.startsWith('<attached file=')).length, 50);
  assert.equal(
    texts.at(-2),
    '<attached left_out="4 mentions">\nNot attached, too many:\n@a.ts:51\n@a.ts:52\n@a.ts:53\n@notes:note://milk\n</attached>',
  );
  assert.equal(parts.at(-1)?.title, 'Not attached, since too much is mentioned: 4');
  assert.match(parts.at(-1)?.text ?? '', /^@a\.ts:51\n/);
});

test('fifty mentions are attached without a word, and other signs behind them are none', async () => {
  const signs = Array.from({ length: 60 }, (_, i) => `@Component${i}`).join(' ');
  const { content, parts } = await expand(`${lines(1, 50)} ${signs}`);
  assert.equal(parts.length, 50);
  assert.ok(typeof content !== 'string' && content.length === 51);
});

test('what the person has changed goes before the message, except before a command', async () => {
  const changed = { ...ports, changes: () => Promise.resolve('1 file edited') };
  assert.equal(mayExpand('hello', ports), false);
  assert.equal(mayExpand('hello', changed), true);
  assert.equal(mayExpand(' /compact', changed), false);
  const { signal } = new AbortController();
  const { content, parts } = await expandMessage('hello', changed, signal);
  assert.deepEqual(content, [
    { type: 'text', text: '<attached edits="of the person">\n1 file edited\n</attached>' },
    { type: 'text', text: 'hello' },
  ]);
  assert.deepEqual(parts, [{ title: 'Your edits since the last turn', text: '1 file edited' }]);
  const unchanged = { ...ports, changes: () => Promise.resolve(undefined) };
  assert.equal((await expandMessage('hello', unchanged, signal)).content, 'hello');
});

test('a file that patchbay.ignore covers is not attached, whole or in part, and that is said', async () => {
  const asked: string[] = [];
  const sources = {
    problems: () => Promise.resolve([]),
    ignored: (file: string) => {
      asked.push(file);
      return Promise.resolve(file.endsWith('a.ts') ? 'a.*' : undefined);
    },
  };
  const { signal } = new AbortController();
  for (const mention of ['@a.ts', '@a.ts#L1-2', '@a.ts:1-2']) {
    await assert.rejects(
      expandMessage(`see ${mention} please`, { ...ports, sources }, signal),
      /^UserFacingError: a\.ts.* is not attached: the setting patchbay\.ignore \(a\.\*\) keeps it back/,
      mention,
    );
  }
  assert.deepEqual([...new Set(asked)], [path.join(cwd, 'a.ts')]);
});
