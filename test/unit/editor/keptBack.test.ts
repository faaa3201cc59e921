import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createIgnore } from '../../../src/editor/ignoreGlobs';
import { secretKind } from '../../../src/editor/secretFiles';

describe('globs of patchbay.ignore', () => {
  const covered: readonly (readonly [glob: string, path: string, is: boolean])[] = [
    ['*.pem', 'a.pem', true],
    ['*.pem', 'deep/er/a.pem', true],
    ['*.pem', 'a.pem.txt', false],
    ['secrets', 'src/secrets/a/b.ts', true],
    ['secrets/', 'src/secrets/b.ts', true],
    ['/secrets', 'src/secrets/b.ts', false],
    ['/secrets', 'secrets/b.ts', true],
    ['src/private/**', 'src/private/b.ts', true],
    ['./src/private', 'src/private/b.ts', true],
    ['src\\private', 'src/private/b.ts', true],
    ['**/*.{key,crt}', 'a/b.crt', true],
    ['**/*.{key,{p12,pfx}}', 'a/b.key', true],
    ['**/*.{key,{p12,pfx}}', 'b.pfx', true],
    ['**/*.{key,{p12,pfx}}', 'b.txt', false],
    ['{a,b{c,{d,e}f}}/g.ts', 'bef/g.ts', true],
    ['{a,b{c,{d,e}f}}/g.ts', 'bf/g.ts', false],
    ['{src/**,lib/{*.key,*.pem}}', 'lib/a.pem', true],
    ['{secrets,private/keys}', 'a/secrets/b.ts', true],
    ['{secrets,private/keys}', 'private/keys/b.ts', true],
    ['*.{key,pem', 'a/b.pem', true],
    ['*.{key,{p12,pfx}', 'a/b.pfx', true],
    ['*.{key,pem', 'a/b.ts', false],
    ['a,b}.ts', 'x/a,b}.ts', true],
    ['*.[z-a]', 'a/b.k', true],
    ['*.{[z-a],[},]}', 'a/b.}', true],
    ['*.k[!e]y', 'b.kay', true],
    ['*.k[^e]y', 'b.key', false],
    ['[id].ts', 'i.ts', true],
    ['[', '[', true],
    ['src/private/**', 'lib/src/private/b.ts', false],
    ['*', 'anything/at/all', true],
    ['', 'a.ts', false],
    ['  ', 'a.ts', false],
    ['/', 'a.ts', false],
  ];
  for (const [glob, path, is] of covered) {
    it(`${glob} ${is ? 'covers' : 'does not cover'} ${path}`, () => {
      assert.equal(createIgnore([glob], false)(path), is ? glob : undefined);
    });
  }

  it('name the glob that counts, and know letters apart only where the file system does', () => {
    const ignored = createIgnore(['[z-a]', '*.PEM', '*.key'], false);
    assert.deepEqual(
      [ignored('a.key'), ignored('a.pem'), ignored('b.ts')],
      ['*.key', undefined, undefined],
    );
    assert.equal(createIgnore(['*.PEM'], true)('A.pem'), '*.PEM');
  });
});

describe('secrets by name', () => {
  it('are files of the environment and keys, not what shows how one is made', () => {
    const names = {
      environment: [
        '.env',
        '.env.local',
        '.ENV',
        '.env.production.local',
        '.env-old',
        '.envrc',
        '.env~',
        '.envrc.local',
        '.env copy',
      ],
      key: ['id_rsa', 'server.pem', 'a.KEY', '.npmrc', 'prod.tfvars'],
      none: [
        '.env.example',
        '.envrc.example',
        '.env.sample',
        '.env.local.template',
        'env.ts',
        '.environment',
        'id_rsa.pub',
        'key',
        '.envoy.yaml.ts',
      ],
    };
    for (const name of names.environment) assert.equal(secretKind(name), 'environment', name);
    for (const name of names.key) assert.equal(secretKind(name), 'key', name);
    for (const name of names.none) assert.equal(secretKind(name), undefined, name);
  });
});
