import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryParseViewMessage } from '../../../src/chat/viewProtocol';
import { handleResult, isResultMessage } from '../../../src/host/viewResults';
import { hubOf } from './hostFakes';

async function handle(
  value: object,
): Promise<{ readonly done: unknown[]; readonly calls: string[] }> {
  const { hub, made } = hubOf();
  const place = hub.active;
  const row = { kind: 'edited', added: 1, removed: 0 } as const;
  place.conversation.setFields({
    tasks: [{ id: 'b1', kind: 'command', title: 'a server' }],
    changes: {
      files: ['c1', 'c2'].map((id) => ({ id, path: `${id}.ts`, ...row })),
      undone: { id: 'u1', count: 1, path: 'old.ts' },
    },
  });
  const done: unknown[] = [];
  const ports = {
    reviewChanges: (_book: unknown, ids: readonly string[]) => Promise.resolve(void done.push(ids)),
    showOutput: (taskId: string, text: string) => Promise.resolve(void done.push([taskId, text])),
    countSymbols: () => Promise.resolve(new Map([['known', 2]])),
    openSymbol: (name: string) => Promise.resolve(void done.push(name)),
    showResult: (_place: unknown, toolUseId: string) => Promise.resolve(void done.push(toolUseId)),
  };
  const message = tryParseViewMessage(value);
  assert.ok(message && isResultMessage(message));
  await handleResult(message, place, ports, (answer) => done.push(answer));
  return { done, calls: made[0]!.calls };
}

test('a picture of a result goes to the view that asked, and so does that there is none', async () => {
  assert.deepEqual((await handle({ type: 'loadImage', toolUseId: 'seen', index: 2 })).done, [
    {
      ...{ type: 'image', toolUseId: 'seen', index: 2 },
      image: { mediaType: 'image/png', data: '2' },
    },
  ]);
  assert.deepEqual((await handle({ type: 'loadImage', toolUseId: 'gone', index: 0 })).done, [
    { type: 'image', toolUseId: 'gone', index: 0 },
  ]);
  assert.equal(tryParseViewMessage({ type: 'loadImage', toolUseId: 'x', index: -1 }), undefined);
});

test('a task is stopped, or what it has printed is shown; a result is opened', async () => {
  const stopped = await handle({ type: 'task', taskId: 'b1', action: 'stop' });
  assert.deepEqual(stopped.calls, ['stop task b1']);
  const shown = await handle({ type: 'task', taskId: 'b1', action: 'show' });
  assert.deepEqual(shown.done, [['b1', 'output of b1']]);
  assert.deepEqual((await handle({ type: 'showResult', toolUseId: 't1' })).done, ['t1']);
  assert.equal(tryParseViewMessage({ type: 'task', taskId: 'b1', action: 'zz' }), undefined);
  for (const action of ['stop', 'show']) {
    const other = await handle({ type: 'task', taskId: 'b2', action });
    assert.deepEqual([other.calls, other.done], [[], []], 'one that is not listed');
  }
});

test('changed files are kept, undone and shown: those that are listed, whatever the page names', async () => {
  const act = (action: string, ...ids: string[]) => handle({ type: 'changes', action, ids });
  assert.deepEqual((await act('keep', 'c2', 'nobody')).calls, ['keep c2']);
  assert.deepEqual((await act('undo', 'c1', 'c2')).calls, ['undo c1 c2']);
  assert.deepEqual((await act('review', 'c1', 'u1')).done, [['c1']]);
  assert.deepEqual((await act('redo', 'u1')).calls, ['redo u1']);
  assert.deepEqual((await act('forget', 'u1')).calls, ['forgetUndone']);
  for (const action of ['keep', 'undo', 'review', 'redo', 'forget']) {
    const { calls, done } = await act(action, 'nobody', '__proto__');
    assert.deepEqual([calls, done], [[], []], action);
  }
  const many = Array.from({ length: 5_001 }, (_, n) => `${n}`);
  assert.equal(tryParseViewMessage({ type: 'changes', action: 'keep', ids: many }), undefined);
});

test('names that an answer cites are counted for the view that asked, and opened', async () => {
  const found = await handle({ type: 'findSymbols', names: ['known', 'nobody'] });
  assert.deepEqual(found.done, [
    {
      type: 'symbols',
      found: [
        { name: 'known', count: 2 },
        { name: 'nobody', count: 0 },
      ],
    },
  ]);
  assert.deepEqual((await handle({ type: 'openSymbol', name: 'known' })).done, ['known']);
});
