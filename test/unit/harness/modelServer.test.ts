import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod/mini';
import { createDeferred } from '../../../src/base/deferred';
import { startModel, type ModelServer } from '../../harness/model/modelServer';
import {
  cut,
  fault,
  message,
  pause,
  say,
  text,
  thinking,
  toolUse,
} from '../../harness/model/script';

const deltaSchema = z.looseObject({
  type: z.string(),
  index: z.optional(z.number()),
  delta: z.optional(
    z.looseObject({
      type: z.optional(z.string()),
      text: z.optional(z.string()),
      thinking: z.optional(z.string()),
      partial_json: z.optional(z.string()),
      stop_reason: z.optional(z.string()),
    }),
  ),
});
type StreamedEvent = z.infer<typeof deltaSchema>;

function post(model: ModelServer, more: object = {}): Promise<Response> {
  return fetch(`${model.url}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({
      model: 'm',
      stream: true,
      tools: [{ name: 'Bash' }],
      messages: [{ role: 'user', content: 'hi' }],
      ...more,
    }),
  });
}

function eventsOf(stream: string): StreamedEvent[] {
  return stream
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => deltaSchema.parse(JSON.parse(line.slice(6))));
}

test('a message streams its blocks in order, each opened and closed once', async (t) => {
  const script = [
    message([
      thinking('let me see'),
      text('Héllo '),
      text('🙂'),
      toolUse('Bash', { command: 'ls' }),
    ]),
  ];
  const model = await startModel({ script, chunkSize: 3 });
  t.after(() => model.close());
  const events = eventsOf(await (await post(model)).text());
  const joined = (index: number, key: 'text' | 'thinking' | 'partial_json'): string =>
    events
      .filter((event) => event.index === index)
      .map((event) => event.delta?.[key] ?? '')
      .join('');
  assert.equal(events[0]?.type, 'message_start');
  assert.equal(events.at(-1)?.type, 'message_stop');
  assert.equal(joined(0, 'thinking'), 'let me see');
  assert.equal(joined(1, 'text'), 'Héllo 🙂');
  assert.equal(joined(2, 'partial_json'), '{"command":"ls"}');
  assert.equal(events.filter((event) => event.type === 'content_block_start').length, 3);
  assert.equal(events.filter((event) => event.type === 'content_block_stop').length, 3);
  assert.ok(events.some((event) => event.delta?.type === 'signature_delta' && event.index === 0));
  assert.equal(events.at(-2)?.delta?.stop_reason, 'tool_use');
});

test('without streaming the same message comes as one body', async (t) => {
  const model = await startModel({ script: [message([text('a'), toolUse('Bash')])] });
  t.after(() => model.close());
  const answer = z
    .looseObject({ stop_reason: z.string(), content: z.array(z.looseObject({ type: z.string() })) })
    .parse(await (await post(model, { stream: false })).json());
  assert.equal(answer.stop_reason, 'tool_use');
  assert.deepEqual(
    answer.content.map((block) => block.type),
    ['text', 'tool_use'],
  );
});

test('a pause holds the stream until its promise settles', async (t) => {
  const gate = createDeferred<undefined>();
  const model = await startModel({
    script: [message([text('before'), pause(gate.promise), text('after')])],
  });
  t.after(() => model.close());
  const reader = (await post(model)).body!.pipeThrough(new TextDecoderStream()).getReader();
  let seen = '';
  while (!seen.includes('before')) seen += (await reader.read()).value ?? '';
  assert.doesNotMatch(seen, /after|message_stop/);
  gate.resolve(undefined);
  for (let part = await reader.read(); !part.done; part = await reader.read()) seen += part.value;
  assert.match(seen, /after[\s\S]*message_stop/);
  assert.equal(await model.requests[0]?.finished, true);
});

test('a client that goes away in a pause ends the request as unfinished', async (t) => {
  const model = await startModel({
    script: [message([text('a'), pause(createDeferred<undefined>().promise)])],
  });
  t.after(() => model.close());
  const controller = new AbortController();
  const response = await fetch(`${model.url}/v1/messages`, {
    method: 'POST',
    signal: controller.signal,
    body: JSON.stringify({ model: 'm', stream: true, tools: [{ name: 'Bash' }], messages: [] }),
  });
  assert.equal(response.status, 200);
  const request = await model.waitForRequest((each) => !each.isSide);
  controller.abort();
  assert.equal(await request.finished, false);
});

test('a fault is an HTTP error with its body and retry-after', async (t) => {
  const model = await startModel({
    script: [fault(429, 'rate_limit_error', 'slow down', 2), say('ok')],
  });
  t.after(() => model.close());
  const response = await post(model);
  assert.equal(response.status, 429);
  assert.equal(response.headers.get('retry-after'), '2');
  assert.deepEqual(await response.json(), {
    type: 'error',
    error: { type: 'rate_limit_error', message: 'slow down' },
  });
  assert.match(await (await post(model)).text(), /"text":"ok"/);
});

test('a cut ends the socket in mid-stream', async (t) => {
  const model = await startModel({ script: [message([text('half'), cut(), text('never')])] });
  t.after(() => model.close());
  const response = await post(model);
  await assert.rejects(response.text());
});

test('tokens are counted and other requests get a well-formed answer', async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  const counted = await fetch(`${model.url}/v1/messages/count_tokens`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(400) }] }),
  });
  const { input_tokens: tokens } = z
    .object({ input_tokens: z.number() })
    .parse(await counted.json());
  assert.ok(tokens > 100);
  assert.equal((await fetch(model.url, { method: 'HEAD' })).status, 200);
  assert.equal(
    (await fetch(`${model.url}/v1/messages`, { method: 'POST', body: '{}' })).status,
    400,
  );
  assert.deepEqual(model.requests, []);
});

test('a script that throws answers with its message and no retry', async (t) => {
  const model = await startModel({
    script: () => {
      throw new Error('no such line');
    },
  });
  t.after(() => model.close());
  const response = await post(model);
  assert.equal(response.status, 400);
  assert.match(await response.text(), /no such line/);
});
