import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ChatEvent } from '../../../src/chat/chatEvent';
import { interpretMessage } from '../../../src/protocol/messages';
import { Chat, readTranscript, replay, type RecordedLine } from './chatHarness';

const NAMES = [
  'chat-turns',
  'chat-permissions',
  'chat-plan-questions',
  'chat-interrupt-queue',
  'chat-subagents',
  'chat-slash-commands',
  'chat-faults',
  'mcp-results-errors',
  'mcp-interrupt-call',
];

/** A file may hold several sessions one after another; each is a conversation of its own. */
function sessions(lines: readonly RecordedLine[]): RecordedLine[][] {
  const groups: RecordedLine[][] = [[]];
  let current: unknown;
  let waiting: RecordedLine[] = [];
  for (const line of lines) {
    const id = line.dir === 'in' ? line.m.session_id : undefined;
    if (typeof id !== 'string' || id === '') {
      waiting.push(line);
      continue;
    }
    if (current !== undefined && id !== current) groups.push([]);
    current = id;
    groups.at(-1)?.push(...waiting, line);
    waiting = [];
  }
  groups.at(-1)?.push(...waiting);
  return groups;
}

/** What the recorded rows say: the text of each whole block, in order, since the last reset. */
function expectedTexts(lines: readonly RecordedLine[]): string[] {
  const seen = new Set<string>();
  let texts: string[] = [];
  for (const { dir, m } of lines) {
    const parsed = dir === 'in' ? interpretMessage(m) : undefined;
    if (!parsed?.ok) continue;
    if (parsed.message.type === 'conversation_reset') texts = [];
    if (parsed.message.type !== 'assistant') continue;
    const { message, uuid = '' } = parsed.message;
    if (message.model === '<synthetic>' || typeof message.content === 'string') continue;
    if (seen.has(uuid)) continue;
    seen.add(uuid);
    texts.push(...message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])));
  }
  return texts;
}

for (const name of NAMES) {
  test(`the recorded ${name} is drawn once, ends at rest, and its patches lead to its state`, () => {
    for (const lines of sessions(readTranscript(name))) {
      const chat = new Chat();
      replay(chat, lines, () => {
        chat.sync();
      });
      const whole = new Chat();
      replay(whole, lines);
      whole.sync();
      assert.deepEqual(whole.model.snapshot().items.length, chat.items.length);
      assert.deepEqual([...chat.texts].sort().filter(isModelText), expectedTexts(lines).sort());
      assert.doesNotMatch(JSON.stringify(chat.state), /ede_diagnostic/);
      assert.ok(!chat.texts.some((text) => text.startsWith('[Request interrupted by user for')));
      assert.ok(chat.blocks.every((block) => block.kind === 'tool' || !block.streaming));
    }
  });
}

// Output of local commands is drawn as text too, and is not a row of a model.
function isModelText(text: string): boolean {
  return !text.startsWith('Estimated cost') && !text.startsWith('Current model');
}

test('the recorded interrupts mark five answers as stopped and leave no alert and no card', () => {
  const stopped = sessions(readTranscript('chat-interrupt-queue')).map((lines) => {
    const chat = new Chat();
    replay(chat, lines);
    assert.equal(chat.errors.length, 0);
    assert.equal(chat.state.permissions.length, 0);
    return chat.assistants.filter((item) => item.stopped).length;
  });
  assert.equal(
    stopped.reduce((sum, count) => sum + count, 0),
    5,
  );
});

test('the recorded faults are alerts, and the cut stream leaves one text', () => {
  const outcome = sessions(readTranscript('chat-faults')).map((lines) => {
    const chat = new Chat();
    replay(chat, lines);
    return { errors: chat.errors.map(({ actions }) => actions[0]), texts: chat.texts };
  });
  assert.deepEqual(outcome, [
    { errors: ['login'], texts: ['partial '] },
    { errors: ['login', 'login'], texts: [] },
    { errors: [], texts: ['partial ', 'partial '] },
    { errors: [], texts: ['partial ', 'partial '] },
  ]);
});

test('in the recorded permissions every allowed call ran and every denied one says so', () => {
  for (const lines of sessions(readTranscript('chat-permissions'))) {
    const chat = new Chat();
    replay(chat, lines);
    assert.ok(chat.tools.every((tool) => tool.state !== 'running' || tool.result === undefined));
    const diff = chat.tools.find((tool) => tool.name === 'Edit' && tool.state === 'done');
    if (diff) assert.match(diff.figure ?? '', /^\+\d+ −\d+$/);
  }
});

/** All recorded events, as one bag. */
function recordedEvents(): ChatEvent[] {
  return NAMES.flatMap(readTranscript).flatMap(({ dir, m }): ChatEvent[] => {
    if (dir === 'out')
      return [{ type: 'promptSubmitted', id: JSON.stringify(m).slice(0, 90), text: 'p' }];
    const parsed = interpretMessage(m);
    return parsed.ok ? [{ type: 'message', message: parsed.message }] : [];
  });
}

const card = (id: string, toolUseId: string) =>
  ({ id, toolUseId, toolName: 'Bash', title: 't', body: 'b', bodyKind: 'command' }) as const;

const hostEvent: fc.Arbitrary<ChatEvent> = fc.oneof(
  fc.record({
    type: fc.constant('promptSubmitted' as const),
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    text: fc.string(),
  }),
  fc.constantFrom('toolu_01', 'toolu_02', 'x').map((id): ChatEvent => ({
    type: 'permissionRequested',
    card: card(`card-${id}`, id),
  })),
  fc
    .tuple(
      fc.constantFrom('toolu_01', 'toolu_02', 'x'),
      fc.constantFrom('allowed', 'denied', 'withdrawn'),
    )
    .map(([id, outcome]): ChatEvent => ({
      type: 'permissionSettled',
      cardId: `card-${id}`,
      outcome: outcome,
    })),
  fc.constantFrom<ChatEvent>(
    { type: 'turnStarting' },
    { type: 'stopRequested' },
    { type: 'stopFailed' },
    { type: 'cliStarting' },
    { type: 'cliReady', model: 'm', toolCount: 3 },
    { type: 'cliExited' },
    { type: 'cliExited', error: { message: 'gone', actions: [] } },
    { type: 'failed', error: { message: 'f', actions: ['retry'] }, endsTurn: true },
    { type: 'notice', text: 'n' },
    { type: 'itemRemoved', id: 'a1' },
    { type: 'itemRemoved', id: 'e2' },
    { type: 'fields', fields: { notice: undefined, usage: undefined } },
    { type: 'toolActions', toolUseId: 'toolu_01', actions: ['saveAndRetry'] },
    { type: 'queueChanged', queue: [{ id: 'q', text: 'q' }] },
    { type: 'cleared' },
  ),
);

test('whatever comes in whatever order, patches taken at any moment lead to the state', () => {
  const recorded = recordedEvents();
  // Runs of the recording, so that deltas meet their blocks, with the host's events between them.
  const run = fc
    .tuple(fc.nat(recorded.length - 1), fc.integer({ min: 1, max: 12 }))
    .map(([from, length]) => recorded.slice(from, from + length));
  const step = fc.oneof(
    { weight: 3, arbitrary: run },
    { weight: 2, arbitrary: hostEvent.map((event) => [event]) },
    { weight: 1, arbitrary: fc.constant([]) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const chat = new Chat();
      for (const events of steps) {
        if (events.length === 0) chat.sync();
        else chat.apply(...events);
        chat.time += 7;
      }
      chat.sync();
    }),
    { numRuns: 150 },
  );
});

test('T20 a: a view made anew in the middle of 5,000 deltas has the same text as one-shot', () => {
  const chat = new Chat().prompt('x');
  const delta = (text: string): Record<string, unknown> => ({
    type: 'stream_event',
    api_message_id: 'm1',
    event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  });
  let whole = '';
  for (let i = 0; i < 5000; i += 1) {
    whole += `w${i} `;
    chat.cli(delta(`w${i} `));
    if (i % 97 === 0 || i === 2000) chat.sync();
    if (i === 4500) {
      chat.sync();
      Object.assign(chat.view, chat.model.snapshot());
    }
  }
  chat.cli({
    type: 'assistant',
    uuid: 'u',
    message: { id: 'm1', content: [{ type: 'text', text: whole }] },
  });
  chat.sync();
  assert.deepEqual(chat.texts, [whole]);
});

test('the cost of a delta does not grow with the message or the transcript', () => {
  const cost = (items: number, deltas: number): number => {
    const chat = new Chat();
    for (let i = 0; i < items; i += 1) {
      chat.prompt(`p${i}`);
      chat.cli({ type: 'assistant', uuid: `u${i}`, message: { id: `o${i}`, content: 'text' } });
    }
    chat.model.takePatches();
    const parsed = interpretMessage({
      type: 'stream_event',
      api_message_id: 'm1',
      event: {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text: 'word ' },
      },
    });
    assert.ok(parsed.ok);
    const { message } = parsed;
    const started = process.cpuUsage().user;
    for (let i = 0; i < deltas; i += 1) {
      chat.model.apply({ type: 'message', message });
      if (i % 100 === 0) chat.model.takePatches();
    }
    return (process.cpuUsage().user - started) / deltas;
  };
  cost(10, 10_000);
  const best = (items: number): number => Math.min(...[0, 1, 2].map(() => cost(items, 10_000)));
  const small = best(10);
  const large = best(3000);
  // Generous, since other work shares the processor: growth with the size would be hundredfold.
  assert.ok(large < small * 6 + 2, `${small} µs against ${large} µs a delta`);
});
