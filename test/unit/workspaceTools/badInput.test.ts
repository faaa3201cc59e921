import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createToolRoom } from './toolRoom';

const A = '.patchbay/tools/a.tool.ts';

/** A tool file with one export each, in the order given. */
function exportsOf(tools: Readonly<Record<string, string>>): string {
  const lines = Object.entries(tools).map(
    ([name, options]) =>
      `export const ${name} = defineTool({ description: 'd', run: (input) => input, ${options} });`,
  );
  return ["import { defineTool, z } from 'patchbay';", ...lines, ''].join('\n');
}

test('T13 in a tool file: the good ones of eight schemas are offered, each bad one is a fault at its line', async (t) => {
  const room = await createToolRoom(t);
  const self = `const self: Record<string, unknown> = { type: 'object' };\nself.properties = { me: self };\n`;
  const tools = exportsOf({
    good: `input: { type: 'object', properties: { a: { type: 'string' } } }`,
    draft7: `input: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: {} }`,
    text: `input: { type: 'string' }`,
    any: `input: { anyOf: [{ type: 'object' }, { type: 'string' }] }`,
    node: `input: { type: 'object', properties: { tree: { $ref: '#/$defs/node' } }, $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } } }`,
    itself: `input: self`,
    map: `input: { type: 'object', additionalProperties: { type: 'number' } }`,
    dollar: `input: { type: 'object', properties: { $ref: { type: 'string' } } }`,
  });
  await room.write(A, tools.replace('\n', `\n${self}`));
  await room.look();
  assert.deepEqual([...room.names()].sort(), ['draft7', 'good', 'map', 'node']);
  const faults = room.file('a.tool.ts')?.faults ?? [];
  // The import and two lines of `self` come first.
  assert.deepEqual(
    Object.fromEntries(faults.map(({ line, message }) => [/'(\w+)'/.exec(message)?.[1], line])),
    { text: 6, any: 7, itself: 9, dollar: 11 },
  );
  const deep = await room.call('node', { tree: { next: { next: 5 } } });
  assert.match(deep.text, /tree\.next\.next: expected object, received number 5/);
});

test('T14 in a tool file: names of any kind become legal ones or a fault, and keys of every object are plain names', async (t) => {
  const room = await createToolRoom(t);
  const names = ['editor.openFiles', 'editor/openFiles', 'open files', 'größe', '', 'a__b'];
  const odd = ['constructor', 'toString', '__proto__', 'x'.repeat(200)];
  const tools = [...names, ...odd].map((name, at) => [`t${at}`, `name: ${JSON.stringify(name)}`]);
  await room.write(A, exportsOf(Object.fromEntries(tools) as Record<string, string>));
  await room.look();
  const offered = room.names();
  assert.ok(offered.length > 0);
  assert.equal(new Set(offered).size, offered.length, 'each name is one tool');
  for (const name of offered) assert.match(name, /^[A-Za-z0-9_-]{1,128}$/);
  const faults = room.file('a.tool.ts')?.faults ?? [];
  assert.equal(offered.length + faults.length, tools.length, 'each is offered, or a fault');
  for (const { line, message } of faults) {
    assert.ok(line !== undefined && line > 1, message);
  }
  const unknown = await room.call('hasOwnProperty');
  assert.match(unknown.text, /'hasOwnProperty' not found/);
});

test('T15 in a tool file: JSON text is read where no text is wanted, everything else is told by field', async (t) => {
  const room = await createToolRoom(t);
  const zod = `input: { paths: z.array(z.string()), limit: z.int().optional(), note: z.string().optional() }`;
  const json = `input: { type: 'object', properties: { paths: { type: 'array' }, limit: { type: 'integer' }, note: { type: 'string' } }, required: ['paths'] }`;
  await room.write(A, exportsOf({ byZod: zod, bySchema: json }));
  await room.look();
  for (const tool of ['byZod', 'bySchema']) {
    const good = await room.call(tool, { paths: '["src/a b.ts"]', limit: '10', note: '[1,2]' });
    assert.deepEqual(JSON.parse(good.text), { paths: ['src/a b.ts'], limit: 10, note: '[1,2]' });
    const bad: readonly (readonly [object, RegExp])[] = [
      [{ paths: 'not json' }, /^paths: expected array, received string "not json"$/m],
      [{}, /^paths: expected array, received nothing$/m],
      [{ paths: [], limit: 'ten' }, /^limit: expected (?:integer|int|number), received string/m],
      [{ paths: 'x'.repeat(2_000_000) }, /^paths: expected array, received string/m],
    ];
    for (const [input, words] of bad) {
      const answer = await room.call(tool, input);
      assert.ok(answer.isError, tool);
      assert.match(answer.text, words);
      assert.ok(answer.text.length < 2_000, 'what came is not said again at length');
    }
  }
});
