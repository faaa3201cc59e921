import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { readLargeFile } from '../../../src/editor/largeFile';

const TEXT = '\uFEFFfirst ü line\r\nsecond \u{1F600} ਊ line\r\n';

test('a large file is read as its byte-order mark says, and the mark is no letter of it', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'large-'));
  t.after(() => rm(folder, { recursive: true }));
  const forms = {
    'utf8.txt': Buffer.from(TEXT),
    'utf16le.txt': Buffer.from(TEXT, 'utf16le'),
    'utf16be.txt': Buffer.from(TEXT, 'utf16le').swap16(),
  };
  for (const [name, bytes] of Object.entries(forms)) {
    const file = path.join(folder, name);
    await writeFile(file, bytes);
    const given = { path: name, file, bytes: 60 * 1024 * 1024 };
    const text = await readLargeFile(given, { from: 1 }, new AbortController().signal);
    const [, ...lines] = text.split('\n');
    assert.deepEqual(lines, ['1\tfirst ü line', '2\tsecond \u{1F600} ਊ line', '3\t'], name);
  }
});
