import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tellNamed } from '../../../src/editor/namedFiles';

test('A result tells of the files that it names as a whole, each once', () => {
  const text = 'src/a.ts\n 1:1 error x\nleft: 2 in lib/b.ts, c.ts (unsaved)';
  const told: string[] = [];
  const given = tellNamed(text, ['src/a.ts', 'a.ts', 'lib/b.t', 'lib/b.ts', 'c.ts', 'c.ts', ''], {
    tellFile: (path) => told.push(path),
  });
  assert.equal(given, text);
  assert.deepEqual(told, ['src/a.ts', 'lib/b.ts', 'c.ts']);
});
