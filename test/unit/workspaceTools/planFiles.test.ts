import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compiler } from '../../../src/workspaceTools/compiler';
import { planFiles } from '../../../src/workspaceTools/planFiles';
import { readSnapshot } from '../../../src/workspaceTools/snapshot';
import { absolutePath } from '../../../src/workspaceTools/toolFilePaths';
import { COMPILER, createToolRoom, says } from './toolRoom';

test('files whose folder is let go of while they are planned are not compiled any further', async (t) => {
  const room = await createToolRoom(t);
  const files = [1, 2, 3, 4].map((at) => `.patchbay/tools/t${at}.tool.ts`);
  for (const file of files) await room.write(file, says(file));
  const snapshot = await readSnapshot(room.folder);
  const compiler = new Compiler(COMPILER);
  const known = (): string[] =>
    files.filter((file) => compiler.knows(absolutePath(room.folder, file), says(file)));
  let left = 2;
  const mayGoOn = (): boolean => (left -= 1) >= 0;
  assert.equal(await planFiles(room.folder, snapshot, compiler, mayGoOn), undefined);
  assert.deepEqual(known(), files.slice(0, 2));
  left = 2;
  // What is compiled already takes no time, and is not asked about.
  const plans = await planFiles(room.folder, snapshot, compiler, mayGoOn);
  assert.deepEqual(
    plans?.map(({ file }) => file),
    files,
  );
});
