import assert from 'node:assert/strict';
import vm from 'node:vm';
import { test } from 'node:test';
import { createDeferred } from '../../../src/base/deferred';
import { toResult } from '../../../src/mcp/results';
import { type Answer, createBench, serverWith, simpleTool, textOf } from './routerFixture';

/** What the model gets when a handler returns the value, read back from the wire. */
async function returned(value: unknown): Promise<Answer> {
  const { call } = createBench([
    serverWith(
      'x',
      simpleTool('t', () => value),
    ),
  ]);
  return call('x', 't', {}, 'r');
}
async function thrown(error: unknown): Promise<[boolean | undefined, string | undefined]> {
  const tool = simpleTool('t', () => {
    throw error;
  });
  const answer = await createBench([serverWith('x', tool)]).call('x', 't');
  return [answer.result?.isError, textOf(answer)];
}

test('each kind of value becomes its text', async () => {
  const cases: [unknown, string][] = [
    ['text', 'text'],
    ['', ''],
    [8, '8'],
    [-0, '0'],
    [NaN, 'NaN'],
    [true, 'true'],
    [null, 'null'],
    [12345678901234567890n, '12345678901234567890'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [new Map([['a', 1]]), '{"a":1}'],
    [new Map([[1, 'a']]), '[[1,"a"]]'],
    [new Set([1, 'b']), '[1,"b"]'],
    [[1, { a: undefined, b: 2n }], '[1,{"b":"2"}]'],
    [
      { total: 3, when: new Date(0), in: new Map([['k', new Set([1])]]) },
      '{"total":3,"when":"1970-01-01T00:00:00.000Z","in":{"k":[1]}}',
    ],
    [{ content: 'not a list' }, '{"content":"not a list"}'],
    [
      { type: 'doc', content: [{ type: 'paragraph' }] },
      '{"type":"doc","content":[{"type":"paragraph"}]}',
    ],
    [{ content: [1, 2] }, '{"content":[1,2]}'],
    [{ failure: new Error('inside') }, '{"failure":{"error":"inside"}}'],
    [JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
    [Promise.resolve('later'), 'later'],
  ];
  for (const [value, text] of cases) {
    const answer = await returned(value);
    assert.deepEqual(answer.result, { content: [{ type: 'text', text }] });
  }
  assert.deepEqual((await returned(undefined)).result, { content: [] });
});

test('T16: content goes as it is when it is right, else one clear error names the fault', async () => {
  const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
  const right: object[] = [
    { content: [] },
    { content: [{ type: 'text', text: 'a' }, image], isError: true },
    { content: [{ type: 'text', text: 'a' }], structuredContent: { a: 1 }, _meta: { b: 2 } },
    { content: [{ type: 'audio', data: '', mimeType: 'audio/wav' }] },
    { content: [{ type: 'resource', resource: { uri: 'a:b', blob: 'aGk', mimeType: 'x/y' } }] },
    { content: [{ type: 'resource', resource: { uri: 'a:b', text: 'T' } }] },
    { content: [{ type: 'resource_link', uri: 'file:///x', name: 'x', extra: 1 }] },
  ];
  for (const value of right) assert.deepEqual((await returned(value)).result, value);
  assert.deepEqual((await returned({ content: [image], structuredContent: { a: 1 } })).result, {
    content: [image],
  });
  const wrong: [object[], RegExp][] = [
    [[{ type: 'zz' }], /content\[0\]\.type "zz" is not text/],
    [[{ type: 'constructor' }], /content\[0\]\.type "constructor"/],
    [[image, { type: 'text' }], /content\[1\]\.text is missing/],
    [[{ ...image, data: 'no base64' }], /content\[0\]\.data/],
    [[{ type: 'resource' }], /resource is not an object/],
    [[{ type: 'resource', resource: { uri: 'a:b' } }], /neither text nor blob/],
  ];
  for (const [content, fault] of wrong) {
    const answer = await returned({ content });
    assert.equal(answer.result?.isError, true);
    assert.match(textOf(answer) ?? '', fault);
  }
});

test('bytes with a MIME type become an image, a sound or a file', async () => {
  const data = new Uint8Array(100_000).fill(7);
  const base64 = Buffer.from(data).toString('base64');
  const kinds: [string, object][] = [
    ['image/png', { type: 'image', data: base64, mimeType: 'image/png' }],
    ['audio/wav', { type: 'audio', data: base64, mimeType: 'audio/wav' }],
    [
      'application/pdf',
      {
        type: 'resource',
        resource: { uri: 'result:data', mimeType: 'application/pdf', blob: base64 },
      },
    ],
  ];
  for (const [mimeType, block] of kinds) {
    assert.deepEqual((await returned({ data, mimeType })).result, { content: [block] });
  }
  assert.equal((await returned(data)).result?.isError, true);
});

test('T16: what is thrown or returned as an error is told with isError and without a stack', async () => {
  assert.deepEqual((await returned(new Error('Division by zero'))).result, {
    content: [{ type: 'text', text: 'Division by zero' }],
    isError: true,
  });
  assert.equal(textOf(await returned(new TypeError(''))), 'TypeError');
  const loop: Record<string, unknown> = {};
  loop.me = loop;
  const foreign: unknown = vm.runInNewContext('new Error("from elsewhere")');
  const cases: [unknown, string][] = [
    [new Error('Intentional error'), 'Tool error: Intentional error'],
    [foreign, 'Tool error: from elsewhere'],
    ['x', 'Tool error: x'],
    [null, 'Tool error: null'],
    [undefined, 'Tool error: undefined was thrown'],
    [{ code: 7 }, 'Tool error: {"code":7}'],
    [loop, 'Tool error: something unreadable was thrown'],
  ];
  for (const [error, text] of cases) assert.deepEqual(await thrown(error), [true, text]);
});

test('what cannot be sent is one clear error', async () => {
  const loop: Record<string, unknown> = {};
  loop.me = loop;
  const values: unknown[] = [
    loop,
    () => 1,
    Symbol('s'),
    new Date(NaN),
    { toJSON: () => undefined },
    { content: [{ type: 'text', text: 'a' }], _meta: loop },
    {
      get boom(): string {
        throw new Error('getter');
      },
    },
  ];
  for (const value of values) {
    const answer = await returned(value);
    assert.equal(answer.result?.isError, true);
    assert.match(textOf(answer) ?? '', /^The tool/);
    assert.equal(textOf(answer)?.includes('\n'), false);
  }
});

test('lone surrogates become the replacement character, pairs and look-alikes stay', async () => {
  assert.equal(textOf(await returned('a\ud83d')), 'a\ufffd');
  assert.equal(textOf(await returned('\udc00\ud83d\ude00')), '\ufffd\ud83d\ude00');
  assert.equal(
    textOf(await returned({ t: '\ud83d\ud83d', back: '\\ud83d' })),
    '{"t":"\ufffd\ufffd","back":"\\\\ud83d"}',
  );
  assert.equal(textOf(await returned({ content: [{ type: 'text', text: 'x\ud83d' }] })), 'x\ufffd');
  assert.deepEqual(await thrown(new Error('\ud83d')), [true, 'Tool error: \ufffd']);
});

test('five megabytes of text arrive whole and are no burden', async () => {
  const text = 'ünï🧭 '.repeat(700_000);
  const started = performance.now();
  const result = toResult(text);
  assert.ok(performance.now() - started < 60_000);
  assert.equal(result.content.length, 1);
  assert.equal(textOf(await returned(text)), text);
});

test('the result does not change with the handler’s object afterwards', () => {
  const block = { type: 'text', text: 'before' };
  const result = toResult({ content: [block] });
  block.text = 'after';
  assert.deepEqual(result.content, [{ type: 'text', text: 'before' }]);
});

test('a generator that is stopped is closed', async () => {
  const closed = createDeferred<undefined>();
  const started = createDeferred<undefined>();
  const gate = createDeferred<undefined>();
  const tool = simpleTool('steps', async function* () {
    try {
      started.resolve(undefined);
      await gate.promise;
      yield 'one';
      yield 'two';
    } finally {
      closed.resolve(undefined);
    }
  });
  const { call, router } = createBench([serverWith('x', tool)]);
  const answer = call('x', 'steps');
  await started.promise;
  router.cancelAll('stop');
  assert.equal((await answer).result?.isError, true);
  gate.resolve(undefined);
  await closed.promise;
});
