import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRecord } from '../../../src/mcp/wire';
import { createToolRoom, says, type ToolRoom } from './toolRoom';

const A = '.patchbay/tools/a.tool.ts';
const HEAD = "import { defineTool, definePrompt, defineResource, z } from 'patchbay';\n";

async function ask(
  room: ToolRoom,
  method: string,
  params: object,
): Promise<Record<string, unknown>> {
  const answer = await room.router.route(
    'workspace',
    { jsonrpc: '2.0', id: 1, method, params },
    { requestId: method },
  );
  const result: unknown = Reflect.get(answer, 'result') ?? Reflect.get(answer, 'error');
  assert.ok(isRecord(result));
  return result;
}

function faults(
  room: ToolRoom,
  file = 'a.tool.ts',
): (readonly [string, number | undefined, string])[] {
  return room.file(file)!.faults.map(({ kind, line, message }) => [kind, line, message] as const);
}

test('a name is the given one, else that of the export, else that of the file', async (t) => {
  const room = await createToolRoom(t);
  await room.write(
    '.patchbay/tools/my file.größe.tool.ts',
    `${HEAD}export default defineTool({ description: 'd', run: () => 1 });
export const second = defineTool({ description: 'd', run: () => 2 });
const third = defineTool({ description: 'd', run: () => 3 });
export { third as renamed, third as $cash };
export const other = defineTool({ name: 'given-name', description: 'd', run: () => 4 });
export function notATool() {}
`,
  );
  await room.look();
  assert.deepEqual(room.names(), ['my_file_gr__e', 'second', '_cash', 'renamed', 'given-name']);
  assert.deepEqual(
    faults(room, 'my file.größe.tool.ts').map(([kind, line]) => [kind, line]),
    [['definition', 7]],
  );
});

test('tools, prompts and resources come from one file', async (t) => {
  const room = await createToolRoom(t);
  await room.write(
    A,
    `${HEAD}export default defineTool({ description: 'd', run: () => 1 });
export const review = definePrompt({ description: 'p', arguments: z.object({ what: z.string() }), run: ({ what }, ctx) => [{ role: 'user', text: what + ctx.vscode.version }] });
export const todos = defineResource({ uri: 'todo://{owner}', list: (ctx) => [{ uri: 'todo://' + ctx.vscode.version }], read: ({ owner }, ctx) => owner + ctx.workspaceFolder.name });
`,
  );
  await room.look();
  assert.deepEqual(room.file('a.tool.ts')?.state, {
    kind: 'ready',
    offers: [
      { kind: 'tool', name: 'a' },
      { kind: 'prompt', name: 'review' },
      { kind: 'resource', name: 'todo://{owner}' },
    ],
  });
  const prompt = await ask(room, 'prompts/get', { name: 'review', arguments: { what: 'x' } });
  assert.deepEqual(prompt.messages, [{ role: 'user', content: { type: 'text', text: 'xtest' } }]);
  const read = await ask(room, 'resources/read', { uri: 'todo://ada' });
  assert.deepEqual(read.contents, [{ uri: 'todo://ada', mimeType: undefined, text: 'adawork' }]);
  const list = await ask(room, 'resources/list', {});
  assert.match(JSON.stringify(list), /todo:\/\/test/);
});

test('one bad export never hides a good one, and each is told at its line (T13, T14)', async (t) => {
  const room = await createToolRoom(t);
  const tool = (fields: string): string =>
    `defineTool({ description: 'd', run: () => 1, ${fields} })`;
  const exported: readonly (readonly [string, string, RegExp | undefined])[] = [
    ['good', tool('input: {}'), undefined],
    [
      'draft',
      tool("input: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }"),
      undefined,
    ],
    ['text', tool("input: { type: 'string' }"), /input/],
    ['anyOf', tool("input: { anyOf: [{ type: 'object' }, { type: 'object' }] }"), /input/],
    ['map', tool("input: { type: 'object', additionalProperties: { type: 'number' } }"), undefined],
    [
      'loop',
      tool('input: (() => { const o = { type: "object" }; o.properties = { o }; return o; })()'),
      /input/,
    ],
    ['slash', tool("name: 'editor/openFiles'"), /may only have letters/],
    ['empty', tool("name: ''"), /may only have letters/],
    ['number', tool('name: 5'), /must be a text/],
    ['long', tool("name: 'x'.repeat(120)"), /at most 128/],
    ['proto', tool("name: '__proto__'"), undefined],
    ['constructor_', tool("name: 'constructor'"), undefined],
    ['nothing', 'defineTool()', /needs an object/],
    ['noRun', "defineTool({ description: 'd' })", /run must be a function/],
    ['noText', 'defineTool({ run: () => 1 })', /description/],
    [
      'getter',
      "defineTool({ get description() { throw new Error('gotcha'); }, run: () => 1 })",
      /gotcha/,
    ],
    ['date', tool('input: { at: z.date() }'), /JSON Schema/],
    ['plain', '5', /was not made by defineTool/],
    ['nil', 'null', /was not made by defineTool/],
    ['timeout', tool("timeout: 'soon'"), /timeout/],
    ['edits', tool("edits: () => ['/etc/passwd']"), undefined],
  ];
  const lines = exported.map(([name, code]) => `export const ${name} = ${code};`);
  await room.write(A, HEAD + lines.join('\n'));
  await room.look();
  const good = exported.filter(([, , fault]) => fault === undefined).map(([name]) => name);
  const renamed = good.map(
    (name) => ({ proto: '__proto__', constructor_: 'constructor' })[name] ?? name,
  );
  assert.deepEqual(room.names(), renamed);
  const told = new Map(faults(room).map(([, line, message]) => [line, message]));
  for (const [index, [name, , fault]] of exported.entries()) {
    if (fault === undefined) assert.equal(told.get(index + 2), undefined, name);
    else assert.match(told.get(index + 2) ?? '', fault, name);
  }
  assert.equal((await room.call('constructor')).text, '1');
  assert.equal((await room.call('__proto__')).text, '1');
  assert.match((await room.call('toString')).text, /Tool 'toString' not found/);
  assert.equal('edits' in room.registry.get('workspace')!.getTool('edits')!, false);
});

test('a field that is misspelt is a problem of the file, and what an author adds of their own is none', async (t) => {
  const room = await createToolRoom(t);
  const tool = (more: string): string =>
    `import { defineTool, z } from 'patchbay';
export default defineTool({ description: 'd', ${more}, run() { return this.own?.() ?? 'ran'; } });`;
  await room.write('.patchbay/tools/fields.tool.js', tool(`inputs: { a: z.string() }, timeOut: 5`));
  await room.write('.patchbay/tools/hints.tool.js', tool(`annotations: { readonlyHint: true }`));
  await room.write(
    '.patchbay/tools/own.tool.js',
    tool(`own: () => 'mine', notes: ['x'], runs() {}, input: {}, timeout: 5, inputs: 1`),
  );
  await room.look();
  const told = (name: string): readonly string[] =>
    room.file(`${name}.tool.js`)?.faults.map(({ line, message }) => `${line} ${message}`) ?? [];
  assert.deepEqual(told('fields'), [
    "2 There is no field 'inputs', so it counts for nothing. Is it 'input'?",
    "2 There is no field 'timeOut', so it counts for nothing. Is it 'timeout'?",
  ]);
  assert.deepEqual(told('hints'), [
    "2 annotations has no 'readonlyHint', so it counts for nothing. It has title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint.",
  ]);
  assert.deepEqual(told('own'), []);
  // They are offered all the same.
  assert.deepEqual([...room.names()].sort(), ['fields', 'hints', 'own']);
  assert.equal((await room.call('own')).text, 'mine');
});

test('a name that another file has is refused for the later one, which names both, until the first lets go of it', async (t) => {
  const room = await createToolRoom(t);
  const named = says('first').replace('description', "name: 'same', description");
  await room.write(A, named);
  await room.write(
    '.patchbay/tools/b.tool.ts',
    `${named.replace('first', 'second')}export const own = defineTool({ description: 'd', run: () => 1 });`,
  );
  await room.look();
  assert.equal((await room.call('same')).text, 'first');
  assert.deepEqual(room.file('b.tool.ts')?.state, {
    kind: 'ready',
    offers: [{ kind: 'tool', name: 'own' }],
  });
  const [[kind, line, message] = []] = faults(room, 'b.tool.ts');
  assert.deepEqual([kind, line], ['duplicate', 3]);
  assert.match(message ?? '', /\.patchbay\/tools\/a\.tool\.ts.*\.patchbay\/tools\/b\.tool\.ts/);
  await room.remove(A);
  await room.look();
  assert.equal((await room.call('same')).text, 'second');
  assert.deepEqual(faults(room, 'b.tool.ts'), []);
});

test('names that become equal after cleaning, and twins in one file, are told apart or refused', async (t) => {
  const room = await createToolRoom(t);
  await room.write('.patchbay/tools/a b.tool.ts', says('space'));
  await room.write('.patchbay/tools/a.b.tool.ts', says('dot'));
  await room.write(
    '.patchbay/tools/twins.tool.ts',
    `${HEAD}export const one = defineTool({ name: 'x', description: 'd', run: () => 1 });\nexport const two = defineTool({ name: 'x', description: 'd', run: () => 2 });`,
  );
  await room.look();
  assert.deepEqual(room.names(), ['a_b', 'x']);
  assert.match(faults(room, 'a.b.tool.ts')[0]?.[2] ?? '', /'a_b' is defined in/);
  assert.match(faults(room, 'twins.tool.ts')[0]?.[2] ?? '', /defined twice/);
  assert.equal((await room.call('a_b')).text, 'space');
});

const tool = (text: string): string =>
  `defineTool({ description: 'd', run: () => ${JSON.stringify(text)} })`;

const COMMON: readonly (readonly [how: string, text: string, names: readonly string[]])[] = [
  ['one', `module.exports = ${tool('a')};`, ['a']],
  [
    'one with another',
    `module.exports = ${tool('a')};\nmodule.exports.b = ${tool('b')};`,
    ['a', 'b'],
  ],
  ['several', `module.exports = { b: ${tool('b')}, c: ${tool('c')} };`, ['b', 'c']],
  ['several by name', `exports.b = ${tool('b')};\nexports.c = ${tool('c')};`, ['b', 'c']],
  ['a default by name', `exports.default = ${tool('a')};\nexports.b = ${tool('b')};`, ['a', 'b']],
  ['one in an object', `module.exports = { default: ${tool('a')} };`, ['a']],
];

for (const [how, text, names] of COMMON) {
  test(`of a CommonJS file what it exports is offered, and nothing else of it is a fault: ${how}`, async (t) => {
    const room = await createToolRoom(t);
    await room.write(
      '.patchbay/tools/a.tool.cjs',
      `const { defineTool } = require('patchbay');\n${text}\n`,
    );
    await room.look();
    assert.deepEqual(room.names(), names);
    for (const name of names) assert.equal((await room.call(name)).text, name);
    assert.deepEqual(room.file('a.tool.cjs')?.faults, []);
  });
}

test('a file without anything to offer says so', async (t) => {
  const room = await createToolRoom(t);
  await room.write(A, 'const x = 1;');
  await room.write('.patchbay/tools/b.tool.cjs', 'module.exports = 5;');
  await room.write('.patchbay/tools/c.tool.ts', '');
  await room.look();
  for (const file of ['a.tool.ts', 'b.tool.cjs', 'c.tool.ts']) {
    assert.equal(room.file(file)?.state.kind, 'failed', file);
    assert.match(faults(room, file)[0]?.[2] ?? '', /exports no tool/, file);
  }
});

test('exports that would pollute prototypes do not', async (t) => {
  const room = await createToolRoom(t);
  const evil = `JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')`;
  await room.write(A, `export default ${evil};`);
  await room.write('.patchbay/tools/b.tool.cjs', `module.exports = ${evil};`);
  await room.write(
    '.patchbay/tools/c.tool.ts',
    `const x = { polluted: true };\nexport { x as __proto__, x as constructor };\n${says('c')}`,
  );
  await room.write(
    '.patchbay/tools/d.tool.ts',
    `${HEAD}export default defineTool(Object.assign(${evil}, { description: 'd', run: () => 'd' }));`,
  );
  await room.look();
  assert.equal(Reflect.get({}, 'polluted'), undefined);
  assert.equal(room.file('a.tool.ts')?.state.kind, 'failed');
  assert.equal(room.file('b.tool.cjs')?.state.kind, 'failed');
  assert.equal((await room.call('c')).text, 'c');
  assert.equal((await room.call('d')).text, 'd');
});

test("isolation: 'worker' is read from the source, and such a file never runs in the host", async (t) => {
  const room = await createToolRoom(t);
  const worker = says('w').replace('description', "isolation: 'worker', description");
  await room.write(
    A,
    worker.replace('export default', 'globalThis.ranInHost = true;\nexport default'),
  );
  await room.write(
    '.patchbay/tools/b.tool.ts',
    says('w', "const where = { ['isolation']: 'wor' + 'ker' } as const;").replace(
      'description',
      '...where, description',
    ),
  );
  await room.look();
  assert.equal(room.file('a.tool.ts')?.isolation, 'worker');
  assert.match(faults(room)[0]?.[2] ?? '', /cannot run here/);
  assert.equal(Reflect.get(globalThis, 'ranInHost'), undefined);
  assert.match(faults(room, 'b.tool.ts')[0]?.[2] ?? '', /Write isolation: 'worker' as a text/);
});

test('the hint that a tool only reads is told only where a rule allows the tool', async (t) => {
  const room = await createToolRoom(t);
  await room.write(
    A,
    says('one').replace(
      'description',
      'annotations: { readOnlyHint: true, title: "T" }, description',
    ),
  );
  await room.look();
  const listed = (): unknown => room.registry.get('workspace')?.listTools()[0]?.annotations;
  assert.deepEqual(listed(), { title: 'T' });
  room.allowed.add('mcp__workspace__a');
  await room.look();
  assert.deepEqual(listed(), { title: 'T', readOnlyHint: true });
  room.allowed.clear();
  await room.look();
  assert.deepEqual(listed(), { title: 'T' });
});
