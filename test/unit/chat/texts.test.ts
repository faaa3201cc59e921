import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportItem, exportMarkdown } from '../../../src/chat/conversationExport';
import { displayPath } from '../../../src/chat/displayPath';
import { diffFromToolResult, diffTexts } from '../../../src/chat/fileDiff';
import { proposedEdit } from '../../../src/chat/proposedEdit';
import { formatBytes, formatTokens } from '../../../src/chat/toolResult';
import { boundedJson, countLines, firstLine, oneLine } from '../../../src/chat/boundedText';
import { Chat, assistantRow, resultRow, toolUse, turnResult } from './chatHarness';

test('a conversation is copied as markdown, an answer as its words alone', () => {
  const chat = new Chat().prompt('hello');
  chat.cli(
    assistantRow('m1', [{ type: 'thinking', thinking: 'hm' }]),
    assistantRow('m1', [{ type: 'text', text: 'I look.' }]),
    assistantRow('m1', [toolUse('t1', 'Bash', { command: 'ls' })]),
    resultRow('t1', '```\nx'),
    assistantRow('s', [{ type: 'text', text: 'sub' }], { parent_tool_use_id: 't1' }),
    assistantRow('m2', [{ type: 'text', text: 'Done.' }]),
    turnResult({ terminal_reason: 'aborted_streaming' }),
  );
  assert.equal(
    exportMarkdown(chat.items),
    '## You\n\nhello\n\n## Claude\n\nI look.\n\n- **Run a command · ls · 2 lines** (done)\n\n' +
      '````\n```\nx\n````\n\nDone.\n\n*Stopped.*',
  );
  assert.equal(exportItem(chat.items[1]!), 'I look.\n\nDone.');
});

test('paths inside the folder are relative, others stay', () => {
  assert.deepEqual(
    [
      displayPath('/ws/a/b.ts', '/ws'),
      displayPath('/ws/a', '/ws/'),
      displayPath('/wsx/a', '/ws'),
      displayPath('/ws', '/ws'),
      displayPath('c:\\Work\\a.ts', 'C:/work'),
      displayPath('/WS/a', '/ws'),
      displayPath('/a', undefined),
    ],
    ['a/b.ts', 'a', '/wsx/a', '/ws', 'a.ts', '/WS/a', '/a'],
  );
});

test('a diff counts lines, ignores line ends and survives a rewritten file', () => {
  assert.deepEqual(diffTexts('f', 'a\r\nb\r\n', 'a\nb\n'), {
    path: 'f',
    hunks: [],
    added: 0,
    removed: 0,
  });
  const rewritten = diffTexts(
    'f',
    Array.from({ length: 9000 }, (_, i) => `old ${i}`).join('\n'),
    Array.from({ length: 9000 }, (_, i) => `new ${i}`).join('\n'),
  );
  assert.deepEqual([rewritten.added, rewritten.removed], [9000, 9000]);
  assert.deepEqual(diffTexts('f', '', 'x').hunks[0]?.lines, ['+x']);
});

test('a patch of the CLI is read with its remarks left out, and nonsense gives none', () => {
  const lines = [' a', '-b', '+c', '\\ No newline at end of file'];
  const diff = diffFromToolResult('f', {
    structuredPatch: [{ oldStart: 3, newStart: 4, lines }, 5],
  });
  assert.deepEqual(diff?.hunks, [{ oldStart: 3, newStart: 4, lines: [' a', '-b', '+c'] }]);
  for (const value of ['Error', null, {}, { structuredPatch: 'x' }, { structuredPatch: [] }]) {
    assert.equal(diffFromToolResult('f', value), undefined);
  }
});

test('edits are foreseen as the CLI makes them', () => {
  const edit = (extra: object, text: string | undefined) =>
    proposedEdit('Edit', { file_path: '/a', old_string: 'x', new_string: 'y', ...extra }, text)
      ?.after;
  assert.equal(edit({}, 'x x'), 'y x');
  assert.equal(edit({ replace_all: true }, 'x x'), 'y y');
  assert.equal(edit({}, 'z'), undefined);
  assert.equal(edit({ old_string: '' }, undefined), 'y');
  assert.equal(edit({ old_string: '' }, 'full'), undefined);
  assert.equal(proposedEdit('Bash', { command: 'x' }, ''), undefined);
});

test('sizes, lines and cut texts are said shortly', () => {
  assert.deepEqual(
    [
      formatBytes(812),
      formatBytes(3200),
      formatBytes(999_600),
      formatTokens(48),
      formatTokens(62_400),
    ],
    ['812 B', '3.2 KB', '1 MB', '48', '62k'],
  );
  assert.deepEqual(
    [countLines(''), countLines('a'), countLines('a\n'), countLines('a\n\n')],
    [0, 1, 1, 2],
  );
  assert.equal(oneLine(' a \n b '), 'a b');
  assert.equal(oneLine('abcdef', 4), 'abc…');
  assert.equal(firstLine('\n\n first \nsecond'), 'first');
  assert.equal(boundedJson({ a: 'x'.repeat(5000) }, 100).length, 101);
});
