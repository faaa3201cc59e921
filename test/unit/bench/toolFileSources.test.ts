import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toolFileSource } from '../../bench/hosts/toolFileSources';
import { compileSource } from '../../../src/workspaceTools/sourceCompiler';

test('the tool files of row 25 have a hundred lines, with as much in them as it says', () => {
  const perLine = (['ordinary', 'dense'] as const).map((density) => {
    const text = toolFileSource(density, 'm');
    assert.equal(text.split('\n').length, 100);
    const made = compileSource('/work/a.tool.ts', text, 'import');
    assert.ok('code' in made);
    assert.equal(made.scan.exports.get('default'), 2);
    return Math.round(text.length / 100);
  });
  const [ordinary = 0, dense = 0] = perLine;
  // The sample tool files in docs/samples have 41 to 46.
  assert.ok(ordinary >= 41 && ordinary <= 46, String(ordinary));
  assert.ok(dense >= 80, String(dense));
});
