import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Emitter } from '../../../src/base/event';
import { applyPatch, type Patch } from '../../../src/chat/patchProtocol';
import type { HostMessage } from '../../../src/chat/viewProtocol';
import type { ViewState } from '../../../src/chat/viewStateProtocol';
import { FRAME_MS, type PumpSource, ViewPump } from '../../../src/conversation/viewPump';
import { TestClock } from './testClock';

/** A conversation that only grows by notices. */
class Source implements PumpSource {
  readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  readonly #state: ViewState;
  #pending: Patch[] = [];

  constructor(title: string) {
    this.#state = {
      title,
      status: { kind: 'idle' },
      permissions: [],
      asks: [],
      queue: [],
      folder: undefined,
      model: '',
      models: [],
      mode: '',
      modes: [],
      usage: undefined,
      notice: undefined,
      suggestions: [],
      toolCount: 0,
      sendKey: 'enter',
      items: [],
    };
  }

  add(text: string): void {
    const id = `${this.#state.title}${this.#state.items.length}`;
    const patch: Patch = { op: 'item', item: { kind: 'notice', id, tone: 'info', text } };
    applyPatch(this.#state, patch);
    this.#pending.push(patch);
    this.changed.fire();
  }

  snapshot(): ViewState {
    return structuredClone(this.#state);
  }

  takePatches(): Patch[] {
    return this.#pending.splice(0);
  }
}

/** A webview: draws what it gets, and asks again where a number is missing. */
class View {
  readonly messages: HostMessage[] = [];
  readonly times: number[] = [];
  state: ViewState | undefined;
  draft: string | undefined;
  gaps = 0;
  /** Messages are lost while it is true, as with a hidden webview. */
  deaf = false;
  #seq = 0;

  constructor(readonly clock: TestClock) {}

  post(message: HostMessage): Promise<boolean> {
    if (this.deaf) return Promise.resolve(false);
    // What crosses to the webview is a copy.
    const copy = structuredClone(message);
    this.messages.push(copy);
    this.times.push(this.clock.now());
    if (copy.type === 'snapshot') {
      this.state = copy.state;
      this.draft = copy.draft;
      this.#seq = copy.seq;
    } else if (copy.type === 'patches') {
      if (copy.seq !== this.#seq + 1 || !this.state) this.gaps += 1;
      this.#seq = copy.seq;
      for (const patch of copy.patches) if (this.state) applyPatch(this.state, patch);
    }
    return Promise.resolve(true);
  }

  get types(): string[] {
    return this.messages.map((message) => message.type);
  }

  get texts(): string[] {
    return (this.state?.items ?? []).map((item) => (item.kind === 'notice' ? item.text : ''));
  }
}

function setup() {
  const clock = new TestClock();
  const errors: unknown[] = [];
  const draft = { text: '' };
  const pump = new ViewPump({
    clock,
    draft: () => draft.text,
    l10n: () => ({ Send: 'Senden' }),
    onError: (error) => errors.push(error),
  });
  const source = new Source('a');
  pump.setSource(source);
  const open = (visible = true) => {
    const view = new View(clock);
    return { view, handle: pump.attach(view, visible) };
  };
  return { clock, errors, draft, pump, source, open };
}

test('ready is answered with the state, the draft and the bundle of the language', () => {
  const { clock, draft, source, open } = setup();
  draft.text = 'half a thou';
  source.add('one');
  const { view, handle } = open();
  clock.advance(100);
  assert.deepEqual(view.types, [], 'nothing before ready');
  handle.ready();
  clock.advance(FRAME_MS);
  const [message] = view.messages;
  assert.ok(message?.type === 'snapshot');
  assert.deepEqual([message.draft, message.l10n], ['half a thou', { Send: 'Senden' }]);
  assert.deepEqual(view.texts, ['one']);
});

test('any number of changes in one frame is one message', () => {
  const { clock, source, open } = setup();
  const { view, handle } = open();
  handle.ready();
  clock.advance(FRAME_MS);
  for (let i = 0; i < 1000; i += 1) source.add(`${i}`);
  clock.advance(FRAME_MS);
  assert.deepEqual(view.types, ['snapshot', 'patches']);
  assert.equal(view.texts.length, 1000);
});

test('a view that joins in the middle gets no patch twice', () => {
  const { clock, source, open } = setup();
  const first = open();
  first.handle.ready();
  clock.advance(FRAME_MS);
  source.add('one');
  const second = open();
  second.handle.ready();
  source.add('two');
  clock.advance(FRAME_MS * 2);
  source.add('three');
  clock.advance(FRAME_MS * 2);
  for (const { view } of [first, second]) assert.deepEqual(view.texts, ['one', 'two', 'three']);
});

test('a hidden view gets nothing, and a snapshot when it is visible again', () => {
  const { clock, source, open } = setup();
  const { view, handle } = open();
  handle.ready();
  clock.advance(FRAME_MS);
  handle.setVisible(false);
  source.add('one');
  clock.advance(1000);
  assert.deepEqual(view.types, ['snapshot']);
  handle.setVisible(true);
  clock.advance(FRAME_MS);
  assert.deepEqual(view.types, ['snapshot', 'snapshot']);
  assert.deepEqual(view.texts, ['one']);
});

test('a view that missed nothing while hidden is left alone', () => {
  const { clock, open } = setup();
  const { view, handle } = open();
  handle.ready();
  clock.advance(FRAME_MS);
  handle.setVisible(false);
  clock.advance(1000);
  handle.setVisible(true);
  clock.advance(1000);
  assert.deepEqual(view.types, ['snapshot']);
});

test('text for the input waits until the view has its snapshot', () => {
  const { clock, open } = setup();
  const { view, handle } = open(false);
  handle.send({ type: 'insertText', text: 'src/a.ts:1' });
  clock.advance(1000);
  handle.setVisible(true);
  clock.advance(1000);
  assert.deepEqual(view.types, []);
  handle.ready();
  clock.advance(FRAME_MS);
  assert.deepEqual(view.types, ['snapshot', 'insertText']);
});

test('a message that did not arrive is made good by a snapshot', async () => {
  const { clock, source, open } = setup();
  const { view, handle } = open();
  handle.ready();
  clock.advance(FRAME_MS);
  view.deaf = true;
  source.add('one');
  clock.advance(FRAME_MS);
  await Promise.resolve();
  view.deaf = false;
  source.add('two');
  clock.advance(FRAME_MS);
  assert.deepEqual(view.texts, ['one', 'two']);
});

test('a view that throws does not keep the patches from the others', () => {
  const { clock, errors, pump, source, open } = setup();
  const broken = pump.attach(
    {
      post: () => {
        throw new Error('Webview is disposed');
      },
    },
    true,
  );
  broken.ready();
  const { view, handle } = open();
  handle.ready();
  source.add('one');
  clock.advance(FRAME_MS);
  assert.deepEqual(view.texts, ['one']);
  assert.equal(errors.length, 1);
});

test('another conversation is shown by a snapshot, and the old one says no more', () => {
  const { clock, pump, source, open } = setup();
  const { view, handle } = open();
  handle.ready();
  clock.advance(FRAME_MS);
  const next = new Source('b');
  pump.setSource(next);
  source.add('late');
  next.add('one');
  clock.advance(FRAME_MS);
  assert.equal(view.state?.title, 'b');
  assert.deepEqual(view.texts, ['one']);
});

test('patches are taken also while nobody looks, so that they do not pile up', () => {
  const { clock, pump, source } = setup();
  const seen: number[] = [];
  pump.onDidFlush((patches) => seen.push(patches.length));
  source.add('one');
  source.add('two');
  clock.advance(FRAME_MS);
  assert.deepEqual(seen, [2]);
});

test('whatever happens, no patch is lost or doubled and no frame has two messages of state', () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.constant('add' as const) },
    { weight: 4, arbitrary: fc.constant('frame' as const) },
    fc.constantFrom('open', 'ready', 'hide', 'show', 'close', 'new'),
    fc.constant('halfFrame' as const),
  );
  const run = fc.property(fc.array(fc.tuple(step, fc.nat(2)), { maxLength: 120 }), (steps) => {
    const { clock, pump, open, source: first } = setup();
    let source = first;
    let opened: ReturnType<typeof open>[] = [];
    let conversations = 0;
    const all: View[] = [];
    for (const [what, which] of steps) {
      const one = opened[which % Math.max(1, opened.length)];
      if (what === 'add') source.add(`${clock.now()}`);
      else if (what === 'frame') clock.advance(FRAME_MS);
      else if (what === 'halfFrame') clock.advance(FRAME_MS / 2);
      else if (what === 'open') {
        const next = open(which > 0);
        opened.push(next);
        all.push(next.view);
      } else if (what === 'ready') one?.handle.ready();
      else if (what === 'hide') one?.handle.setVisible(false);
      else if (what === 'show') one?.handle.setVisible(true);
      else if (what === 'new') {
        conversations += 1;
        source = new Source(`c${conversations}-`);
        pump.setSource(source);
      } else if (one) {
        one.handle.dispose();
        opened = opened.filter((entry) => entry !== one);
      }
    }
    for (const { handle } of opened) {
      handle.setVisible(true);
      handle.ready();
    }
    clock.advance(FRAME_MS * 2);
    for (const { view } of opened) assert.deepEqual(view.state, source.snapshot());
    for (const view of all) {
      assert.equal(view.gaps, 0);
      view.times.forEach((time, index) => {
        const before = view.times[index - 1];
        assert.ok(before === undefined || time - before >= FRAME_MS, 'one message a frame');
      });
    }
  });
  fc.assert(run, { numRuns: 300 });
});
