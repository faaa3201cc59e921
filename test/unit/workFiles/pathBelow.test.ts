import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { pathBelow } from '../../../src/workFiles/pathBelow';

const at = (...names: string[]): string => path.resolve(path.sep, ...names);

test('the way down is told for what is in the folder, and for nothing else', () => {
  assert.equal(pathBelow(at('work'), at('work')), '');
  assert.equal(pathBelow(at('work'), at('work', 'a', 'b.ts')), path.join('a', 'b.ts'));
  assert.equal(pathBelow(at('work'), at('work', '..a')), '..a');
  for (const other of [at('workshop'), at('else', 'a.ts'), at()])
    assert.equal(pathBelow(at('work'), other), undefined, other);
});
