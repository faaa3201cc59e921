import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import {
  createEditorRoom,
  type EditorRoom,
  plantedFile,
  plantedPath,
  replaceAll,
  show,
  usePlantedRoom,
} from './editorRoom';
import { placeIn, referenceProvider, roomWithout } from './placeProviders';

const SHAPES = `/** Anything with a size. */
export interface Shape {
  area(): number;
}

/**
 * A square, see {@link Shape}.
 */
export class Square implements Shape {
  constructor(readonly side: number) {}
  area(): number {
    return times(this.side, this.side);
  }
}

export class Disc implements Shape {
  area(): number {
    return times(times(2, 2), 3);
  }
}

export function times(a: number, b: number): number {
  return a * b;
}
`;
const MEASURE = `import { type Shape, Square } from './navShapes';

const square: Square = new Square(3);

export function measure(shape: Shape): number {
  return shape.area();
}

export function measureAll(): number {
  return measure(square) + [measure(square)].length;
}
`;

describe('the tools that follow symbols', () => {
  let room: EditorRoom;
  const shapes = plantedPath('src/navShapes.ts');
  const uses = plantedPath('src/navMeasure.ts');

  usePlantedRoom(
    (made) => {
      room = made;
    },
    {
      plant: async () => {
        await writeFile(plantedFile('src/navShapes.ts'), SHAPES);
        await writeFile(plantedFile('src/navMeasure.ts'), MEASURE);
      },
    },
  );

  async function told(tool: string, input: object): Promise<string> {
    const { text, isError } = await room.call(tool, input);
    assert.equal(isError, false, text);
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0, 'no tab');
    return text;
  }

  async function refused(tool: string, input: object): Promise<string> {
    const { text, isError } = await room.call(tool, input);
    assert.equal(isError, true, text);
    assert.ok(text.length <= 240, text);
    return text;
  }

  describe('references', () => {
    it('gives each use by file with its line, the declaration first and marked', async () => {
      assert.equal(
        await told('references', { path: shapes, symbol: 'times' }),
        [
          "4 references to 'times' in 1 file",
          shapes,
          ' 12:12 return times(this.side, this.side);',
          ' 18:12 return times(times(2, 2), 3);',
          ' 18:18 return times(times(2, 2), 3);',
          ' 22:17 declaration: export function times(a: number, b: number): number {',
        ].join('\n'),
      );
    });

    it('takes any file in which the symbol occurs, and tells the files that it names', async () => {
      const text = await told('references', { path: uses, symbol: 'Square' });
      assert.match(
        text,
        /^4 references to 'Square' in 2 files\nplanted files\/src\/navShapes\.ts\n/,
      );
      assert.match(text, /\n 9:14 declaration: export class Square implements Shape \{\n/);
      assert.match(text, /\n 3:15 const square: Square = new Square\(3\);\n 3:28 const square/);
      assert.deepEqual(
        room.files.map(({ path }) => path),
        [shapes, uses],
      );
    });

    it('asks which one is meant where a name has several meanings', async () => {
      const text = await told('references', { path: shapes, symbol: 'area' });
      assert.match(text, /^3 places may be meant by 'area'\./);
      const one = await told('references', { path: shapes, symbol: 'Disc.area' });
      assert.match(one, /^\d references to 'area' in \d files?\n/);
    });

    it('reads the unsaved text of an open file', async () => {
      const { document } = await show('src/navMeasure.ts');
      await replaceAll(document, `\n${MEASURE}export const more = new Square(4);\n`);
      const { text } = await room.call('references', { path: uses, symbol: 'Square' });
      assert.match(text, /^5 references to 'Square' in 2 files\n/);
      assert.match(text, /\n 13:25 export const more = new Square\(4\);$/);
    });

    it('works for style sheets', async () => {
      const css = '.nav {\n  --nav-color: red;\n  color: var(--nav-color);\n}\n';
      await writeFile(plantedFile('nav.css'), css);
      const path = plantedPath('nav.css');
      const text = await told('references', { path, symbol: '--nav-color' });
      assert.match(text, /^2 references to '--nav-color' in 1 file\n/);
      assert.match(text, /\n 3:\d+ color: var\(--nav-color\);/);
    });

    it('says what to do where nobody knows references', async () => {
      await writeFile(plantedFile('nav.txt'), 'lonely word\n');
      const text = await refused('references', { path: plantedPath('nav.txt'), symbol: 'lonely' });
      assert.match(text, /^No references of 'lonely' at planted files\/nav\.txt:1:1: .* Grep/);
    });

    it('goes on from its cursor until all were given, and says when files were edited', async () => {
      const path = plantedPath('many.refs');
      await writeFile(plantedFile('many.refs'), 'some words of a line\n'.repeat(300));
      const provider = referenceProvider('refs', (uri) =>
        Array.from({ length: 300 }, (_, line) => placeIn(uri, line, 5)),
      );
      try {
        const seen = new Set<string>();
        let input: object = { path, symbol: 'words', line: 1 };
        for (;;) {
          const text = await told('references', input);
          assert.match(text, /^300 references to 'words' in 1 file\n/);
          assert.ok(text.length <= 5_200);
          for (const [at] of text.matchAll(/^ \d+:6 some words of a line$/gm)) seen.add(at);
          const [, cursor] = /\nnext: cursor=(\S+)$/.exec(text) ?? [];
          if (cursor === undefined) break;
          input = { cursor };
        }
        assert.equal(seen.size, 300);
        const { document } = await show('many.refs');
        await replaceAll(document, 'short\n');
        const { text } = await room.call('references', { cursor: 'r1.200' });
        assert.match(text, /^300 references .*\nstale: files were edited since/);
        assert.match(text, /\n 2:1 \(reported at line 201\)/);
        assert.match(await refused('references', { cursor: 'r9.1' }), /^The cursor is stale/);
      } finally {
        provider.dispose();
      }
    });

    it('quotes a closed file as its byte-order mark says', async () => {
      await writeFile(plantedFile('here.wide'), 'word\n');
      const wide = Buffer.from('\uFEFFfirst word\n', 'utf16le');
      await writeFile(plantedFile('le.wide'), wide);
      await writeFile(plantedFile('be.wide'), Buffer.from(wide).swap16());
      await writeFile(plantedFile('marked.wide'), '\uFEFFfirst word\n');
      const names = ['le.wide', 'be.wide', 'marked.wide'];
      const provider = referenceProvider('wide', (uri) => [
        placeIn(uri, 0, 0),
        ...names.map((name) => placeIn(vscode.Uri.file(plantedFile(name)), 0, 6)),
      ]);
      try {
        const given = { path: plantedPath('here.wide'), symbol: 'word', line: 1 };
        const { text } = await room.call('references', given);
        for (const name of names) {
          assert.ok(text.includes(`${plantedPath(name)}\n 1:7 first word`), JSON.stringify(text));
        }
      } finally {
        provider.dispose();
      }
    });

    it('of 20,000 reads no more lines than it shows', async () => {
      await writeFile(plantedFile('huge.crowd'), 'crowd\n');
      const uris = Array.from({ length: 400 }, (_, file) =>
        vscode.Uri.file(plantedFile(`crowd/file${file}.crowd`)),
      );
      const provider = referenceProvider('crowd', () =>
        Array.from({ length: 20_000 }, (_, index) => placeIn(uris[index % 400]!, index, 2)),
      );
      try {
        const text = await told('references', {
          path: plantedPath('huge.crowd'),
          symbol: 'crowd',
        });
        assert.match(text, /^20000 references to 'crowd' in 400 files\n/);
        assert.match(text, /\nleft: \d+ in \d+ files\nnext: cursor=r1\.\d+$/);
        assert.ok(text.length <= 5_200);
      } finally {
        provider.dispose();
      }
    });

    it('reports a provider that throws, answers rubbish, or never answers, and ends on Stop', async () => {
      const answers: Record<string, () => unknown> = {
        boom: () => Promise.reject(new Error('boom')),
        none: () => undefined,
        odd: () => [{ nothing: 1 }],
        mute: () => new Promise<never>(() => undefined),
      };
      const providers = Object.entries(answers).map(([ext, provide]) =>
        vscode.languages.registerReferenceProvider(
          { pattern: `**/*.${ext}` },
          // What no provider should answer, on purpose.
          { provideReferences: () => provide() as vscode.Location[] },
        ),
      );
      const impatient = createEditorRoom({ answerMs: 500 });
      const stop = new AbortController();
      try {
        for (const ext of Object.keys(answers)) await writeFile(plantedFile(`a.${ext}`), 'word\n');
        const input = (ext: string): object => ({ path: plantedPath(`a.${ext}`), symbol: 'word' });
        for (const ext of ['boom', 'none', 'odd']) {
          assert.match(await refused('references', input(ext)), /^No references of|failed/, ext);
        }
        const { text, isError } = await impatient.call('references', input('mute'));
        assert.ok(isError);
        assert.match(text, /did not answer in 0\.5 s/);
        const stopped = room.call('references', input('mute'), stop.signal);
        stop.abort();
        assert.match((await stopped).text, /^Stopped/);
      } finally {
        impatient.dispose();
        for (const provider of providers) provider.dispose();
      }
    });

    it('answers ten calls at once on one document', async () => {
      const calls = Array.from({ length: 10 }, () =>
        told('references', { path: shapes, symbol: 'times' }),
      );
      for (const text of await Promise.all(calls)) assert.match(text, /^4 references to 'times'/);
    });
  });

  describe('definition', () => {
    it('tells where, with signature and doc', async () => {
      assert.equal(
        await told('definition', { path: uses, symbol: 'Square', line: 1 }),
        [
          "1 definition of 'Square' in 1 file",
          '(alias) class Square import Square',
          'A square, see Shape.',
          shapes,
          ' 9:14 export class Square implements Shape {',
        ].join('\n'),
      );
    });

    it('tells the type, the implementations and the declaration', async () => {
      const type = await told('definition', { path: uses, symbol: 'square', kind: 'type' });
      assert.match(type, /^1 type definition of 'square' in 1 file\n/);
      assert.match(type, /\n 9:14 export class Square/);
      const built = await told('definition', {
        path: shapes,
        symbol: 'Shape',
        kind: 'implementation',
      });
      assert.match(built, /^2 implementations of 'Shape' in 1 file\n/);
      assert.match(built, /\n 9:14 export class Square .*\n 16:14 export class Disc /);
    });

    it('names the place in a library, and nothing of what stands there', async () => {
      const text = await told('definition', { path: uses, symbol: 'length' });
      assert.match(text, /^0 definitions of 'length' in 0 files\n/);
      assert.match(text, /\noutside the workspace: \/\S+\.d\.ts \d+:\d+/);
    });

    it('says what to do where there is none', async () => {
      await writeFile(plantedFile('nav.txt'), 'lonely word\n');
      const input = { path: plantedPath('nav.txt'), symbol: 'lonely' };
      assert.match(await refused('definition', input), /^No definition of 'lonely' .* Grep$/);
      assert.match(
        await refused('definition', { ...input, kind: 'type' }),
        /^No type definition of 'lonely' .* Try kind=definition$/,
      );
    });

    it('keeps the words of a file back that a rule forbids', async () => {
      const guarded = roomWithout(plantedFile('src/navShapes.ts'));
      try {
        const { text } = await guarded.call('definition', {
          path: uses,
          symbol: 'Square',
          line: 1,
        });
        assert.doesNotMatch(text, /A square|navShapes/);
        assert.match(text, /\(1 left out: kept back by a rule or setting, or outside\)\n?$/m);
      } finally {
        guarded.dispose();
      }
    });
  });

  describe('hierarchy', () => {
    it('gives the callers, with the places of the calls, and theirs', async () => {
      assert.equal(
        await told('hierarchy', { path: shapes, symbol: 'Shape.area', of: 'callers', depth: 2 }),
        [
          "2 callers of 'area' in 1 file (1 at depth 1, 1 at depth 2)",
          uses,
          ' 5:17 function measure, calls at 6:16',
          ' 9:17 function measureAll of measure, calls at 10:10 10:29',
        ].join('\n'),
      );
    });

    it('gives the callees', async () => {
      const text = await told('hierarchy', { path: uses, symbol: 'measureAll', of: 'callees' });
      assert.match(text, /^1 callee of 'measureAll' in 1 file\n/);
      assert.match(text, /\n 5:17 function measure$/);
    });

    it('says which tool helps where there is no hierarchy of that kind', async () => {
      const types = { path: shapes, symbol: 'Shape' };
      assert.match(
        await refused('hierarchy', { ...types, of: 'subtypes' }),
        /^No type hierarchy of 'Shape' .* Use definition with kind=implementation$/,
      );
      assert.match(await refused('hierarchy', { ...types, of: 'supertypes' }), /Use references$/);
    });

    it('follows types where a server knows them, each once and to an end', async () => {
      await writeFile(plantedFile('a.zoo'), 'Animal\nBird\nSwan\n');
      const uri = vscode.Uri.file(plantedFile('a.zoo'));
      const names = ['Animal', 'Bird', 'Swan'];
      const item = (line: number): vscode.TypeHierarchyItem => {
        const range = new vscode.Range(line, 0, line, names[line]!.length);
        return new vscode.TypeHierarchyItem(
          vscode.SymbolKind.Class,
          names[line]!,
          '',
          uri,
          range,
          range,
        );
      };
      const lineOf = ({ name }: vscode.TypeHierarchyItem): number => names.indexOf(name);
      const provider = vscode.languages.registerTypeHierarchyProvider(
        { pattern: '**/*.zoo' },
        {
          prepareTypeHierarchy: (_, position) => item(position.line),
          provideTypeHierarchySupertypes: (of) => (lineOf(of) > 0 ? [item(lineOf(of) - 1)] : []),
          // A ring, as no hierarchy should have one.
          provideTypeHierarchySubtypes: (of) => [item((lineOf(of) + 1) % 3)],
        },
      );
      try {
        const path = plantedPath('a.zoo');
        assert.equal(
          await told('hierarchy', { path, symbol: 'Swan', of: 'supertypes', depth: 3 }),
          [
            "2 supertypes of 'Swan' in 1 file (1 at depth 1, 1 at depth 2)",
            path,
            ' 2:1 class Bird',
            ' 1:1 class Animal of Bird',
          ].join('\n'),
        );
        const down = await told('hierarchy', { path, symbol: 'Bird', of: 'subtypes', depth: 3 });
        assert.match(down, /^2 subtypes of 'Bird' in 1 file \(1 at depth 1, 1 at depth 2\)/);
      } finally {
        provider.dispose();
      }
    });

    it('says that it ends at 200 where there is more, and not where these are all', async () => {
      await writeFile(plantedFile('many.herd'), 'Sheep\n'.repeat(202));
      const uri = vscode.Uri.file(plantedFile('many.herd'));
      const item = (line: number): vscode.TypeHierarchyItem => {
        const range = new vscode.Range(line, 0, line, 5);
        return new vscode.TypeHierarchyItem(
          vscode.SymbolKind.Class,
          'Sheep',
          '',
          uri,
          range,
          range,
        );
      };
      let below = 200;
      const provider = vscode.languages.registerTypeHierarchyProvider(
        { pattern: '**/*.herd' },
        {
          prepareTypeHierarchy: () => item(0),
          provideTypeHierarchySupertypes: () => [],
          provideTypeHierarchySubtypes: ({ range }) =>
            range.start.line > 0 ? [] : Array.from({ length: below }, (_, n) => item(n + 1)),
        },
      );
      const input = { path: plantedPath('many.herd'), line: 1, symbol: 'Sheep', of: 'subtypes' };
      try {
        assert.doesNotMatch(await told('hierarchy', { ...input, depth: 2 }), /cut at/);
        below = 201;
        assert.match(await told('hierarchy', input), /^200 subtypes .*\n\(cut at 200: ask/);
      } finally {
        provider.dispose();
      }
    });

    it('says that a file is gone', async () => {
      await writeFile(plantedFile('src/navGone.ts'), 'export function gone(): void {}\n');
      const path = plantedPath('src/navGone.ts');
      await rm(plantedFile('src/navGone.ts'));
      assert.match(
        await refused('hierarchy', { path, symbol: 'gone', of: 'callers' }),
        /^No such file/,
      );
    });
  });
});
