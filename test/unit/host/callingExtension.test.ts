import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { callingExtension } from '../../../src/host/callingExtension';
import { inRoot } from '../../harness/paths';

const installed = [
  { id: 'patchbay.patchbay', extensionPath: '/ext/patchbay' },
  { id: 'acme.sample', extensionPath: '/ext/acme sample' },
  { id: 'acme.other', extensionPath: '/ext/acme sample-2' },
  { id: 'win.dows', extensionPath: 'c:\\Users\\Å\\ext\\win' },
  { id: 'in.ner', extensionPath: '/ext/patchbay/test/inner' },
];
const caller = (...frames: string[]) =>
  callingExtension(`Error\n${frames.join('\n')}`, installed, 'patchbay.patchbay');

test('The caller is the first extension in the stack that is not ourselves', () => {
  const own = '    at Object.registerTool (file:///ext/patchbay/dist/extension.js:1:2)';
  assert.equal(caller(own, '    at activate (/ext/acme sample/out/a.js:3:4)'), 'acme.sample');
  assert.equal(caller(own, '    at file:///ext/acme%20sample-2/b.mjs:1:1'), 'acme.other');
  assert.equal(caller(own, '    at x (C:\\users\\Å\\ext\\win\\c.js:1:1)'), 'win.dows');
  assert.equal(caller(own, '    at x (file:///c:/Users/%C3%85/ext/win/c.js:1:1)'), 'win.dows');
  assert.equal(caller(own, '    at y (/ext/patchbay/test/inner/z.js:1:1)'), 'in.ner');
  assert.equal(
    caller(own, '    at node:internal/x:1:1', '    at /srv/code/host.js:1:1'),
    undefined,
  );
  assert.equal(caller(own, '    at broken (file:///ext/%E0%A4%A)'), undefined);
  assert.equal(callingExtension('', installed, 'x'), undefined);
});

test('An extension that is linked into the folder of extensions is known by where its files are', async (t) => {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-linked-')));
  t.after(() => rm(base, { recursive: true }));
  const [source, link] = [path.join(base, 'source'), path.join(base, 'acme.linked')];
  await mkdir(source);
  await writeFile(path.join(source, 'main.cjs'), 'exports.stack = () => new Error().stack;');
  await symlink(source, link);
  const main = createRequire(inRoot('package.json'))(path.join(link, 'main.cjs')) as {
    readonly stack: () => string;
  };
  // It was activated by another one, whose files are in the stack as well.
  const stack = `${main.stack()}\n    at x (/ext/acme sample/out/a.js:3:4)`;
  const all = [...installed, { id: 'acme.linked', extensionPath: link }];
  assert.equal(callingExtension(stack, all, 'patchbay.patchbay'), 'acme.linked');
});
