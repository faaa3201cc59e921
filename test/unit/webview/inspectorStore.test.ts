import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FrameRow } from '../../../src/chat/frameRowProtocol';
import type { InspectorMessage } from '../../../src/chat/inspectorProtocol';
import { InspectorStore } from '../../../src/webview/inspector/inspectorStore';

const COUNTS = { first: 1, dropped: 0, missed: 0 };

function row(n: number, more: Partial<FrameRow> = {}): FrameRow {
  return { n, t: n, dir: 'in', kind: 'message', label: `label-${n}`, bytes: 1, ...more };
}

function createStore(rows: readonly FrameRow[] = []) {
  const posted: InspectorMessage[] = [];
  const store = new InspectorStore((message) => posted.push(message));
  store.receive({
    type: 'start',
    conversation: 'Fix it',
    rows,
    counts: COUNTS,
    isPaused: false,
    redaction: { secrets: true, contents: true },
  });
  const shown = () => store.shown.value.map(({ n }) => n);
  return { store, posted, shown };
}

test('frames are added behind those that are there, and older ones change', () => {
  const { store, shown } = createStore([row(1, { state: 'waiting' })]);
  const updates = [{ n: 1, state: 'answered' as const, ms: 7, partner: 2 }];
  store.receive({ type: 'frames', rows: [row(2)], updates, counts: COUNTS });
  assert.deepEqual(shown(), [1, 2]);
  assert.deepEqual(
    store.rows.value.map(({ state, ms }) => [state, ms]),
    [
      ['answered', 7],
      [undefined, undefined],
    ],
  );
});

test('what the host keeps no longer is shown no longer, also while it is paused', () => {
  const { store, shown } = createStore([row(1), row(2), row(3)]);
  store.receive({ type: 'frames', rows: [row(4)], updates: [], counts: { ...COUNTS, first: 3 } });
  assert.deepEqual(shown(), [3, 4]);
  store.receive({ type: 'counts', counts: { first: 4, dropped: 3, missed: 2 }, isPaused: true });
  assert.deepEqual([shown(), store.isPaused.value, store.counts.value.missed], [[4], true, 2]);
  store.select(4);
  assert.equal(store.selectedRow.value?.label, 'label-4');
});

test('the filter takes words in any order and case, of what a row shows, and kinds', () => {
  const { store, shown } = createStore([
    row(1, { kind: 'mcp', label: 'tools/call', detail: 'probe · echo', id: 'abc-7' }),
    row(2, { kind: 'mcp', label: 'tools/list', state: 'waiting' }),
    row(3, { kind: 'stream', label: 'stream_event', dir: 'in' }),
    row(4, { kind: 'control', label: 'interrupt', dir: 'out' }),
  ]);
  const found = (text: string) => {
    store.text.value = text;
    return shown();
  };
  assert.deepEqual(found('ECHO tools'), [1]);
  assert.deepEqual(found('tools/'), [1, 2]);
  assert.deepEqual(found('abc-7'), [1]);
  assert.deepEqual(found('waiting'), [2]);
  assert.deepEqual(found('out'), [4]);
  assert.deepEqual(found('  '), [1, 2, 3, 4]);
  store.toggleKind('mcp');
  assert.deepEqual(shown(), [3, 4]);
  store.toggleKind('mcp');
  assert.deepEqual(shown(), [1, 2, 3, 4]);
});

test('a frame that the filter hides is shown again when something leads to it', () => {
  const { store, shown, posted } = createStore([row(1, { label: 'request' }), row(2)]);
  store.text.value = 'label-2';
  store.reveal(1);
  assert.deepEqual([shown(), store.selected.value], [[1, 2], 1]);
  store.text.value = 'request';
  store.reveal(1);
  assert.equal(store.text.value, 'request', 'one that is shown leaves the filter alone');
  assert.deepEqual(posted, [
    { type: 'detail', n: 1 },
    { type: 'detail', n: 1 },
  ]);
});

test('a detail that comes after the person went on is not shown', () => {
  const { store } = createStore([row(1), row(2)]);
  const detail = (n: number) => ({ n, text: `{${n}}`, isFolded: false, hidden: 0 });
  store.select(1);
  store.select(2);
  const shown = () => store.detail.value?.text;
  store.receive({ type: 'detail', detail: detail(1) });
  assert.equal(shown(), undefined);
  store.receive({ type: 'detail', detail: detail(2) });
  assert.equal(shown(), '{2}');
  store.closeDetail();
  assert.deepEqual([store.selected.value, store.detail.value], [undefined, undefined]);
});

test('what is hidden is told to the host, and the open frame asked for anew', () => {
  const { store, posted } = createStore([row(1)]);
  store.select(1);
  store.redact({ secrets: false });
  assert.deepEqual(posted.slice(1), [
    { type: 'redact', secrets: false, contents: true },
    { type: 'detail', n: 1 },
  ]);
});
