import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { compilerProgram } from '../../../src/workspaceTools/compilerProgram';
import { tempFolder } from './toolRoom';

test('the version of the compiler is that of all that is in its file', async (t) => {
  const file = path.join(await tempFolder(t), 'sourceCompiler.cjs');
  assert.equal(await compilerProgram(file).version(), undefined);
  await writeFile(file, 'exports.compileSource = () => 1;');
  const first = await compilerProgram(file).version();
  assert.match(first ?? '', /^[\da-f]{64}$/);
  assert.equal(await compilerProgram(file).version(), first);
  await writeFile(file, 'exports.compileSource = () => 2;');
  assert.notEqual(await compilerProgram(file).version(), first);
});

test('the compiler is loaded by its path, whatever stands in it', async (t) => {
  const file = path.join(await tempFolder(t), 'with space ü.cjs');
  await writeFile(file, "exports.compileSource = () => ({ code: 'it', scan: undefined });");
  assert.deepEqual(compilerProgram(file).load()('/a.ts', '', 'import'), {
    code: 'it',
    scan: undefined,
  });
});
