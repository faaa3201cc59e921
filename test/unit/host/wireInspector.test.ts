import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/event';
import { silentLogger } from '../../../src/base/logger';
import type { InspectorHostMessage, InspectorMessage } from '../../../src/chat/inspectorProtocol';
import type { ConversationPlace } from '../../../src/host/conversationPlace';
import { WINDOW_PLACE } from '../../../src/host/placeIds';
import { type InspectorPorts, type WireFile, WireInspector } from '../../../src/host/wireInspector';
import { parseWireFile } from '../../../src/conversation/wire/parseWireFile';
import { answer, request } from '../conversation/wire/frames';
import { hubOf } from './hostFakes';

class FakePage {
  readonly visibility = new Emitter<boolean>();
  readonly received = new Emitter<unknown>();
  readonly onDidChangeVisibility = this.visibility.event;
  readonly onDidReceiveMessage = this.received.event;
  readonly messages: InspectorHostMessage[] = [];
  visible = true;

  post(message: InspectorHostMessage): Promise<boolean> {
    this.messages.push(structuredClone(message));
    return Promise.resolve(true);
  }

  say(message: InspectorMessage): void {
    this.received.fire(message);
  }

  /** The last message of a kind. */
  last<T extends InspectorHostMessage['type']>(type: T) {
    const found = this.messages.findLast(
      (message): message is Extract<InspectorHostMessage, { type: T }> => message.type === type,
    );
    assert.ok(found, type);
    return found;
  }

  /** Numbers of the rows that the page has, as it would count them. */
  get rows(): number[] {
    const from = this.messages.findLastIndex(({ type }) => type === 'start');
    return this.messages
      .slice(from)
      .flatMap((message) => ('rows' in message ? message.rows.map(({ n }) => n) : []));
  }
}

function openInspector(overrides: Partial<InspectorPorts> = {}) {
  const { hub, clock } = hubOf();
  const place = hub.place(WINDOW_PLACE);
  const page = new FakePage();
  const saved: WireFile[] = [];
  const opened: string[] = [];
  const copied: string[] = [];
  const inspector = new WireInspector(page, place, {
    log: silentLogger,
    clock,
    now: () => 5_000,
    onDidChangeTurn: hub.onDidChangeTurn,
    secrets: ['swordfish-1'],
    extensionVersion: '0.1.0',
    l10n: () => undefined,
    nameOf: ({ id }) => id,
    choose: () => Promise.resolve(undefined),
    save: (file) => {
      saved.push(file);
      return Promise.resolve();
    },
    open: (text) => {
      opened.push(text);
      return Promise.resolve();
    },
    copy: (text) => {
      copied.push(text);
      return Promise.resolve();
    },
    report: (error) => {
      throw error;
    },
    ...overrides,
  });
  const say = (frame: object, at: ConversationPlace = place): void => {
    at.conversation.wire.tap?.received(JSON.stringify(frame));
  };
  const tick = (): void => clock.advance(1_000);
  return { hub, place, page, inspector, say, tick, saved, opened, copied };
}

test('nothing is recorded before the inspector is open, nor after it is closed', () => {
  const { hub } = hubOf();
  const place = hub.place(WINDOW_PLACE);
  assert.equal(place.conversation.wire.tap, undefined);
  const opened = openInspector();
  assert.ok(opened.place.conversation.wire.tap);
  opened.inspector.dispose();
  assert.equal(opened.place.conversation.wire.tap, undefined);
});

test('frames that came before the page was ready are in what it starts with, later ones follow', () => {
  const { page, say, tick } = openInspector();
  say({ type: 'keep_alive' });
  tick();
  assert.deepEqual(page.messages, []);
  page.say({ type: 'ready' });
  assert.deepEqual(page.rows, [1]);
  assert.equal(page.last('start').conversation, WINDOW_PLACE);
  for (let n = 0; n < 50; n += 1) say({ type: 'keep_alive' });
  tick();
  assert.equal(page.messages.filter(({ type }) => type === 'frames').length, 1, 'gathered');
  assert.equal(page.rows.length, 51);
});

test('while it is paused frames are recorded and counted, and come when it goes on', () => {
  const { page, say, tick } = openInspector();
  page.say({ type: 'ready' });
  say({ type: 'keep_alive' });
  page.say({ type: 'pause', on: true });
  assert.deepEqual(page.rows, [1], 'what came until then is shown');
  say({ type: 'keep_alive' });
  say({ type: 'keep_alive' });
  tick();
  assert.deepEqual(page.rows, [1]);
  assert.deepEqual([page.last('counts').counts.missed, page.last('counts').isPaused], [2, true]);
  // A page that is made anew meanwhile shows what the old one showed.
  page.say({ type: 'ready' });
  assert.deepEqual(page.rows, [1]);
  page.say({ type: 'pause', on: false });
  assert.deepEqual(page.rows, [1, 2, 3]);
  assert.equal(page.last('counts').counts.missed, 0);
});

test('a hidden page is posted nothing; when it is shown again it has everything', () => {
  const { page, say, tick } = openInspector();
  page.say({ type: 'ready' });
  page.visible = false;
  page.visibility.fire(false);
  const before = page.messages.length;
  say({ type: 'keep_alive' });
  tick();
  assert.equal(page.messages.length, before);
  page.visible = true;
  page.visibility.fire(true);
  say({ type: 'keep_alive' });
  tick();
  assert.equal(page.messages.length, before, 'not before it says that it is ready');
  page.say({ type: 'ready' });
  assert.deepEqual(page.rows, [1, 2]);
});

test('clearing empties the list, and an answer to what was cleared still says what it answers', () => {
  const { page, say, tick } = openInspector();
  page.say({ type: 'ready' });
  say(request('a', { subtype: 'can_use_tool', tool_name: 'Bash' }));
  tick();
  page.say({ type: 'clear' });
  assert.deepEqual(page.rows, []);
  assert.deepEqual(page.last('start').counts, { first: 2, dropped: 0, missed: 0 });
  say({ type: 'keep_alive' });
  tick();
  assert.deepEqual(page.rows, [2]);
});

test('a detail hides secrets, and shows them where the person wants it', () => {
  const { page, say } = openInspector();
  page.say({ type: 'ready' });
  say({ type: 'x', apiKey: 'abcdefgh', text: 'my swordfish-1', long: 'l'.repeat(9_000) });
  page.say({ type: 'detail', n: 1 });
  const { detail } = page.last('detail');
  assert.deepEqual([detail.n, detail.isFolded, detail.hidden], [1, true, 2]);
  assert.match(
    detail.text ?? '',
    /"apiKey": "\[secret\]",\n {2}"text": "my •••",\n {2}"long": "l{400}… \(9000/,
  );
  page.say({ type: 'redact', secrets: false, contents: true });
  page.say({ type: 'detail', n: 1 });
  assert.match(page.last('detail').detail.text ?? '', /abcdefgh[^]*swordfish/);
  page.say({ type: 'detail', n: 77 });
  assert.equal(page.last('detail').detail.text, undefined);
});

test('what the conversation knows of secrets is hidden in detail and file, wherever it stands', async () => {
  const { page, say, tick, place, inspector } = openInspector();
  say({ servers: { zap: { type: 'http', url: 'https://mcp.test/zebra-zebra/mcp' } } });
  tick();
  page.say({ type: 'ready' });
  place.conversation.wire.secrets.add('zebra-zebra');
  page.say({ type: 'detail', n: 1 });
  assert.match(page.last('detail').detail.text ?? '', /mcp\.test\/•••\/mcp/);
  page.say({ type: 'redact', secrets: true, contents: false });
  assert.doesNotMatch(await inspector.file().text(), /zebra/);
});

test('a frame is opened and copied whole, with its secrets hidden', () => {
  const { page, say, opened, copied } = openInspector();
  page.say({ type: 'ready' });
  say({ type: 'x', long: 'l'.repeat(9_000), token: 'abcdefgh' });
  page.say({ type: 'openFrame', n: 1 });
  page.say({ type: 'copyFrame', n: 1 });
  assert.deepEqual(opened, copied);
  assert.ok(opened[0]?.includes('l'.repeat(9_000)));
  assert.ok(!opened[0]?.includes('abcdefgh'));
});

test('what is saved has neither contents nor secrets, unless the person says otherwise', async () => {
  const { page, say, saved } = openInspector();
  page.say({ type: 'ready' });
  say({ type: 'system', subtype: 'init', claude_code_version: '2.1.9', apiKey: 'abcdefgh' });
  say({ type: 'assistant', message: { content: [{ type: 'text', text: 'my swordfish-1' }] } });
  page.say({ type: 'save' });
  page.say({ type: 'redact', secrets: true, contents: false });
  page.say({ type: 'save' });
  page.say({ type: 'redact', secrets: false, contents: false });
  page.say({ type: 'save' });
  const texts = await Promise.all(saved.map((file) => file.text()));
  assert.deepEqual(
    texts.map((text) => ['abcdefgh', 'swordfish', 'my '].map((word) => text.includes(word))),
    [
      [false, false, false],
      [false, false, true],
      [true, true, true],
    ],
  );
  const { header, records } = parseWireFile(texts[0] ?? '');
  assert.deepEqual([header?.cli, header?.extension, records.length], ['2.1.9', '0.1.0', 2]);
  assert.deepEqual(
    saved.map(({ frames }) => frames),
    [2, 2, 2],
  );
});

test('saving while it is paused keeps back for the page what it has not shown', async () => {
  const { page, say, saved } = openInspector();
  page.say({ type: 'ready' });
  page.say({ type: 'pause', on: true });
  say({ type: 'keep_alive' });
  page.say({ type: 'save' });
  assert.equal(parseWireFile((await saved[0]?.text()) ?? '').records.length, 1);
  page.say({ type: 'pause', on: false });
  assert.deepEqual(page.rows, [1]);
});

test('it follows its place to a new conversation, and leaves the wire of the old one', () => {
  const { page, place, say, tick } = openInspector();
  page.say({ type: 'ready' });
  say({ type: 'keep_alive' });
  const { wire } = place.conversation;
  place.startNew();
  assert.equal(wire.tap, undefined);
  assert.deepEqual(page.rows, []);
  say({ type: 'keep_alive' });
  tick();
  assert.deepEqual(page.rows, [1]);
});

test('the person chooses another conversation; giving up leaves all as it is', async () => {
  const { hub } = hubOf();
  const other = hub.place('tab-1');
  const answers = [undefined, other];
  const { page, inspector, place, say } = openInspector({
    choose: () => Promise.resolve(answers.shift()),
  });
  page.say({ type: 'ready' });
  say(answer('x'));
  page.say({ type: 'choose' });
  await Promise.resolve();
  assert.equal(inspector.place, place);
  page.say({ type: 'choose' });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(inspector.place, other);
  assert.equal(page.last('start').conversation, 'tab-1');
  assert.equal(place.conversation.wire.tap, undefined);
  assert.ok(other.conversation.wire.tap);
});

test('what is none of its messages is dropped', () => {
  const { page } = openInspector();
  for (const message of [
    null,
    'ready',
    { type: 'detail' },
    { type: 'detail', n: -1 },
    { type: 'x' },
  ]) {
    page.received.fire(message);
  }
  assert.deepEqual(page.messages, []);
});
