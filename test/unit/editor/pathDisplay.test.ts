import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  displayPath,
  type FolderParts,
  nearestNames,
  parsePath,
  pathDistance,
  type PathWorld,
  readRelative,
  spellings,
} from '../../../src/editor/pathDisplay';
import { type UriParts, uriKey } from '../../../src/rules/pathShape';

function file(path: string, authority = ''): UriParts {
  return { scheme: 'file', authority, path };
}

function world(
  platform: PathWorld['platform'],
  ...folders: [name: string, path: string][]
): PathWorld {
  return {
    platform,
    folders: folders.map(([name, path]): FolderParts => ({ name, ...file(path) })),
  };
}

const linux = world('linux', ['app', '/work/my app']);
const windows = world('win32', ['My App', '/c:/Work/My App']);
const multi = world('linux', ['web', '/w/web'], ['api', '/w/api'], ['web', '/other/web']);

describe('pathDisplay', () => {
  it('shows files below the folder relative to it', () => {
    assert.equal(displayPath(file('/work/my app/src/a b.ts'), linux), 'src/a b.ts');
    assert.equal(displayPath(file('/work/my app'), linux), '.');
    assert.equal(displayPath(file('/work/my app2/a.ts'), linux), '/work/my app2/a.ts');
  });

  it('puts the folder before the path where there are several, told apart when names are equal', () => {
    assert.equal(displayPath(file('/w/api/a.ts'), multi), 'api/a.ts');
    assert.equal(displayPath(file('/other/web/a.ts'), multi), 'web~2/a.ts');
  });

  it('reads each path that it shows, whatever the folders are called', () => {
    const kinds: readonly (readonly string[])[] = [
      ['packages/core', 'packages', 'packages/core/src'],
      ['a', 'a', 'a~2', 'a~2~2'],
      ['a~2', 'a', 'a'],
      ['./x', 'x//y', '..', 'b: c'],
    ];
    for (const platform of ['linux', 'win32'] as const) {
      for (const names of kinds) {
        const all = world(
          platform,
          ...names.map((name, n): [string, string] => [name, `/c:/${n}`]),
          ['back\\slash', '/c:/last'],
        );
        const shown = all.folders.map(({ path }) => displayPath(file(`${path}/in/a.ts`), all));
        assert.equal(new Set(shown).size, all.folders.length, String(shown));
        shown.forEach((text = '', folder) => {
          const [first] = readRelative(text, all);
          assert.deepEqual(first, { folder, path: 'in/a.ts' }, text);
        });
      }
    }
  });

  it('takes the innermost of nested folders', () => {
    const nested = world('linux', ['all', '/w'], ['inner', '/w/inner']);
    assert.equal(displayPath(file('/w/inner/a.ts'), nested), 'inner/a.ts');
  });

  it('says of a file among others the same as of the file alone', () => {
    const worlds = [
      linux,
      multi,
      windows,
      world('linux', ['all', '/w'], ['inner', '/w/inner'], ['deep', '/w/inner/a.ts']),
      world('win32', ['all', '/c:/W'], ['inner', '/c:/w/Inner']),
      world('darwin', ['all', '/w'], ['inner', '/w/caf\u00e9']),
      world('win32', ['share', '/c:/W'], ['unc', '/w']),
    ];
    const folders = ['/w', '/w/inner', '/W/INNER', '/c:/W', '/C:/w/inner', '/work/my app', '/', ''];
    const names = [
      'a.ts',
      'inner',
      'Inner',
      'a b.ts',
      '..',
      '.',
      '',
      'cafe\u0301',
      'b.',
      'w',
      'x:y',
    ];
    for (const one of worlds) {
      for (const folder of folders) {
        for (const name of [...names, ...names.toReversed()]) {
          const uri = file(`${folder}/${name}`);
          const alone = { ...one, folders: [...one.folders] };
          assert.equal(displayPath(uri, one), displayPath(uri, alone), `${folder}/${name}`);
        }
      }
    }
  });

  it('takes the spellings of one Windows file for one', () => {
    for (const path of ['/c:/work/my app/src/a b.ts', '/C:/Work/My App/src/a b.ts']) {
      assert.equal(displayPath(file(path), windows), 'src/a b.ts');
    }
    const keys = ['/c:/p/a.ts', '/C:/P/A.ts'].map((path) => uriKey(file(path), 'win32'));
    assert.equal(keys[0], keys[1]);
  });

  it('keeps files apart that differ in case or in composition where the platform does', () => {
    const composed = file('/a/caf\u00e9.ts');
    const decomposed = file('/a/cafe\u0301.ts');
    assert.notEqual(uriKey(composed, 'linux'), uriKey(decomposed, 'linux'));
    assert.equal(uriKey(composed, 'darwin'), uriKey(decomposed, 'darwin'));
    assert.notEqual(uriKey(file('/a/B.ts'), 'linux'), uriKey(file('/a/b.ts'), 'linux'));
  });

  it('shows files outside as absolute paths of their platform, network shares too', () => {
    assert.equal(displayPath(file('/d:/x/a.ts'), windows), 'd:/x/a.ts');
    assert.equal(displayPath(file('/p:/'), windows), 'p:/');
    const share = file('/Distro/home/dev/a.ts', 'wsl.localhost');
    assert.equal(displayPath(share, windows), '//wsl.localhost/Distro/home/dev/a.ts');
    assert.equal(displayPath(file('/mnt/c/Work/a.ts'), linux), '/mnt/c/Work/a.ts');
    assert.equal(displayPath(file('/srv/50%/a#b?c.ts'), linux), '/srv/50%/a#b?c.ts');
  });

  it('never takes a remote or virtual file for a local one', () => {
    const remote = {
      scheme: 'vscode-remote',
      authority: 'ssh-remote+box',
      path: '/work/my app/a.ts',
    };
    assert.equal(displayPath(remote, linux), undefined);
    assert.equal(
      displayPath({ scheme: 'untitled', authority: '', path: 'Untitled-1' }, linux),
      undefined,
    );
  });

  it('reads relative, absolute and URI input', () => {
    assert.deepEqual(parsePath('./src//a b.ts', linux), {
      kind: 'relative',
      places: [{ folder: 0, path: 'src/a b.ts' }],
    });
    assert.deepEqual(parsePath('/srv/50%/a#b?c.ts', linux), {
      kind: 'absolute',
      path: '/srv/50%/a#b?c.ts',
    });
    for (const uri of ['file:///c%3A/Work/a.ts', 'untitled:Untitled-1', 'vscode-remote://h/a.ts']) {
      assert.deepEqual(parsePath(uri, linux), { kind: 'uri', uri });
    }
  });

  it('takes a file at the top with a line for no URI', () => {
    for (const path of ['a.ts:12', 'package.json:12:5', 'Makefile:3']) {
      assert.deepEqual(parsePath(path, linux), { kind: 'relative', places: [{ folder: 0, path }] });
    }
  });

  it('reads a name with a colon as a path too', () => {
    assert.deepEqual(readRelative(' ./note:a.txt', linux), [{ folder: 0, path: 'note:a.txt' }]);
    assert.deepEqual(readRelative('api/x:y.ts', multi)[0], { folder: 1, path: 'x:y.ts' });
  });

  it('knows the spellings of a name with accents, as it came first', () => {
    assert.deepEqual(spellings('src/a b.ts'), ['src/a b.ts']);
    const [composed, decomposed] = ['caf\u00e9.ts', 'cafe\u0301.ts'];
    assert.deepEqual(spellings(composed), [composed, decomposed]);
    assert.deepEqual(spellings(decomposed), [decomposed, composed]);
  });

  it('reads drive letters, back slashes and shares on Windows only', () => {
    for (const path of ['C:\\Work\\a.ts', 'c:/Work/a.ts', 'P:\\', '\\\\wsl.localhost\\D\\a.ts']) {
      assert.deepEqual(parsePath(path, windows), { kind: 'absolute', path });
    }
    assert.deepEqual(parsePath('src\\a.ts', windows), {
      kind: 'relative',
      places: [{ folder: 0, path: 'src/a.ts' }],
    });
    assert.deepEqual(parsePath('a\\b.ts', linux), {
      kind: 'relative',
      places: [{ folder: 0, path: 'a\\b.ts' }],
    });
  });

  it('tries the named folder first and then all', () => {
    assert.deepEqual(parsePath('api/x.ts', multi), {
      kind: 'relative',
      places: [
        { folder: 1, path: 'x.ts' },
        { folder: 0, path: 'api/x.ts' },
        { folder: 1, path: 'api/x.ts' },
        { folder: 2, path: 'api/x.ts' },
      ],
    });
  });

  it('keeps a way out of the folder visible', () => {
    assert.deepEqual(parsePath('src/../../secret.ts', linux), {
      kind: 'relative',
      places: [{ folder: 0, path: '../secret.ts' }],
    });
  });

  it('reads what it shows', () => {
    for (const path of ['/w/web/a.ts', '/w/api/src/b.ts', '/other/web/c d.ts']) {
      const input = parsePath(displayPath(file(path), multi)!, multi);
      assert.equal(input.kind, 'relative');
      const [first] = input.places;
      assert.equal(`${multi.folders[first!.folder]!.path}/${first!.path}`, path);
    }
  });

  it('finds the nearest names by the file name first', () => {
    const known = ['src/cart/total.ts', 'src/cart/totals.ts', 'lib/order.ts', 'src/other.ts'];
    assert.deepEqual(nearestNames('src/cart/totls.ts', known), [
      'src/cart/totals.ts',
      'src/cart/total.ts',
      'src/other.ts',
    ]);
  });

  it('finds the nearest names of a text of any length without a stall', () => {
    const known = Array.from({ length: 3_000 }, (_, index) => `src/folder/module${index}.ts`);
    const started = performance.now();
    const near = nearestNames(`${'text '.repeat(400_000)}/src/folder/module7.tx`, known);
    assert.ok(performance.now() - started < 2_000);
    assert.equal(near[0], 'src/folder/module7.ts');
  });

  it('measures nearness by folders', () => {
    assert.equal(pathDistance('/a/b/c.ts', '/a/b/c.ts'), 0);
    assert.equal(pathDistance('/a/b/c.ts', '/a/b/d.ts'), 1);
    assert.equal(pathDistance('/a/b/c.ts', '/a/x/y/d.ts'), 4);
  });
});
