import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { DisposableStore } from '../../src/base/disposable';
import {
  type EditorRoom,
  type EditorRoomOptions,
  plantedFile,
  plantedPath,
  show,
  until,
  usePlantedRoom,
} from './editorRoom';
import { breakpointPlacesIn, feedAll, openPlacesIn, placesIn, stackPlacesIn } from './roundTrip';
import { runningServers } from './runningServers';

const PROGRAM = `function zqInner(value) {
  return value + 1;
}
console.log(zqInner(1));
`;

const CODE = `import { plantedTotal } from '../src/plantedTotals';

export class Round {
  trip(): number {
    return plantedTotal([1]) + 'a';
  }
}

export function outer(): number {
  return new Round().trip();
}
`;

describe('what one tool names another one takes', () => {
  let more: EditorRoomOptions['more'];
  const watched = new DisposableStore();

  before(async () => {
    const running = await runningServers();
    watched.add(running.watch);
    ({ more } = running);
  });
  after(() => watched.dispose());

  let room: EditorRoom;
  const odd = plantedPath('50% a#b [1]/round trip.ts');

  usePlantedRoom(
    (made) => {
      room = made;
    },
    {
      more: (known) => more?.(known) ?? [],
      plant: async () => {
        await vscode.workspace.fs.createDirectory(vscode.Uri.file(plantedFile('50% a#b [1]')));
        await writeFile(plantedFile('50% a#b [1]/round trip.ts'), CODE);
        await writeFile(plantedFile('round.css'), '.round { --round: 1px; top: var(--round); }\n');
      },
    },
  );

  const outputs: readonly (readonly [string, object])[] = [
    ['diagnostics', { path: odd, full: true }],
    ['symbols', { path: odd }],
    ['symbols', { query: 'Round' }],
    ['symbols', { path: plantedPath('round.css') }],
    ['references', { path: odd, symbol: 'plantedTotal' }],
    ['references', { path: plantedPath('round.css'), symbol: '--round' }],
    ['definition', { path: odd, symbol: 'plantedTotal' }],
    ['definition', { path: odd, symbol: 'Round', kind: 'implementation' }],
    ['hierarchy', { path: odd, symbol: 'Round.trip', of: 'callers' }],
    ['hierarchy', { path: odd, symbol: 'outer', of: 'callees' }],
    // A choice between several.
    ['references', { path: odd, line: 5 }],
  ];

  for (const [tool, input] of outputs) {
    it(`${tool} ${JSON.stringify(input)}`, async () => {
      const { text, isError } = await room.call(tool, input);
      assert.equal(isError, false, text);
      const places = placesIn(text);
      assert.ok(places.length > 0, text);
      const calls = await feedAll(room, tool, [...places.slice(0, 2), ...places.slice(-1)]);
      assert.ok(calls > 5, `${calls} calls`);
    });
  }

  it('what the debugger tells of a stopped program, and its breakpoints', async () => {
    const file = 'round debugged.cjs';
    const path = plantedPath(file);
    await writeFile(plantedFile(file), PROGRAM);
    const told = async (tool: string, input: object = {}): Promise<string> => {
      const { text, isError } = await room.call(tool, input);
      assert.equal(isError, false, text);
      return text;
    };
    try {
      await told('breakpoints', { action: 'set', path, line: 2 });
      const listed = breakpointPlacesIn(await told('breakpoints', { action: 'list' }));
      assert.deepEqual(listed, [{ path, line: 2 }]);
      const stopped = stackPlacesIn(await told('start', { path, wait: 60 }));
      assert.deepEqual(
        stopped.map((place) => [place.path, place.line]),
        [[path, 2]],
      );
      const stack = stackPlacesIn(await told('state')).filter((place) => place.path === path);
      assert.ok(
        stack.some((place) => place.line === 2) && stack.some((place) => place.line === 4),
        JSON.stringify(stack),
      );
      // What Node calls the outermost function is no name of the file's.
      const places = stack.map((place) => ({ ...place, symbol: undefined }));
      assert.ok((await feedAll(room, 'state', [...listed, ...stopped, ...places])) > 10);
    } finally {
      vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
      await vscode.debug.stopDebugging();
    }
  });

  it('open_editors, with a selection, an untitled document and an odd path', async () => {
    const editor = await show('50% a#b [1]/round trip.ts');
    editor.selection = new vscode.Selection(3, 0, 4, 3);
    const untitled = await vscode.workspace.openTextDocument({
      language: 'typescript',
      content: 'const untitled = 1;\nconsole.log(untitled);\n',
    });
    await vscode.window.showTextDocument(untitled, {
      preview: false,
      viewColumn: vscode.ViewColumn.Beside,
    });
    await until('both are listed', async () =>
      /selected lines 4-5[^]*untitled:/.test((await room.call('open_editors')).text),
    );
    const listed = (await room.call('open_editors')).text;
    const places = openPlacesIn(listed);
    const path = untitled.uri.toString();
    // A tab may be seen in two groups while it is being opened beside.
    assert.deepEqual(new Set(places.map((place) => place.path)), new Set([odd, path]), listed);
    assert.equal(places[0]?.line, 4);
    assert.ok((await feedAll(room, 'open_editors', places)) > 5);
    const { text } = await room.call('references', { path, symbol: 'untitled' });
    assert.match(text, /^2 references to 'untitled' in 1 file\nuntitled:/);
    assert.ok((await feedAll(room, 'references', placesIn(text))) > 5);
  });

  it('definition, by its cursor, where there are more than a page has', async () => {
    const [name, all] = ['many.implementers', 300];
    await writeFile(plantedFile(name), 'word\n'.repeat(all));
    const uri = vscode.Uri.file(plantedFile(name));
    const provider = vscode.languages.registerImplementationProvider(
      { pattern: '**/*.implementers' },
      {
        provideImplementation: () =>
          Array.from({ length: all }, (_, line) => new vscode.Location(uri, at(line))),
      },
    );
    const at = (line: number): vscode.Range => new vscode.Range(line, 0, line, 4);
    try {
      const given = { path: plantedPath(name), line: 1, symbol: 'word', kind: 'implementation' };
      let { text } = await room.call('definition', given);
      const places = new Set<string>();
      for (let pages = 0; pages < 10; pages += 1) {
        assert.match(text, /^300 implementations of 'word' in 1 file\n/);
        for (const { line } of placesIn(text)) places.add(String(line));
        const [, cursor] = /\nnext: (?:references )?cursor=(\S+)$/.exec(text) ?? [];
        if (cursor === undefined) break;
        text = (await room.call('references', { cursor })).text;
      }
      assert.equal(places.size, all);
    } finally {
      provider.dispose();
    }
  });
});
