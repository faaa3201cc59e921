import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import {
  createEditorRoom,
  type EditorRoom,
  PLANTED,
  plantedFile,
  plantedPath,
  replaceAll,
  show,
  until,
  usePlantedRoom,
  workspaceRoot,
} from './editorRoom';

/** Other ways to write the path of a planted file. */
function otherWays(name: string): readonly string[] {
  const base = `${workspaceRoot()}/${PLANTED}`;
  return [
    `${base}/src/../${name}`,
    `${base}//${name}`,
    `/${base}/./${name}`,
    `${vscode.Uri.file(base).toString()}/src/../${name}`,
    `${PLANTED}/src/../${name}`,
  ];
}

describe('a path in another spelling', () => {
  let room: EditorRoom;

  usePlantedRoom((made) => {
    room = made;
  });

  const disk = (name: string): Promise<string> => readFile(plantedFile(name), 'utf8');

  it('is the same document: its unsaved text, its problems, and one file in an edit', async () => {
    await writeFile(plantedFile('spelled.json'), '{ "a": , "b": 0 }\n');
    const { document } = await show('spelled.json');
    await until('its error is there', async () => {
      const given = { path: plantedPath('spelled.json'), full: true };
      return (await room.call('diagnostics', given)).text.startsWith('1 error');
    });
    await replaceAll(document, '{ "typed": , "b": 0 }\n');
    for (const way of otherWays('spelled.json')) {
      const read = await room.call('read_buffer', { path: way });
      assert.match(read.text, /spelled\.json: lines .*unsaved changes\n1\t\{ "typed"/, way);
      const told = await room.call('diagnostics', { path: way, full: true });
      assert.match(told.text, /^1 error/, way);
    }
    await document.save();
    const edits = [
      { path: plantedPath('spelled.json'), old: '"typed": ', new: '"typed": 1' },
      ...otherWays('spelled.json').map((way, n) => ({ path: way, old: `${n}`, new: `${n + 1}` })),
    ].slice(0, 2);
    const { text } = await room.call('edit', { edits });
    assert.match(text, /^edited 1 file, 2 places\n.*spelled\.json: lines 1, 1; saved/);
    assert.equal(await disk('spelled.json'), '{ "typed": 1, "b": 1 }\n');
  });

  it('waits for other calls that write the same document', async () => {
    await writeFile(plantedFile('spelled.txt'), 'abcdef\n');
    const ways = [plantedPath('spelled.txt'), ...otherWays('spelled.txt')];
    const answers = await Promise.all(
      ways.map((way, n) => {
        const old = 'abcdef'[n] ?? '';
        return room.call('edit', { edits: [{ path: way, old, new: old.toUpperCase() }] });
      }),
    );
    for (const { text } of answers) assert.match(text, /spelled\.txt: line 1; saved/);
    assert.equal(await disk('spelled.txt'), 'ABCDEF\n');
  });

  it('is found where letters and accents are written as one or apart', async () => {
    const forms = ['zqCaf\u00E9 one.txt', 'zqCafe\u0301 two.txt'];
    for (const name of forms) {
      await writeFile(plantedFile(name), 'alpha\n');
      for (const form of ['NFC', 'NFD']) {
        const given = plantedPath(name).normalize(form);
        assert.match((await room.call('read_buffer', { path: given })).text, /1\talpha/, form);
        const edits = [{ path: given, old: 'alpha', new: 'beta' }];
        assert.match((await room.call('edit', { edits })).text, /: line 1; saved/);
        assert.equal(await disk(name), 'beta\n');
        await writeFile(plantedFile(name), 'alpha\n');
      }
    }
  });

  it('may begin or end with a blank, and else means the file without it', async () => {
    const names = ['blank.txt', 'blank.txt ', ' blank.txt'];
    for (const name of names) await writeFile(plantedFile(name), `${name}.\n`);
    await writeFile(plantedFile('plain.txt'), 'plain\n');
    for (const name of names) {
      for (const path of [plantedPath(name), plantedFile(name)]) {
        const { text } = await room.call('read_buffer', { path });
        assert.match(text, new RegExp(`\\n1\\t${name}\\.\\n`), path);
      }
      const edits = [{ path: plantedPath(name), old: '.\n', new: '!\n' }];
      await room.call('edit', { edits });
      assert.equal(await disk(name), `${name}!\n`);
      const told = await room.call('diagnostics', { path: plantedPath(name), full: true });
      assert.ok(told.text.includes(plantedPath(name)), told.text);
    }
    const slips = [
      { path: ` ${plantedPath('plain.txt')} `, old: 'plain', new: 'found' },
      { path: `${plantedPath('fresh.txt')} `, old: '', new: 'made' },
    ];
    await room.call('edit', { edits: slips });
    assert.deepEqual([await disk('plain.txt'), await disk('fresh.txt')], ['found\n', 'made']);
  });

  it('may have a colon in its name, and is then no URI', async () => {
    const name = 'note:zq.txt';
    await writeFile(path.join(workspaceRoot(), name), 'alpha\n');
    try {
      for (const given of [name, `./${name}`, `${name}:1`, path.join(workspaceRoot(), name)]) {
        const { text } = await room.call('read_buffer', { path: given });
        assert.match(text, /^note:zq\.txt: lines 1-2 of 2, as on disk\n1\talpha/, given);
      }
      const edits = [{ path: name, old: 'alpha', new: 'beta' }];
      assert.match((await room.call('edit', { edits })).text, /^edited 1 file/);
    } finally {
      await rm(path.join(workspaceRoot(), name));
    }
    const { text } = await room.call('read_buffer', { path: 'note:other.txt' });
    assert.match(text, /'note' documents are not files/);
    const edits = [{ path: 'note:other.txt', old: '', new: 'beta' }];
    assert.match((await room.call('edit', { edits })).text, /'note' documents are read-only/);
  });

  it('that is unknown is told with none of the names that are kept back', async () => {
    for (const name of ['zqHushOne.ts', 'zqHushTwo.ts', 'zqHushMore.ts']) {
      await writeFile(plantedFile(`src/${name}`), 'export const hush = 1;\n');
    }
    const only = (name: string, why: string) => (files: readonly string[]) =>
      Promise.resolve(new Map(files.filter((f) => f.endsWith(name)).map((f) => [f, why])));
    const guarded = createEditorRoom({
      readGuard: {
        denied: only('zqHushOne.ts', 'Read(s)'),
        withheld: only('zqHushTwo.ts', 'a secret:'),
      },
    });
    const given = plantedPath('src/zqHushOn.ts');
    const inputs: readonly (readonly [string, object])[] = [
      ...['read_buffer', 'diagnostics', 'symbols', 'show', 'save', 'user_changes', 'cells'].map(
        (tool) => [tool, { path: given }] as const,
      ),
      ['references', { path: given, symbol: 'hush' }],
      ['definition', { path: given, symbol: 'hush' }],
      ['actions', { path: given, line: 1 }],
      ['move', { from: given, to: plantedPath('src/zqElse.ts') }],
      ['edit', { edits: [{ path: given, old: 'a', new: 'b' }] }],
      ['edit_cell', { path: given, cell: 1, action: 'delete' }],
      ['run_cell', { path: given, cell: 1 }],
    ];
    try {
      for (const [tool, input] of inputs) {
        const { text } = await guarded.call(tool, input);
        assert.match(text, /^No such file: .* Nearest: .*zqHushMore\.ts/, tool);
        assert.doesNotMatch(text, /zqHush(?:One|Two)\.ts/, tool);
      }
      const open = await room.call('read_buffer', { path: given });
      assert.match(open.text, /zqHushOne\.ts/);
    } finally {
      guarded.dispose();
    }
  });
});
