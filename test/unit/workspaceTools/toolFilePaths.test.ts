import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultsRule } from '../../../src/workspaceTools/toolFilePaths';

test('the rule for kept results is one absolute folder, and none where its path could mean more', () => {
  assert.equal(
    resultsRule('/home/müller/my storage', 'linux'),
    'Read(//home/müller/my storage/results/**)',
  );
  for (const odd of ['/a*b', '/a(b)', '/[a]', '/a!b', '/{a,b}', '/a\\b', '/a\nb', '/a?']) {
    assert.equal(resultsRule(odd, 'linux'), undefined, odd);
  }
});

test('on Windows the drive is the first folder, as the CLI writes it', () => {
  assert.match(
    resultsRule('C:/Users/a/toolFiles', 'win32') ?? '',
    /^Read\(\/\/c\/Users\/a\/toolFiles/,
  );
});
