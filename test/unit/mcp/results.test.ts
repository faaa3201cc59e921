import assert from 'node:assert/strict';
import vm from 'node:vm';
import { test } from 'node:test';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { createDeferred } from '../../../src/base/deferred';
import type { CallProgress } from '../../../src/mcp/callContext';
import { defineResource } from '../../../src/mcp/defineResource';
import { createServer } from '../../../src/mcp/mcpServer';
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

test('what the protocol refuses in a block is refused here, field by field, and what it takes is taken', async () => {
  const blocks: Readonly<Record<string, object>> = {
    text: { type: 'text', text: 'a' },
    image: { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    audio: { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
    link: { type: 'resource_link', uri: 'a:b', name: 'x' },
    embedded: { type: 'resource', resource: { uri: 'a:b', text: 'T' } },
  };
  const values = [
    ...['x', '', 5, 0, 1, 0.5, -1, true, null, {}, [], ['x'], [5], { a: 1 }],
    ...[['user'], ['user', 'assistant'], '2026-03-31T14:30:00Z', '2026-03-31T14:30:00+02:00'],
    ...['2026-03-31', { audience: 'user' }, { audience: ['user'] }, { audience: ['model'] }],
    ...[{ priority: 5 }, { priority: 0.5 }, { priority: '1' }, { lastModified: 'now' }],
    ...[{ lastModified: '2026-03-31T14:30:00Z' }, { other: 1 }, [{ src: 'a:b' }], [{ src: 5 }]],
    [{ src: 'a:b', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' }],
    ...[[{ src: 'a:b', sizes: '48x48' }], [{ src: 'a:b', theme: 'red' }], [null]],
  ];
  const keys = [
    'annotations',
    '_meta',
    'title',
    'description',
    'mimeType',
    'size',
    'icons',
    'name',
  ];
  for (const [kind, block] of Object.entries(blocks)) {
    const changed = [...keys, 'uri', 'text', 'data'].flatMap((key) =>
      values.map((value) => ({ ...block, [key]: value })),
    );
    const inner = ['_meta', 'mimeType', 'uri', 'text'].flatMap((key) =>
      values.map((value) => ({
        type: 'resource',
        resource: { uri: 'a:b', text: 'T', [key]: value },
      })),
    );
    for (const given of kind === 'embedded' ? [...changed, ...inner] : changed) {
      const { result } = await returned({ content: [given] });
      const official = CallToolResultSchema.safeParse({ content: [given] }).success;
      assert.equal(result?.isError !== true, official, JSON.stringify(given));
    }
  }
});

test('a field that JSON does not carry is missing', async () => {
  class Block {
    readonly type = 'text';
    get text(): string {
      return `a ${this.type}`;
    }
  }
  const hidden = Object.defineProperty({ type: 'text' }, 'text', { value: 'hi' });
  const inherited = Object.assign(Object.create({ text: 'hi' }) as object, { type: 'text' });
  for (const block of [new Block(), hidden, inherited]) {
    const answer = await returned({ content: [block] });
    assert.equal(answer.result?.isError, true);
    assert.match(textOf(answer) ?? '', /content\[0\]\.text is missing/);
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

test('bytes deep in a result are told by their number, of whatever kind and wherever they stand', async () => {
  const made: unknown = vm.runInNewContext('new Uint16Array(4)');
  const kinds: [unknown, number][] = [
    [Buffer.alloc(5, 1), 5],
    [Buffer.alloc(0), 0],
    [new Uint8Array(5), 5],
    [new Uint8ClampedArray(3), 3],
    [new Int16Array(2), 4],
    [new Float64Array(3), 24],
    [new BigInt64Array(2), 16],
    [new DataView(new ArrayBuffer(8), 2), 6],
    [new ArrayBuffer(3), 3],
    [new SharedArrayBuffer(3), 3],
    [made, 8],
  ];
  for (const [bytes, count] of kinds) {
    const told = `(${count} bytes)`;
    const holders: [unknown, unknown][] = [
      [
        { name: 'x', data: bytes },
        { name: 'x', data: told },
      ],
      [
        [bytes, [bytes]],
        [told, [told]],
      ],
      [new Map([['a', { b: bytes }]]), { a: { b: told } }],
      [new Set([bytes]), [told]],
    ];
    for (const [holder, expected] of holders) {
      assert.deepEqual(JSON.parse(textOf(await returned(holder)) ?? ''), expected);
    }
    const structured = { content: [], structuredContent: { bytes }, _meta: { bytes } };
    const { result } = await returned(structured);
    assert.deepEqual(result, {
      content: [],
      structuredContent: { bytes: told },
      _meta: { bytes: told },
    });
    assert.equal((await returned(bytes)).result?.isError, true);
  }
  const alike = { type: 'Buffer', data: [1, 2] };
  assert.equal(textOf(await returned({ alike })), JSON.stringify({ alike }), 'an object like one');
  assert.equal(textOf(await returned(alike)), JSON.stringify(alike));
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

test('what JSON would make nothing of is one clear error, and never an empty object', async () => {
  const hidden: readonly (readonly [string, () => unknown])[] = [
    ['Promise', () => Promise.resolve(1)],
    ['Map Iterator', () => new Map([[1, 2]]).values()],
    ['ReadableStream', () => new ReadableStream()],
    ['Response', () => new Response('hello')],
    ['Blob', () => new Blob(['hello'])],
    ['Headers', () => new Headers({ a: 'b' })],
    ['WeakMap', () => new WeakMap()],
  ];
  for (const [kind, make] of hidden) {
    for (const value of [{ rows: make() }, [make()], new Map([['a', make()]])]) {
      const answer = await returned(value);
      assert.equal(answer.result?.isError, true, kind);
      assert.match(textOf(answer) ?? '', new RegExp(`^The tool's result .* it holds a ${kind}`));
    }
  }
  class Empty {
    readonly nothing = undefined;
  }
  const shown = { url: new URL('http://a/b'), map: new Map([['a', 1]]), empty: new Empty() };
  assert.equal(textOf(await returned(shown)), '{"url":"http://a/b","map":{"a":1},"empty":{}}');
  const server = createServer({
    name: 'r',
    resources: [defineResource({ uri: 'a:b', read: () => ({ rows: Promise.resolve(1) }) })],
  });
  const { send } = createBench([server]);
  const read = await send('r', { id: 1, method: 'resources/read', params: { uri: 'a:b' } });
  assert.equal(read.error?.message, "Resource 'a:b' gave something that cannot be sent");
});

test('a generator that is not asynchronous is run in steps as well', async () => {
  const steps: unknown[] = [];
  const tool = simpleTool('steps', function* () {
    yield 'one';
    yield { done: 5, total: 6 };
    return 'done';
  });
  const { call } = createBench([serverWith('x', tool)], {
    onProgress: ({ done, total, message }) => steps.push([done, total, message]),
  });
  assert.equal(textOf(await call('x', 'steps')), 'done');
  assert.deepEqual(steps, [
    [1, undefined, 'one'],
    [5, 6, undefined],
  ]);
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

test('whatever a generator yields is progress, and it runs to its end', async () => {
  const loop: Record<string, unknown> = {};
  loop.me = loop;
  const trap = {
    get done(): number {
      throw new Error('getter');
    },
  };
  const cases: [unknown, ...unknown[]][] = [
    ['one', 1, undefined, 'one'],
    [{ done: 2, total: 3, message: 'half' }, 2, 3, 'half'],
    [{ done: 2, total: 'x', message: 7 }, 2, undefined, undefined],
    [{ a: 1n }, 1, undefined, '{"a":"1"}'],
    [5, 1, undefined, '5'],
    [12n, 1, undefined, '12'],
    [Buffer.alloc(9), 1, undefined, '"(9 bytes)"'],
    [undefined, 1, undefined, undefined],
    [Symbol('s'), 1, undefined, undefined],
    [() => 1, 1, undefined, undefined],
    [loop, 1, undefined, undefined],
    [trap, 1, undefined, undefined],
  ];
  for (const [value, ...expected] of cases) {
    const told: unknown[] = [];
    let closed = 0;
    const tool = simpleTool('steps', async function* () {
      try {
        yield await Promise.resolve(value);
        return 'whole';
      } finally {
        closed += 1;
      }
    });
    const onProgress = ({ done, total, message }: CallProgress) => told.push(done, total, message);
    const { call } = createBench([serverWith('x', tool)], { onProgress });
    assert.equal(textOf(await call('x', 'steps')), 'whole');
    assert.deepEqual([told, closed], [expected, 1]);
  }
});
