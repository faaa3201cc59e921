import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import {
  CompleteResultSchema,
  GetPromptResultSchema,
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ReadResourceResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { createDeferred } from '../../../src/base/deferred';
import { definePrompt } from '../../../src/mcp/definePrompt';
import { defineResource } from '../../../src/mcp/defineResource';
import { createServer, type McpServerDefinition } from '../../../src/mcp/mcpServer';
import { createToolContext } from '../../../src/mcp/toolContext';
import { type Answer, createBench, simpleTool } from './routerFixture';

const owners = ['Ann', 'Anton', 'Bea'];

function notes(): McpServerDefinition {
  return createServer({
    name: 'notes',
    resources: [
      defineResource({
        uri: 'note://one',
        name: 'First note',
        title: 'The first note',
        description: 'A note',
        mimeType: 'text/plain',
        read: () => 'hello',
      }),
      defineResource({
        uri: 'todo://{owner}{?open}',
        mimeType: 'application/json',
        list: () => owners.map((owner) => ({ uri: `todo://${owner}`, name: owner })),
        read: ({ owner, open }) => (owners.includes(owner) ? { owner, open } : undefined),
        complete: { owner: (value) => owners.filter((owner) => owner.startsWith(value)) },
      }),
      defineResource({
        uri: 'pic://a',
        mimeType: 'image/png',
        read: () => new Uint8Array([1, 2, 3]),
      }),
      defineResource({
        uri: 'bad://list',
        read: () => {
          throw new Error('no such note');
        },
      }),
      defineResource({
        uri: 'slow://{id}',
        list: () => Promise.reject(new Error('no list')),
        read: ({ id }) => Promise.resolve(id),
      }),
    ],
    prompts: [
      definePrompt({
        name: 'review',
        title: 'Review a file',
        description: 'Asks for a review',
        arguments: {
          file: z.string().describe('Path of the file'),
          depth: z.enum(['quick', 'deep']).default('quick'),
        },
        run: ({ file, depth }) => [
          { role: 'user', text: `Review ${file} (${depth})` },
          { role: 'assistant', text: 'Gladly' },
        ],
        complete: { file: (value, others) => [`${value}.ts`, others.depth ?? '-'] },
      }),
      definePrompt({ name: 'hello', run: () => 'Say hello' }),
    ],
  });
}

const bench = (options = {}) => {
  const made = createBench([notes()], options);
  let id = 0;
  const ask = (method: string, params?: unknown): Promise<Answer> =>
    made.send('notes', { jsonrpc: '2.0', id: (id += 1), method, params });
  return { ...made, ask };
};

test('what a server has is declared, and its lists are as the official schemas want them', async () => {
  const { ask } = bench();
  const initialized = await ask('initialize', {});
  assert.deepEqual(initialized.result?.capabilities, {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    completions: {},
  });
  const resources = (await ask('resources/list')).result;
  assert.equal(ListResourcesResultSchema.safeParse(resources).success, true);
  assert.deepEqual(
    (resources?.resources as { uri: string }[]).map(({ uri }) => uri),
    ['note://one', 'todo://Ann', 'todo://Anton', 'todo://Bea', 'pic://a', 'bad://list'],
    'a template whose list fails hides no other',
  );
  assert.deepEqual((resources?.resources as unknown[])[0], {
    uri: 'note://one',
    name: 'First note',
    title: 'The first note',
    description: 'A note',
    mimeType: 'text/plain',
  });
  const templates = (await ask('resources/templates/list')).result;
  assert.equal(ListResourceTemplatesResultSchema.safeParse(templates).success, true);
  assert.equal((templates?.resourceTemplates as unknown[]).length, 2);
  const prompts = (await ask('prompts/list')).result;
  assert.equal(ListPromptsResultSchema.safeParse(prompts).success, true);
  assert.deepEqual(prompts?.prompts, [
    {
      name: 'review',
      title: 'Review a file',
      description: 'Asks for a review',
      arguments: [
        { name: 'file', description: 'Path of the file', required: true },
        { name: 'depth', required: false },
      ],
    },
    { name: 'hello' },
  ]);
});

test('resources are read by fixed URI and by template, as text, JSON and bytes', async () => {
  const { ask, router } = bench();
  const contents = async (uri: string): Promise<unknown> => {
    const { result, error } = await ask('resources/read', { uri });
    if (error) return error;
    assert.equal(ReadResourceResultSchema.safeParse(result).success, true);
    return (result?.contents as unknown[])[0];
  };
  assert.deepEqual(await contents('note://one'), {
    uri: 'note://one',
    mimeType: 'text/plain',
    text: 'hello',
  });
  assert.deepEqual(await contents('todo://Ann?open=yes'), {
    uri: 'todo://Ann?open=yes',
    mimeType: 'application/json',
    text: '{"owner":"Ann","open":"yes"}',
  });
  assert.deepEqual(await contents('pic://a'), {
    uri: 'pic://a',
    mimeType: 'image/png',
    blob: 'AQID',
  });
  assert.deepEqual(await contents('slow://7'), { uri: 'slow://7', text: '7' });
  assert.deepEqual(await contents('todo://Zoe'), {
    code: -32002,
    message: "Resource 'todo://Zoe' not found",
  });
  assert.deepEqual(await contents('constructor'), {
    code: -32002,
    message: "Resource 'constructor' not found",
  });
  assert.deepEqual(await contents('bad://list'), {
    code: -32603,
    message: 'resources/read failed: no such note',
  });
  const bad = await ask('resources/read', { uri: 5 });
  assert.deepEqual(bad.error, {
    code: -32602,
    message: 'Invalid params for resources/read:\nuri: expected string, received number 5',
  });
  assert.equal(router.openCalls, 0);
});

test('what a resource cannot send is our fault and told as such, everything else is sent', async () => {
  const self: Record<string, unknown> = {};
  self.me = self;
  const give = async (value: unknown): Promise<Answer> => {
    const server = createServer({
      name: 'x',
      resources: [defineResource({ uri: 'a:b', read: () => value })],
    });
    return createBench([server]).send('x', {
      id: 1,
      method: 'resources/read',
      params: { uri: 'a:b' },
    });
  };
  const good: [unknown, object][] = [
    ['\ud83d', { uri: 'a:b', text: '\ufffd' }],
    [
      { text: 'x', mimeType: 'text/html' },
      { uri: 'a:b', mimeType: 'text/html', text: 'x' },
    ],
    [
      { data: new Uint8Array([1]), mimeType: 'a/b' },
      { uri: 'a:b', mimeType: 'a/b', blob: 'AQ==' },
    ],
    [new Uint8Array([1]).buffer, { uri: 'a:b', blob: 'AQ==' }],
    [[1, 2], { uri: 'a:b', mimeType: 'application/json', text: '[1,2]' }],
    [7, { uri: 'a:b', mimeType: 'application/json', text: '7' }],
    [{ contents: [{ uri: 'a:c', text: 'x' }] }, { uri: 'a:c', text: 'x' }],
    [{ contents: [{ text: 'x' }] }, { uri: 'a:b', text: 'x' }],
  ];
  for (const [value, expected] of good) {
    const answer = await give(value);
    assert.deepEqual((answer.result?.contents as unknown[])[0], expected);
  }
  for (const value of [self, () => 1, { contents: [{ uri: 'a:b' }] }, { contents: [null] }]) {
    assert.equal((await give(value)).error?.code, -32603);
  }
});

test('prompts are rendered with their arguments, and bad ones are told by field and by name', async () => {
  const { ask } = bench();
  const get = async (params: unknown) => ask('prompts/get', params);
  const good = await get({ name: 'review', arguments: { file: 'a.ts' } });
  assert.equal(GetPromptResultSchema.safeParse(good.result).success, true);
  assert.deepEqual(good.result, {
    description: 'Asks for a review',
    messages: [
      { role: 'user', content: { type: 'text', text: 'Review a.ts (quick)' } },
      { role: 'assistant', content: { type: 'text', text: 'Gladly' } },
    ],
  });
  assert.deepEqual((await get({ name: 'hello' })).result?.messages, [
    { role: 'user', content: { type: 'text', text: 'Say hello' } },
  ]);
  const texts = [
    (await get({ name: 'review', arguments: { depth: 'x' } })).error,
    (await get({ name: 'nope' })).error,
    (await get({})).error,
  ];
  assert.deepEqual(texts, [
    {
      code: -32602,
      message:
        'Invalid arguments for prompt \'review\':\nfile: expected string, received nothing\ndepth: expected one of "quick", "deep", received string "x"',
    },
    { code: -32602, message: "Prompt 'nope' not found; there are review, hello" },
    {
      code: -32602,
      message: 'Invalid params for prompts/get:\nname: expected string, received nothing',
    },
  ]);
});

test('arguments of prompts and variables of templates are completed, at most a hundred at once', async () => {
  const { ask } = bench();
  const complete = async (ref: unknown, argument: unknown, context?: unknown) => {
    const { result, error } = await ask('completion/complete', { ref, argument, context });
    if (error) return error.message.split('\n').at(-1);
    assert.equal(CompleteResultSchema.safeParse(result).success, true);
    return (result?.completion as { values: string[] }).values;
  };
  const prompt = { type: 'ref/prompt', name: 'review' };
  assert.deepEqual(await complete(prompt, { name: 'depth', value: 'd' }), ['deep']);
  const context = { arguments: { depth: 'deep', odd: 5 } };
  assert.deepEqual(await complete(prompt, { name: 'file', value: 'src/a' }, context), [
    'src/a.ts',
    'deep',
  ]);
  assert.deepEqual(await complete(prompt, { name: 'toString', value: '' }), []);
  const template = { type: 'ref/resource', uri: 'todo://{owner}{?open}' };
  assert.deepEqual(await complete(template, { name: 'owner', value: 'An' }), ['Ann', 'Anton']);
  assert.deepEqual(await complete(template, { name: 'open', value: '' }), []);
  assert.match(
    String(await complete({ type: 'ref/prompt', name: 'no' }, { name: 'a', value: '' })),
    /there are review/,
  );
  assert.match(
    String(await complete({ type: 'ref/resource', uri: 'no' }, { name: 'a', value: '' })),
    /'no' not found/,
  );
  assert.match(
    String(await complete({ type: 'other' }, { name: 'a', value: '' })),
    /^ref\.type: expected/,
  );
  assert.match(String(await complete(prompt, { name: 'a' })), /^argument\.value: expected string/);
  assert.match(String(await complete(prompt, undefined)), /^argument\.name: expected string/);

  const many = Array.from({ length: 250 }, (_, i) => `v${i}`);
  const server = createServer({
    name: 'x',
    prompts: [
      definePrompt({
        name: 'p',
        arguments: { a: z.string() },
        run: () => '',
        complete: { a: () => many },
      }),
    ],
  });
  const { result } = await createBench([server]).send('x', {
    id: 1,
    method: 'completion/complete',
    params: { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } },
  });
  assert.deepEqual(result?.completion, { values: many.slice(0, 100), total: 250, hasMore: true });
});

test('long lists come in pages, also when entries go meanwhile, and a cursor of nobody’s is refused', async () => {
  const server = createServer({ name: 'x', pageSize: 3 });
  for (let i = 0; i < 8; i += 1) {
    server.registerTool(simpleTool(`t${i}`, () => i));
    server.registerPrompt(definePrompt({ name: `t${i}`, run: () => '' }));
    server.registerResource(defineResource({ uri: `t${i}:x`, read: () => '' }));
    server.registerResource(defineResource({ uri: `t${i}:{a}/b`, read: () => '' }));
  }
  const { send } = createBench([server]);
  const page = async (method: string, cursor?: string) =>
    (await send('x', { id: 1, method, params: cursor === undefined ? {} : { cursor } })).result!;
  for (const [method, key] of [
    ['tools/list', 'tools'],
    ['prompts/list', 'prompts'],
    ['resources/list', 'resources'],
    ['resources/templates/list', 'resourceTemplates'],
  ] as const) {
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const result = await page(method, cursor);
      sizes.push((result[key] as unknown[]).length);
      cursor = result.nextCursor as string | undefined;
    } while (cursor !== undefined);
    assert.deepEqual(sizes, [3, 3, 2], method);
  }
  const first = await page('tools/list');
  server.unregister('tool', 't0');
  const second = await page('tools/list', first.nextCursor as string);
  assert.deepEqual(
    (second.tools as { name: string }[]).map(({ name }) => name),
    ['t3', 't4', 't5'],
  );
  server.unregister('tool', 't5');
  const third = await page('tools/list', second.nextCursor as string);
  assert.ok((third.tools as { name: string }[]).some(({ name }) => name === 't7'));
  for (const cursor of ['', 'x', 5, null, {}, '3:t3', '[]', '["t3"]', '["t3",4]', '{"0":"a"}']) {
    const answer = await send('x', { id: 1, method: 'tools/list', params: { cursor } });
    assert.equal(answer.error?.code, -32602);
  }
});

test('the host reads and renders directly, with a context of its own', async () => {
  const server = notes();
  const ctx = createToolContext();
  assert.deepEqual(await server.readResource('note://one', ctx), {
    contents: [{ uri: 'note://one', mimeType: 'text/plain', text: 'hello' }],
  });
  await assert.rejects(server.readResource('note://two', ctx), { code: -32002 });
  const { messages } = await server.renderPrompt('hello', undefined, ctx);
  assert.equal(messages.length, 1);
  await assert.rejects(server.renderPrompt('nope', {}, ctx), { code: -32602 });
});

test('lists of resources are asked for together, and one that never comes hides none of the others', async () => {
  const asked: string[] = [];
  const template = (name: string, list: () => unknown) =>
    defineResource({
      uri: `${name}://{id}`,
      read: () => '',
      list: () => {
        asked.push(name);
        return list() as Promise<[]>;
      },
    });
  const never = () => new Promise(() => undefined);
  const late = createDeferred<readonly { uri: string }[]>();
  const server = createServer({
    name: 'x',
    resources: [
      template('hangs', never),
      template('hangs-too', never),
      template('late', () => late.promise),
      template('throws', () => {
        throw new Error('at once');
      }),
      template('stops', function* () {
        yield { uri: 'stops://1' };
        throw new Error('in the middle');
      }),
      template('odd', () => 5),
      template('good', () => [{ uri: 'good://1' }, null, { uri: 5 }]),
      defineResource({ uri: 'fixed://1', read: () => '' }),
    ],
  });
  const { send, logged } = createBench([server]);
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const answer = send('x', { jsonrpc: '2.0', id: 1, method: 'resources/list' });
    await new Promise(setImmediate);
    assert.equal(asked.length, 7, 'none waits for another');
    late.resolve([{ uri: 'late://1' }]);
    await new Promise(setImmediate);
    mock.timers.tick(10_000);
    const { resources } = (await answer).result ?? {};
    assert.deepEqual(
      (resources as { uri: string }[]).map(({ uri }) => uri),
      ['late://1', 'stops://1', 'good://1', 'fixed://1'],
    );
  } finally {
    mock.timers.reset();
  }
  for (const name of ['hangs', 'hangs-too']) {
    const line = `Resources of ${name}://{id} could not be listed: It did not name its resources within 10 s`;
    assert.ok(logged.some((each) => each.includes(line)));
  }
});

test('a prompt that returns an error, alone or among its messages, fails with its words', async () => {
  const down = () => new Error('The tracker is down');
  const answers = [down(), Promise.resolve(down()), ['fine', down()], { messages: [down()] }];
  const server = createServer({ name: 'x' });
  for (const [i, answer] of answers.entries()) {
    const name = `p${i}`;
    server.registerPrompt(definePrompt({ name, run: () => answer as never }));
    const params = { name };
    const { send } = createBench([server]);
    const { error } = await send('x', { jsonrpc: '2.0', id: 1, method: 'prompts/get', params });
    assert.deepEqual(error, { code: -32603, message: 'prompts/get failed: The tracker is down' });
  }
});
