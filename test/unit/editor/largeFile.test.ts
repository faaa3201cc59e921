import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { readLargeFile } from '../../../src/editor/largeFile';

/** Letters of one byte up to where the editor looks no further. */
const PLAIN = `${'a'.repeat(300)}\r\nsecond \u{1F600} ਊ line`;
const TEXT = '\uFEFFfirst ü line\r\nsecond \u{1F600} ਊ line\r\n';

test('a large file is read as its byte-order mark says, which is no letter of it, or as UTF-16 that has none', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'large-'));
  t.after(() => rm(folder, { recursive: true }));
  const forms = {
    'utf8.txt': Buffer.from(TEXT),
    'utf16le.txt': Buffer.from(TEXT, 'utf16le'),
    'utf16be.txt': Buffer.from(TEXT, 'utf16le').swap16(),
    'unmarked.txt': Buffer.from(PLAIN, 'utf16le'),
    'unmarked be.txt': Buffer.from(PLAIN, 'utf16le').swap16(),
  };
  for (const [name, bytes] of Object.entries(forms)) {
    const file = path.join(folder, name);
    await writeFile(file, bytes);
    const given = { path: name, file, bytes: 60 * 1024 * 1024 };
    const text = await readLargeFile(given, { from: 1 }, new AbortController().signal);
    const [, ...lines] = text.split('\n');
    const expected = name.startsWith('unmarked')
      ? [`1\t${'a'.repeat(300)}`, '2\tsecond \u{1F600} ਊ line']
      : ['1\tfirst ü line', '2\tsecond \u{1F600} ਊ line', '3\t'];
    assert.deepEqual(lines, expected, name);
  }
});
