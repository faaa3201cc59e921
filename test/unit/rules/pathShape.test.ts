import fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  pathKey,
  segmentsBelow,
  createShaper,
  shapePath,
  shapeUri,
  uriKey,
  type Platform,
} from '../../../src/rules/pathShape';

const file = (path: string, authority = '') => ({ scheme: 'file', authority, path });

test('T19: the spellings of one file are one key on its platform', () => {
  const same: readonly (readonly [Platform, ...string[]])[] = [
    [
      'win32',
      'C:\\Work\\My App\\src\\a b.ts',
      'c:/work/my app/src/a b.ts',
      '\\\\?\\C:\\Work\\My App\\src\\a b.ts',
      'C:\\Work\\.\\My App\\lib\\..\\src\\\\A B.TS',
    ],
    [
      'win32',
      '\\\\wsl.localhost\\Distro\\home\\dev\\a.ts',
      '//WSL.localhost/distro/home/dev/a.ts',
      '\\\\?\\UNC\\wsl.localhost\\Distro\\home\\dev\\a.ts',
    ],
    ['win32', 'P:\\', 'p:/', 'P:\\.'],
    ['darwin', '/Users/ann/caf\u00e9.ts', '/users/Ann/cafe\u0301.ts'],
    ['linux', '/srv/50%/a#b?c.ts', '/srv//./50%/x/../a#b?c.ts'],
  ];
  for (const [platform, first = '', ...others] of same) {
    for (const other of others) {
      assert.equal(pathKey(other, platform), pathKey(first, platform), other);
    }
  }
});

test('T19: what differs on its platform has keys that differ', () => {
  const different: readonly (readonly [Platform, string, string])[] = [
    ['linux', '/w/A.ts', '/w/a.ts'],
    ['linux', '/w/caf\u00e9.ts', '/w/cafe\u0301.ts'],
    ['linux', '/w/a\\b.ts', '/w/a/b.ts'],
    ['linux', '/srv/50%/a', '/srv/50%25/a'],
    ['linux', '/a/b.ts', 'a/b.ts'],
    ['win32', 'C:\\Work\\a.ts', '/mnt/c/Work/a.ts'],
    ['win32', 'C:\\Work\\a.ts', 'D:\\Work\\a.ts'],
    ['win32', '\\\\host\\one\\a.ts', '\\\\host\\two\\a.ts'],
    ['win32', 'P:\\a', 'P:a'],
  ];
  for (const [platform, one, two] of different) {
    assert.notEqual(pathKey(one, platform), pathKey(two, platform), `${one} and ${two}`);
  }
});

test('T19: a file URI and the path that it means have one key, on each platform', () => {
  const pairs: readonly (readonly [Platform, ReturnType<typeof file>, string])[] = [
    ['win32', file('/c:/Work/a.ts'), 'C:\\Work\\a.ts'],
    ['win32', file('/Distro/home/a.ts', 'wsl.localhost'), '\\\\wsl.localhost\\Distro\\home\\a.ts'],
    ['win32', file('/p:/'), 'P:\\'],
    ['linux', file('/srv/50%/a#b?c.ts'), '/srv/50%/a#b?c.ts'],
    ['linux', file('/c:/Work/a.ts'), '/c:/Work/a.ts'],
    ['darwin', file('/Users/Ann/a.ts'), '/users/ann/a.ts'],
  ];
  for (const [platform, uri, path] of pairs) {
    assert.equal(uriKey(uri, platform), pathKey(path, platform), path);
  }
});

test('T19: what is remote or virtual never becomes local, and keeps its letters', () => {
  const remote = { scheme: 'vscode-remote', authority: 'ssh-remote+box', path: '/srv/a.ts' };
  for (const platform of ['win32', 'darwin', 'linux']) {
    assert.notEqual(uriKey(remote, platform), pathKey('/srv/a.ts', platform));
    assert.notEqual(uriKey(remote, platform), uriKey({ ...remote, path: '/srv/A.ts' }, platform));
    assert.notEqual(
      uriKey(remote, platform),
      uriKey({ ...remote, authority: 'ssh-remote+other' }, platform),
    );
    const here = shapeUri(file('/srv'), platform);
    assert.equal(segmentsBelow(shapeUri(remote, platform), here), undefined);
    assert.equal(
      segmentsBelow(shapePath('/srv/a.ts', platform), shapeUri(remote, platform)),
      undefined,
    );
  }
});

test('A way out of a folder by dots is outside, spelled in any way', () => {
  for (const path of ['/w/app/../x', '/w/app/src/../../x', '/w/app/./../x']) {
    assert.equal(segmentsBelow(shapePath(path, 'linux'), shapePath('/w/app', 'linux')), undefined);
    assert.equal(
      segmentsBelow(shapeUri(file(path), 'linux'), shapeUri(file('/w/app'), 'linux')),
      undefined,
    );
  }
});

test('many paths in turn have the shapes that each has by itself', () => {
  const part = fc.constantFrom('a', 'B.ts', '..', '.', '', 'c:', 'x\\y', 'é', 'n:s', 'end. ');
  const paths = fc.array(
    fc
      .tuple(fc.constantFrom('', '/', '//', 'c:/', '\\\\s\\h\\'), fc.array(part, { maxLength: 4 }))
      .map(([root, parts]) => root + parts.join('/')),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(paths, fc.constantFrom('linux', 'darwin', 'win32'), (given, platform) => {
      const shapeOf = createShaper(platform);
      assert.deepEqual(
        given.map((path) => shapeOf(path)),
        given.map((path) => shapePath(path, platform)),
      );
    }),
    { numRuns: 500 },
  );
});
