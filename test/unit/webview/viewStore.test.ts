import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effect } from '@preact/signals';
import fc from 'fast-check';
import { applyPatch, type Patch } from '../../../src/chat/patchProtocol';
import { childBlocks, ViewStore, type Topic } from '../../../src/webview/viewStore';
import { emptyState, text, tool, workState } from '../../harness/panelSandbox/states';

function watched(store: ViewStore, topic: Topic): () => number {
  let count = -1;
  effect(() => {
    store.watch(topic);
    count += 1;
  });
  return () => count;
}

test('a delta wakes its own block and nothing else', () => {
  const store = new ViewStore();
  store.reset(workState());
  const own = watched(store, 'text:x2');
  const others = (['fields', 'items', 'item:a1', 'block:x2', 'text:x1', 'block:t1'] as const).map(
    (topic) => watched(store, topic),
  );
  store.apply([{ op: 'append', itemId: 'a1', blockId: 'x2', text: ' More.' }]);
  assert.equal(own(), 1);
  assert.deepEqual(
    others.map((count) => count()),
    [0, 0, 0, 0, 0, 0],
  );
});

test('the view holds the same as the host after each batch', () => {
  const host = workState();
  const store = new ViewStore();
  store.reset(structuredClone(host));
  const batch: Patch[] = [
    { op: 'set', fields: { status: { kind: 'working' }, permissions: [] }, unset: ['usage'] },
    { op: 'item', item: { kind: 'assistant', id: 'a2', blocks: [] } },
    { op: 'block', itemId: 'a2', block: text('y1', '', true) },
    { op: 'append', itemId: 'a2', blockId: 'y1', text: 'hello' },
    { op: 'finish', itemId: 'a2', blockId: 'y1' },
    { op: 'stopped', itemId: 'a2' },
    { op: 'removeBlock', itemId: 'a1', blockId: 't1' },
  ];
  for (const patch of batch) applyPatch(host, structuredClone(patch));
  store.apply(batch);
  assert.deepEqual(store.state, host);
});

test('a new snapshot wakes what is drawn', () => {
  const store = new ViewStore();
  store.reset(workState());
  const items = watched(store, 'items');
  store.reset(emptyState());
  assert.equal(items(), 1);
});

test('another conversation is one that has nothing in common with what is shown', () => {
  const store = new ViewStore();
  assert.equal(store.sharesItemsWith(workState()), false);
  store.reset(workState());
  const [first, ...others] = workState().items;
  assert.ok(first);
  assert.equal(store.sharesItemsWith({ ...workState(), items: [first] }), true);
  assert.equal(
    store.sharesItemsWith({ ...workState(), items: [{ ...first, id: 'other' }] }),
    false,
  );
  // An answer is `a1` in each conversation: only where nobody has said anything it has to do.
  assert.equal(store.sharesItemsWith({ ...workState(), items: others }), false);
  store.reset({ ...workState(), items: others });
  assert.equal(store.sharesItemsWith(workState()), true);
  assert.equal(store.sharesItemsWith(emptyState()), false);
});

test('another conversation is told from more of the same one, and from a first one', () => {
  const store = new ViewStore();
  const talks = [emptyState(), workState(), workState(), emptyState(), emptyState()].map(
    (state) => {
      store.reset(state);
      return store.talk;
    },
  );
  assert.deepEqual(talks, [0, 0, 0, 1, 1]);
});

test('text of a snapshot is old, also where more of it comes, and so is what was drawn', () => {
  const store = new ViewStore();
  const state = emptyState();
  state.items.push({
    kind: 'assistant',
    id: 'a',
    blocks: [text('done', 'x'), text('live', 'y', true)],
  });
  store.reset(state);
  store.apply([{ op: 'block', itemId: 'a', block: text('new', 'z') }]);
  const known = () => ['done', 'live', 'new'].filter((id) => store.isKnown(id));
  assert.deepEqual(known(), ['done', 'live']);
  store.know('new');
  assert.deepEqual(known(), ['done', 'live', 'new']);
});

test('an item is found where it stands, also after others have come and gone', () => {
  const store = new ViewStore();
  store.reset(emptyState());
  const item = (id: string) => ({ kind: 'user', id, text: id }) as const;
  const add = (...ids: readonly string[]) =>
    store.apply(ids.map((id) => ({ op: 'item', item: item(id) })));
  add('a', 'b', 'c');
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((id) => store.placeOf(id)),
    [0, 1, 2, -1],
  );
  store.apply([{ op: 'removeItem', id: 'a' }]);
  add('d');
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((id) => store.placeOf(id)),
    [-1, 0, 1, 2],
  );
  assert.equal(store.item('c')?.id, 'c');
  store.apply([{ op: 'clear' }]);
  assert.equal(store.item('c'), undefined);
});

test('nothing is kept of a topic that nobody listens to any more, and a new listener is woken', () => {
  const store = new ViewStore();
  store.reset(workState());
  const stop = effect(() => {
    store.watch('item:a1');
  });
  assert.equal(store.topicCount, 1);
  stop();
  assert.equal(store.topicCount, 0);
  const again = watched(store, 'item:a1');
  store.apply([{ op: 'stopped', itemId: 'a1' }]);
  assert.equal(again(), 1);
});

test('calls of a sub-agent stand under it, also when it comes later', () => {
  const child = tool('c', { parentToolUseId: 'p' });
  const parent = tool('p', { name: 'Agent' });
  const early = { kind: 'assistant', id: 'a', blocks: [child] } as const;
  assert.deepEqual(childBlocks({ ...early, blocks: [child] }, undefined), [child]);
  const both = { ...early, blocks: [child, parent] };
  assert.deepEqual(childBlocks(both, undefined), [parent]);
  assert.deepEqual(childBlocks(both, 'p'), [child]);
});

test('what is appended to a text is taken once; another text is read whole', () => {
  const store = new ViewStore();
  store.reset(workState());
  const add = (words: string, blockId = 'x2') =>
    store.apply([{ op: 'append', itemId: 'a1', blockId, text: words }]);
  add('before anybody takes it');
  assert.equal(store.takeGrowth('x2'), undefined);
  assert.equal(store.takeGrowth('x2'), '');
  add('one');
  add('of another', 'x1');
  add(' two');
  assert.equal(store.takeGrowth('x2'), 'one two');
  add('lost with it');
  store.apply([{ op: 'block', itemId: 'a1', block: text('x2', 'other', true) }]);
  assert.equal(store.takeGrowth('x2'), undefined);
  add('lost with the item');
  const item = { kind: 'assistant', id: 'a1', blocks: [text('x2', 'third', true)] } as const;
  store.apply([{ op: 'item', item: { ...item, blocks: [...item.blocks] } }]);
  assert.equal(store.takeGrowth('x2'), undefined);
  store.reset(workState());
  assert.equal(store.takeGrowth('x2'), undefined);
  add('nobody takes it any more');
  store.dropGrowth('x2');
  assert.equal(store.takeGrowth('x2'), undefined);
});

test('taken piece by piece, a text is what the state holds, whatever comes between', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'bc', 'block', 'finish', 'reset', 'take')),
      (steps) => {
        const store = new ViewStore();
        store.reset(workState());
        let seen = '';
        const held = () => {
          const block = store.block('a1', 'x2');
          return block?.kind === 'text' ? block.text : '';
        };
        const take = () => {
          const grown = store.takeGrowth('x2');
          seen = grown === undefined ? held() : seen + grown;
          assert.equal(seen, held());
        };
        for (const step of steps) {
          if (step === 'take') take();
          else if (step === 'reset') store.reset(workState());
          else if (step === 'finish') store.apply([{ op: 'finish', itemId: 'a1', blockId: 'x2' }]);
          else if (step === 'block') {
            store.apply([{ op: 'block', itemId: 'a1', block: text('x2', 'new', true) }]);
          } else store.apply([{ op: 'append', itemId: 'a1', blockId: 'x2', text: step }]);
        }
        take();
      },
    ),
  );
});
