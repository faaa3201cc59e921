import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { COMPILER, createToolRoom, says } from './toolRoom';

const A = '.patchbay/tools/a.tool.ts';

test('what others wrote is not approved by being saved as it is, by whatever way that came', async (t) => {
  const room = await createToolRoom(t);
  const file = await room.write(A, says('one'));
  await room.look();
  room.answer = () => undefined;
  await room.write(A, says('pulled'));
  await room.look();
  const save = async (text: string): Promise<void> => {
    room.tools.willSave(file);
    await room.write(A, text);
    room.tools.saved(file, text);
    await room.look();
    assert.equal(room.file('a.tool.ts')?.state.kind, 'needsApproval');
  };
  await save(says('pulled'));
  await save(says('pulled'));
  await save(says('pulled, then the person'));
  await save(says('pulled, then the person'));
  // Also where nobody has noticed that something else stands there by now.
  await room.write(A, says('one'));
  await room.look();
  await room.write(A, says('pulled unnoticed'));
  await save(says('pulled unnoticed, then the person'));
  // What was approved once is so again, and the next save is on top of that.
  await room.write(A, says('one'));
  await room.look();
  room.tools.willSave(file);
  await room.write(A, says('two'));
  room.tools.changedOnDisk(file);
  await room.look();
  room.tools.saved(file, says('two'));
  await room.look();
  assert.equal((await room.call('a')).text, 'two');
});

test('saves that come while the one before is looked at count as well', async (t) => {
  let compiled: (text: string) => void = () => undefined;
  const load: typeof COMPILER.load = () => (file, text, mode) => {
    compiled(text);
    return COMPILER.load()(file, text, mode);
  };
  const room = await createToolRoom(t, { ports: { compiler: { ...COMPILER, load } } });
  const file = await room.write(A, says('one'));
  await room.look();
  room.answer = () => new Promise(() => undefined);
  const save = (text: string): void => {
    room.tools.willSave(file);
    writeFileSync(file, text);
    room.tools.saved(file, text);
  };
  compiled = (text) => {
    if (text === says('two')) save(says('three'));
  };
  save(says('two'));
  await room.look();
  assert.equal((await room.call('a')).text, 'three');
  compiled = () => undefined;
  save(says('four'));
  // It is about to be read.
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  save(says('five'));
  await room.look();
  assert.equal((await room.call('a')).text, 'five');
  // A card that came in between has gone.
  assert.ok(room.questions.slice(1).every(({ signal }) => signal.aborted));
});
