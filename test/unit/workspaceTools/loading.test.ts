import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { createToolRoom, says, type ToolRoom } from './toolRoom';

const A = '.patchbay/tools/a.tool.ts';

async function install(
  room: ToolRoom,
  name: string,
  manifest: object,
  files: Record<string, string>,
): Promise<void> {
  const home = path.join(room.folder, 'node_modules', name);
  await mkdir(home, { recursive: true });
  await writeFile(path.join(home, 'package.json'), JSON.stringify({ name, ...manifest }));
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(home, file), text);
}

test('TypeScript runs as it is: enums, types, parameter properties, decorators, await at the top', async (t) => {
  const room = await createToolRoom(t);
  await room.write(
    A,
    `import { defineTool, type InputOf } from 'patchbay';
import type { Missing } from './not-there';
enum Colour { Red = 1, Green }
namespace Space { export const inside = 'in'; }
function mark(target: unknown) { void target; }
@mark
class Point { constructor(private readonly x: number, public y = 2) {} get sum(): number { return this.x + this.y; } }
const later = await Promise.resolve('later');
abstract class Base { declare field: Missing; }
export default defineTool({
  description: 'Shows.',
  run: () => [Colour.Green, Colour[1], Space.inside, new Point(3).sum, later, Base.name, import.meta.url.startsWith('file:'), typeof import.meta.dirname],
});
`,
  );
  await room.look();
  assert.deepEqual(room.file('a.tool.ts')?.faults, []);
  assert.deepEqual(JSON.parse((await room.call('a')).text), [
    2,
    'Red',
    'in',
    5,
    'later',
    'Base',
    true,
    'string',
  ]);
});

test('all five endings are tool files, modules and CommonJS alike, at any depth', async (t) => {
  const room = await createToolRoom(t);
  const common = `const { defineTool } = require('patchbay');\nmodule.exports = defineTool({ description: 'd', run: () => __filename.slice(-8) });\n`;
  await room.write('.patchbay/tools/one.tool.ts', says('1'));
  await room.write('.patchbay/tools/deep/er/two.tool.mts', says('2'));
  await room.write('.patchbay/tools/three.tool.js', says('3'));
  await room.write('.patchbay/tools/four.tool.mjs', says('4'));
  await room.write('.patchbay/tools/five.tool.cjs', common);
  await room.write('.patchbay/tools/six.tool.js', common);
  await room.write('.patchbay/tools/no.ts', says('no'));
  await room.write('.patchbay/other/no.tool.ts', says('no'));
  await room.write('.patchbay/tools/node_modules/x/no.tool.ts', says('no'));
  await room.look();
  assert.deepEqual([...room.names()].sort(), ['five', 'four', 'one', 'six', 'three', 'two']);
  assert.equal((await room.call('two')).text, '2');
  assert.equal((await room.call('five')).text, 'tool.cjs');
  assert.deepEqual(
    room.tools.folders().flatMap(({ files }) => files.flatMap(({ faults }) => faults)),
    [],
  );
});

test('a first line that says by what the file is run is passed over, and the lines stay', async (t) => {
  const room = await createToolRoom(t);
  const thrown = `() => { throw new Error('at ' + new Error().stack.split('\\n')[1].match(/:(\\d+):/)[1]); }`;
  for (const mark of ['', '\ufeff']) {
    await room.write(
      A,
      `${mark}#!/usr/bin/env node\nimport { defineTool } from 'patchbay';\nexport default defineTool({ description: 'd', run: ${thrown} });`,
    );
    await room.look();
    assert.deepEqual(room.file('a.tool.ts')?.faults, []);
    assert.equal((await room.call('a')).text, 'Tool error: at 3');
  }
});

test('files of .patchbay import each other, rings and JSON included, by import and by require', async (t) => {
  const room = await createToolRoom(t);
  await room.write(
    A,
    `import { defineTool } from 'patchbay';
import data, { inner } from '../data.json' with { type: 'json' };
import { left } from './ring-left';
import common, { named } from './common.cjs';
import * as folder from './folder';
const lazy = await import('./lazy.js');
export default defineTool({ description: 'd', run: async () => [data.inner, inner, left(), common.named, named, folder.index, lazy.lazy, (await import('./later')).later] });
`,
  );
  await room.write('.patchbay/data.json', '\ufeff{"inner": [1, {"__proto__": 2}]}');
  await room.write(
    '.patchbay/tools/ring-left.ts',
    `import { right } from './ring-right';\nexport const name = 'L';\nexport function left() { return right() + name; }`,
  );
  await room.write(
    '.patchbay/tools/ring-right.ts',
    `import { name } from './ring-left';\nexport function right() { return 'R' + name; }`,
  );
  await room.write(
    '.patchbay/tools/common.cjs',
    `const { left } = require('./ring-left');\nexports.named = typeof left + require('../data.json').inner.length;`,
  );
  await room.write('.patchbay/tools/folder/index.ts', `export const index = 'i';`);
  await room.write('.patchbay/tools/lazy.ts', `export const lazy = 'z';`);
  await room.write('.patchbay/tools/later.ts', `export const later = 'l';`);
  await room.look();
  assert.deepEqual(room.file('a.tool.ts')?.faults, []);
  const inner = [1, JSON.parse('{"__proto__":2}')];
  assert.deepEqual(JSON.parse((await room.call('a')).text), [
    inner,
    inner,
    'RLL',
    'function2',
    'function2',
    'i',
    'z',
    'l',
  ]);
});

test('files that wait for each other in a ring, each from its own side, do not wait for ever', async (t) => {
  const room = await createToolRoom(t);
  await room.write(A, says('done', `await Promise.all([import('./x'), import('./y')]);`));
  await room.write(
    '.patchbay/tools/x.ts',
    `import './y'; export const x = await Promise.resolve(1);`,
  );
  await room.write(
    '.patchbay/tools/y.ts',
    `import './x'; export const y = await Promise.resolve(1);`,
  );
  await room.look();
  assert.equal((await room.call('a')).text, 'done');
});

test('a relative import that leads out of .patchbay is refused at its line', async (t) => {
  const room = await createToolRoom(t);
  await room.write('src/secret.ts', 'export const secret = 1;');
  const outside = path.join(room.folder, 'src/secret.ts');
  for (const specifier of [
    '../../src/secret',
    outside,
    `file://${outside}`,
    '..',
    '../../.patchbay-not/x',
  ]) {
    await room.write(
      A,
      `import { defineTool } from 'patchbay';\n\nimport '${specifier}';\nexport default defineTool({ description: 'd', run: () => 1 });\n`,
    );
    await room.look();
    const [fault] = room.file('a.tool.ts')!.faults;
    assert.equal(fault?.kind, 'import', specifier);
    assert.equal(fault.line, 3);
    assert.match(fault.message, /leads out of \.patchbay/);
    assert.equal(room.file('a.tool.ts')?.state.kind, 'failed');
  }
});

test('an import of a file that is not there is a fault, and mends itself when the file comes', async (t) => {
  const room = await createToolRoom(t);
  await room.write(A, says('one', "import './x';"));
  await room.look();
  assert.match(room.file('a.tool.ts')?.faults[0]?.message ?? '', /'\.\/x' is not there/);
  await room.write('.patchbay/tools/x.ts', 'export const x = 1;');
  await room.look();
  assert.equal((await room.call('a')).text, 'one');
});

test('packages come from the node_modules of the workspace folder, whatever kind they are', async (t) => {
  const room = await createToolRoom(t);
  await install(room, 'plain', { main: 'main.js' }, { 'main.js': 'exports.kind = "common";' });
  await install(
    room,
    'modern',
    {
      type: 'module',
      exports: {
        '.': { import: './m.js' },
        './sub/*': './*.js',
        './package.json': './package.json',
      },
    },
    {
      'm.js': 'export const kind = "esm"; export default 5;',
      'extra.js': 'export const extra = "x";',
    },
  );
  await install(
    room,
    '@scope/dual',
    { exports: { import: './m.mjs', require: './c.cjs' } },
    { 'm.mjs': 'export const kind = "import";', 'c.cjs': 'exports.kind = "require";' },
  );
  await room.write(
    A,
    `import { defineTool } from 'patchbay';
import plain, { kind } from 'plain';
import five, { kind as modern } from 'modern';
import { extra } from 'modern/sub/extra';
import manifest from 'modern/package.json' with { type: 'json' };
import { kind as dual } from '@scope/dual';
import { join } from 'node:path';
import fs from 'fs';
export default defineTool({ description: 'd', run: () => [plain.kind, kind, five, modern, extra, manifest.name, dual, join('a', 'b'), typeof fs.readFileSync] });
`,
  );
  await room.write(
    '.patchbay/tools/b.tool.cjs',
    `const { defineTool } = require('patchbay');\nconst dual = require('@scope/dual');\nmodule.exports = defineTool({ description: 'd', run: () => dual.kind + require('path').sep });`,
  );
  await room.look();
  assert.deepEqual(room.file('a.tool.ts')?.faults, []);
  assert.deepEqual(JSON.parse((await room.call('a')).text), [
    'common',
    'common',
    5,
    'esm',
    'x',
    'modern',
    'import',
    path.join('a', 'b'),
    'function',
  ]);
  assert.equal((await room.call('b')).text, `require${path.sep}`);
});

test('a missing package, one above the folder, and one of .patchbay are a clear fault at the import', async (t) => {
  const room = await createToolRoom(t);
  const above = path.join(path.dirname(room.folder), 'node_modules/above');
  await mkdir(above, { recursive: true });
  await writeFile(path.join(above, 'index.js'), 'module.exports = 1;');
  await room.write('.patchbay/node_modules/own/index.js', 'module.exports = 1;');
  for (const name of ['left-pad', 'above', 'own', '@none/none/sub', '#own']) {
    await room.write(A, says('one', `import '${name}';`));
    await room.look();
    const [fault] = room.file('a.tool.ts')!.faults;
    assert.equal(fault?.kind, 'import', name);
    assert.equal(fault.line, 2);
    assert.match(fault.message, /is not in the node_modules of this workspace folder/);
  }
});

test('no way leads out of a package by its name', async (t) => {
  const room = await createToolRoom(t);
  await install(room, 'plain', {}, { 'index.js': 'exports.a = 1;' });
  await install(room, 'open', { exports: { './*': './*' } }, { 'index.js': 'exports.a = 1;' });
  await room.write('outside.cjs', 'exports.kind = "not asked about";');
  const ways = ['plain/../../outside.cjs', 'open/../../outside.cjs', 'plain/sub/../../../outside'];
  for (const way of ways) {
    await room.write(A, says('one', `import { kind } from '${way}';\nconsole.log(kind);`));
    const required = `const { kind } = require('${way}');\nrequire('patchbay');\nconsole.log(kind);`;
    await room.write('.patchbay/tools/b.tool.cjs', required);
    await room.look();
    for (const name of ['a.tool.ts', 'b.tool.cjs']) {
      const [fault] = room.file(name)!.faults;
      assert.equal(fault?.kind, 'import', `${way} in ${name}`);
    }
  }
  assert.doesNotMatch(room.log.join('\n'), /not asked about/);
});

test("'patchbay' is always ours, whatever the workspace has installed, and zod is whole", async (t) => {
  const room = await createToolRoom(t);
  await install(room, 'patchbay', {}, { 'index.js': 'throw new Error("the wrong one");' });
  await room.write(
    A,
    `import * as all from 'patchbay';\nimport * as vscode from 'vscode';\nexport default all.defineTool({ description: 'd', input: { at: all.z.iso.date().optional() }, run: () => [typeof all.definePrompt, typeof all.defineResource, vscode.version] });\n`,
  );
  await room.look();
  assert.deepEqual(JSON.parse((await room.call('a')).text), ['function', 'function', 'test']);
});

test('a syntax error is told at its place, in a tool file and in what it imports', async (t) => {
  const room = await createToolRoom(t);
  await room.write(A, `import { defineTool } from 'patchbay';\nconst x = ;\n`);
  await room.write('.patchbay/tools/b.tool.ts', says('b', "import './broken';"));
  await room.write('.patchbay/tools/broken.ts', `\n\n  let 3;`);
  await room.write('.patchbay/tools/c.tool.ts', says('c', "import '../data.json';"));
  await room.write('.patchbay/data.json', '{"a": }');
  await room.write('.patchbay/tools/good.tool.ts', says('good'));
  await room.look();
  const a = room.file('a.tool.ts')!;
  assert.equal(a.state.kind, 'failed');
  assert.deepEqual([a.faults[0]?.kind, a.faults[0]?.line, a.faults[0]?.column], ['syntax', 2, 11]);
  assert.equal(a.faults[0]?.message, 'Unexpected token');
  const [b] = room.file('b.tool.ts')!.faults;
  assert.deepEqual([b?.kind, b?.line, path.basename(b?.path ?? '')], ['syntax', 3, 'broken.ts']);
  const [c] = room.file('c.tool.ts')!.faults;
  assert.deepEqual([c?.kind, path.basename(c?.path ?? '')], ['syntax', 'data.json']);
  assert.equal((await room.call('good')).text, 'good');
});

test('what throws while it is loaded is told at the line that threw', async (t) => {
  const room = await createToolRoom(t);
  await room.write(
    A,
    `import { defineTool } from 'patchbay';\nimport { fail } from './lib';\nfail();\n`,
  );
  await room.write(
    '.patchbay/tools/lib.ts',
    `interface Long {\n  a: string;\n}\nexport function fail(): never {\n  throw new TypeError('no way');\n}`,
  );
  for (const [index, thrown] of [
    "'text'",
    'null',
    '{ toString() { throw 1; } }',
    'undefined',
  ].entries()) {
    await room.write(`.patchbay/tools/t${index}.tool.ts`, `throw ${thrown};`);
  }
  await room.look();
  const [fault] = room.file('a.tool.ts')!.faults;
  assert.deepEqual(
    [fault?.kind, fault?.line, path.basename(fault?.path ?? '')],
    ['load', 5, 'lib.ts'],
  );
  assert.match(fault?.message ?? '', /no way/);
  for (const index of [0, 1, 2, 3])
    assert.equal(room.file(`t${index}.tool.ts`)?.faults[0]?.kind, 'load');
});

test('process.exit while it is loaded is refused and ends nothing', async (t) => {
  const room = await createToolRoom(t);
  const ways = [
    'process.exit(3)',
    'process.abort()',
    "process.kill(process.pid, 'SIGKILL')",
    "(await import('node:process')).default.exit()",
  ];
  for (const [index, way] of ways.entries())
    await room.write(`.patchbay/tools/p${index}.tool.ts`, `${way};`);
  await room.look();
  for (const [index, way] of ways.entries()) {
    assert.match(
      room.file(`p${index}.tool.ts`)?.faults[0]?.message ?? '',
      /is not for tool files/,
      way,
    );
  }
});

test('a file that never comes to its end does not hold the others', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const room = await createToolRoom(t);
  await room.write(A, says('a', 'await new Promise(() => undefined);'));
  await room.write('.patchbay/tools/b.tool.ts', says('b'));
  await room.tools.refresh();
  const until = async (done: () => boolean): Promise<void> => {
    while (!done()) {
      t.mock.timers.tick(10);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await until(() => room.file('b.tool.ts')?.state.kind === 'ready');
  assert.equal((await room.call('b')).text, 'b');
  assert.equal(room.file('a.tool.ts')?.state.kind, 'loading');
  await until(() => room.file('a.tool.ts')?.state.kind === 'failed');
  assert.match(
    room.file('a.tool.ts')?.faults[0]?.message ?? '',
    /did not come to its end within 10 s/,
  );
});
