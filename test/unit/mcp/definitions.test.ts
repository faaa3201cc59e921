import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { number, object, record, string } from 'zod/mini';
import { DefinitionError } from '../../../src/mcp/definitionError';
import { defineTool, type ToolDefinition } from '../../../src/mcp/defineTool';
import type { JsonSchemaInput } from '../../../src/mcp/inputTypes';
import { createServer } from '../../../src/mcp/mcpServer';
import { ServerRegistry } from '../../../src/mcp/registry';
import { createBench, simpleTool, textOf } from './routerFixture';

/** As a tool file in plain JavaScript hands it over, unseen by the compiler. */
function toolWith(name: string, input: unknown): ToolDefinition {
  return defineTool({ name, description: name, input: input as JsonSchemaInput, run: () => name });
}

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof DefinitionError, String(error));
    return error.message;
  }
  return assert.fail('nothing was refused');
}

test('T13: of eight schemas the good ones are listed and each bad one is refused by name and place', async () => {
  const self: Record<string, unknown> = { type: 'object' };
  self.properties = { me: self };
  const server = createServer({ name: 'workspace' });
  const refused = new Map<string, string>();
  const inputs: Record<string, unknown> = {
    good: { type: 'object', properties: { a: { type: 'string' } } },
    draft7: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: {} },
    text: { type: 'string' },
    any: { anyOf: [{ type: 'object' }, { type: 'string' }] },
    node: {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/node' } },
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    },
    self,
    map: { type: 'object', additionalProperties: { type: 'number' } },
    dollar: { type: 'object', properties: { $ref: { type: 'string' } } },
  };
  for (const [name, input] of Object.entries(inputs)) {
    try {
      server.registerTool(toolWith(name, input));
    } catch (error) {
      refused.set(name, (error as Error).message);
    }
  }
  assert.deepEqual(Object.fromEntries(refused), {
    text: "Tool 'text' of server 'workspace': input needs type 'object' at its root",
    any: "Tool 'any' of server 'workspace': input needs type 'object' at its root",
    self: "Tool 'self' of server 'workspace': input.properties.me contains itself; use $defs and $ref",
    dollar:
      "Tool 'dollar' of server 'workspace': input.properties '$ref' may only have 1 to 64 of A-Z a-z 0-9 _ . -",
  });
  const { send, call } = createBench([server]);
  const list = await send('workspace', { id: 1, method: 'tools/list' });
  const tools = list.result?.tools as { name: string }[];
  assert.deepEqual(
    tools.map((tool) => tool.name),
    ['good', 'draft7', 'node', 'map'],
  );
  assert.ok(!JSON.stringify(list).includes('$schema'));
  assert.equal(textOf(await call('workspace', 'node', { tree: { next: { next: {} } } })), 'node');
  const deep = await call('workspace', 'node', { tree: { next: { next: 5 } } });
  assert.match(deep.error?.message ?? '', /tree\.next\.next: expected object, received number 5/);
  assert.equal(textOf(await call('workspace', 'map', { a: 1, b: 2 })), 'map');
  assert.match(
    (await call('workspace', 'map', { a: '1x' })).error?.message ?? '',
    /^a: expected number/m,
  );
});

test('the definitions that make the CLI lose a whole server are refused', () => {
  const server = createServer({ name: 'x' });
  const base = { name: 't', description: '', input: { type: 'object' } as const, run: () => 1 };
  const odd: Record<string, unknown>[] = [
    { input: undefined },
    { input: null },
    { input: 'object' },
    { input: { type: 'array' } },
    { input: { type: 'object', oneOf: [{ type: 'object' }] } },
    { input: { type: 'object', $ref: '#/x' } },
    { input: { type: 'object', properties: null } },
    { input: { type: 'object', properties: { a: 'string' } } },
    { input: { type: 'object', properties: { a: { type: 'int' } } } },
    { input: { type: 'object', properties: { a: { minimum: '1' } } } },
    { input: { type: 'object', properties: { a: { pattern: '(' } } } },
    { input: { type: 'object', required: 'a' } },
    { input: { type: 'object', default: () => 1 } },
    { input: z.object({ when: z.date() }) },
    { input: z.string() },
    { input: { a: z.string(), b: 'text' } },
    { input: { a: { _def: {}, safeParse: () => undefined } } },
    { name: undefined },
    { name: 5 },
    { description: undefined },
    { description: 5 },
    { title: 5 },
    { searchHint: {} },
    { annotations: 'none' },
    { annotations: { readOnlyHint: 'yes' } },
    { timeout: -1 },
    { timeout: 'soon' },
    { meta: { toJSON: () => 'a text' } },
    { meta: { toJSON: () => undefined } },
  ];
  for (const change of odd) {
    const message = refusal(() => server.registerTool(defineTool({ ...base, ...change })));
    assert.ok(message.length > 10 && message.length < 300, message);
  }
  assert.deepEqual(server.tools(), []);
});

test('T14: names are legal or refused, no two become one, and keys of every object are plain names', async () => {
  const server = createServer({ name: 'workspace-tools' });
  const refused: string[] = [];
  const names = [
    'editor.openFiles',
    'editor/openFiles',
    'open files',
    'größe',
    '',
    'n'.repeat(60),
    'a__b',
    'constructor',
    '__proto__',
  ];
  for (const name of names) {
    try {
      server.registerTool(simpleTool(name, () => name));
    } catch {
      refused.push(name);
    }
  }
  assert.deepEqual(refused, names.slice(0, 5));
  assert.match(
    refusal(() => server.registerTool(simpleTool('a__b', () => 1))),
    /'workspace-tools' already has a tool 'a__b'/,
  );
  const { call } = createBench([server]);
  for (const name of names.slice(5))
    assert.equal(textOf(await call('workspace-tools', name)), name);
  assert.equal(
    (await call('workspace-tools', 'toString')).error?.message,
    "Tool 'toString' not found",
  );
});

test('the whole name may have 128 characters and not one more', () => {
  const server = createServer({ name: 's' });
  const room = 128 - 'mcp__s__'.length;
  server.registerTool(simpleTool('n'.repeat(room), () => 1));
  assert.match(
    refusal(() => server.registerTool(simpleTool('m'.repeat(room + 1), () => 1))),
    /129 characters/,
  );
  assert.equal(server.tools().length, 1);
});

test('server names that the CLI would confuse are refused', () => {
  for (const name of ['ide', '', 'my server', 'my.server', 'größe']) {
    refusal(() => createServer({ name }));
  }
  const registry = new ServerRegistry();
  const first = registry.add(createServer({ name: 'my_server' }));
  // A server that another maker built by hand, with a name that only cleaning makes equal.
  const other = { ...createServer({ name: 'other' }), name: 'my.server' };
  assert.equal(
    refusal(() => registry.add(other)),
    "Servers 'my_server' and 'my.server' would both be offered as 'my_server'",
  );
  first.dispose();
  registry.add(createServer({ name: 'my_server' }));
  for (const name of ['constructor', '__proto__', 'toString']) {
    assert.equal(registry.get(name), undefined);
    registry.add(createServer({ name }));
    assert.equal(registry.get(name)?.name, name);
  }
});

test('what the CLI does not take in a handshake is refused by its name', () => {
  // From plain JavaScript anything may come.
  for (const [field, given] of [
    ['version', 2],
    ['version', null],
    ['title', 5],
    ['instructions', ['Read this.']],
  ] as const) {
    const options = { name: 'odd', [field]: given };
    const refusal = new DefinitionError(`Server 'odd': ${field} must be a text`);
    assert.throws(() => createServer(options), refusal);
  }
});

test('tools and servers come and go, each change is told once, and disposing twice does nothing', () => {
  const registry = new ServerRegistry();
  const told: string[] = [];
  registry.onDidChange((change) => told.push(`${change.kind} ${change.server}`));
  const server = createServer({ name: 'x' });
  const added = registry.add(server);
  const tool = server.registerTool(simpleTool('a', () => 1));
  tool.dispose();
  tool.dispose();
  const again = server.registerTool(simpleTool('a', () => 2));
  tool.dispose();
  assert.ok(server.getTool('a'), 'the old handle does not remove the new tool');
  again.dispose();
  added.dispose();
  registry.add(server);
  added.dispose();
  assert.deepEqual(
    registry.list(),
    [server],
    'the old handle does not remove the server added again',
  );
  assert.equal(registry.remove('nosuch'), false);
  assert.deepEqual(told, [
    'added x',
    ...Array<string>(4).fill('toolsChanged x'),
    'removed x',
    'added x',
  ]);
});

test('older drafts are rewritten, nothing is lost, and the author’s schema is not touched', () => {
  const author = {
    type: 'object',
    required: ['range'],
    properties: {
      range: {
        type: 'array',
        items: [{ type: 'integer' }, { type: 'integer' }],
        additionalItems: false,
      },
      size: { type: 'number', minimum: 0, exclusiveMinimum: true },
      open: { type: 'number', maximum: 9, exclusiveMaximum: false },
      any: true,
      kind: { enum: ['a', null, 3], default: 'a' },
    },
    additionalProperties: false,
  } as const;
  const before = JSON.stringify(author);
  assert.deepEqual(toolWith('t', author).inputSchema, {
    type: 'object',
    properties: {
      range: {
        type: 'array',
        prefixItems: [{ type: 'integer' }, { type: 'integer' }],
        items: false,
      },
      size: { type: 'number', exclusiveMinimum: 0 },
      open: { type: 'number', maximum: 9 },
      any: {},
      kind: { enum: ['a', null, 3], default: 'a' },
    },
    required: ['range'],
    additionalProperties: false,
  });
  assert.equal(JSON.stringify(author), before);
});

test('zod kinds survive to the wire: defaults, enums, unions, maps, recursion, whole numbers', () => {
  const node = z.object({
    v: z.string(),
    get kids() {
      return z.array(node);
    },
  });
  const tool = defineTool({
    name: 't',
    description: '',
    input: {
      kind: z.enum(['a', 'b']).default('a'),
      either: z.union([z.string(), z.number()]),
      map: z.record(z.string(), z.number()),
      count: z.int(),
      tree: node.optional(),
    },
    run: () => 1,
  });
  assert.deepEqual(tool.inputSchema.properties, {
    kind: { default: 'a', type: 'string', enum: ['a', 'b'] },
    either: { type: ['string', 'number'] },
    map: { type: 'object', additionalProperties: { type: 'number' } },
    count: { type: 'integer' },
    tree: { $ref: '#/$defs/__schema0' },
  });
  assert.deepEqual(tool.inputSchema.required, ['either', 'map', 'count']);
  assert.equal(tool.inputSchema.additionalProperties, undefined);
  const strict = toolWith('s', z.strictObject({ a: z.string() }));
  assert.equal(strict.inputSchema.additionalProperties, false);
  assert.deepEqual(toolWith('e', {}).inputSchema, { type: 'object', properties: {} });
  assert.deepEqual(toolWith('m', object({ r: record(string(), number()) })).inputSchema.required, [
    'r',
  ]);
});

test('a root that refers to a definition is its target, of zod with an id, by hand, in both drafts', async () => {
  const leaf = z.object({ v: z.string() }).meta({ id: 'Leaf', description: 'One leaf' });
  const tree = z
    .object({
      v: z.string(),
      get kids() {
        return z.array(tree).optional();
      },
    })
    .meta({ id: 'Tree' });
  const node = {
    type: 'object',
    properties: { v: { type: 'string' }, kids: { type: 'array', items: { $ref: '#/$defs/N~1' } } },
    required: ['v'],
  };
  const inputs: Readonly<Record<string, unknown>> = {
    leaf,
    told: leaf.describe('Told'),
    tree,
    hand: { $ref: '#/$defs/N~1', $defs: { 'N/': node } },
    beside: { type: 'object', title: 'T', $ref: '#/$defs/N~1', $defs: { 'N/': node } },
    chain: { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/N~1' }, 'N/': node } },
    draft7: {
      $ref: '#/definitions/N',
      definitions: {
        N: { type: 'object', properties: { v: { type: 'string' } }, required: ['v'] },
      },
    },
  };
  for (const [name, input] of Object.entries(inputs)) {
    const tool = toolWith(name, input);
    assert.equal(tool.inputSchema.type, 'object', name);
    assert.equal(tool.inputSchema.$ref, undefined, name);
    assert.deepEqual(tool.inputSchema.required, ['v'], name);
    const server = createServer({ name: 'x' });
    server.registerTool(tool);
    const { call } = createBench([server]);
    assert.equal(textOf(await call('x', name, { v: 'a' })), name);
    assert.match((await call('x', name, { v: 1 })).error?.message ?? '', /^v: expected string/m);
    if (!('kids' in (tool.inputSchema.properties as object))) continue;
    const kids = [{ v: 'b', kids: [{ v: 'c' }] }];
    assert.equal(textOf(await call('x', name, { v: 'a', kids })), name);
    const bad = await call('x', name, { v: 'a', kids: [{ v: 'b', kids: [{ v: 1 }] }] });
    assert.match(bad.error?.message ?? '', /^kids\[0\]\.kids\[0\]\.v: expected string/m);
  }
  // What nothing refers to is not sent.
  assert.deepEqual(toolWith('leaf', leaf).inputSchema, {
    type: 'object',
    properties: { v: { type: 'string' } },
    required: ['v'],
    description: 'One leaf',
  });
  assert.equal(toolWith('told', inputs.told).inputSchema.description, 'Told');
  assert.deepEqual(Object.keys(toolWith('tree', tree).inputSchema.$defs as object), ['Tree']);
  assert.deepEqual(Object.keys(toolWith('a', inputs.draft7).inputSchema), [
    ...['type', 'properties', 'required'],
  ]);
});

test('a root that refers to nothing, to itself or to no object is refused, and so is what says two things', () => {
  const $defs = {
    loop: { $ref: '#/$defs/loop' },
    text: { type: 'string' },
    any: { anyOf: [{ type: 'object' }] },
    object: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  };
  const roots: readonly object[] = [
    ...[
      { $ref: '#' },
      { $ref: '#/$defs/none' },
      { $ref: '#/$defs/loop' },
      { $ref: '#/$defs/text' },
    ],
    ...[
      { $ref: '#/$defs/any' },
      { $ref: 'https://example.invalid/s' },
      { $ref: '#/$defs/toString' },
    ],
    { $ref: '#/$defs/object', properties: { b: { type: 'string' } } },
    { $ref: '#/$defs/object', required: ['b'] },
  ];
  for (const root of roots) {
    for (const more of [{}, { type: 'object' }]) {
      const message = refusal(() => toolWith('t', { ...more, ...root, $defs }).inputSchema);
      assert.match(message, /at its root/, JSON.stringify(root));
    }
  }
});

test('what may be anything, or must not be there, goes out as an object: the official client takes no truth value', () => {
  const { inputSchema } = toolWith('t', {
    type: 'object',
    properties: { any: true, none: false, some: { type: 'array', items: true } },
  });
  assert.deepEqual(inputSchema.properties, {
    any: {},
    none: { not: {} },
    some: { type: 'array', items: true },
  });
  const listed = ListToolsResultSchema.safeParse({ tools: [{ name: 't', inputSchema }] });
  assert.ok(listed.success, listed.error?.message);
});

test('a schema that is too deep or too large is refused and takes no time', () => {
  let deep: unknown = { type: 'string' };
  for (let level = 0; level < 5000; level += 1) deep = { type: 'array', items: deep };
  assert.match(
    refusal(() => toolWith('d', { type: 'object', properties: { deep } }).inputSchema),
    /nested too deeply/,
  );
  let wide: object = { type: 'string' };
  for (let level = 0; level < 25; level += 1)
    wide = { type: 'object', properties: { a: wide, b: wide } };
  assert.match(
    refusal(() => toolWith('w', wide).inputSchema),
    /too large/,
  );
});
