import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, createEditorRoom, type EditorRoom, until } from '../editorRoom';
import { feedAll, placesIn } from '../roundTrip';

describe("the editor's tools in a workspace that is not trusted", () => {
  let room: EditorRoom;

  before(() => {
    room = createEditorRoom();
  });

  after(async () => {
    room.dispose();
    await closeAll();
  });

  it('read files, and what the language servers know that run here', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const { text } = await room.call('read_buffer', { path: 'src/pricing.ts' });
    assert.match(text, /^src\/pricing\.ts: lines 1-/);
    await until('JSON is known', async () => {
      const outline = await room.call('symbols', { path: 'package.json' });
      return /\n {1,9}\d+:\d+ \w+ name$/m.test(outline.text);
    });
    const outline = await room.call('symbols', { path: 'package.json' });
    assert.ok((await feedAll(room, 'symbols', placesIn(outline.text).slice(0, 2))) > 3);
  });

  it('say where an extension may be off for want of trust', async () => {
    for (const [tool, input] of [
      ['symbols', { path: 'src/pricing.ts' }],
      ['references', { path: 'src/pricing.ts', symbol: 'calcTotal' }],
      ['definition', { path: 'src/pricing.ts', symbol: 'calcTotal', line: 18 }],
      ['hierarchy', { path: 'src/pricing.ts', symbol: 'calcTotal', of: 'callers' }],
    ] as const) {
      const { text } = await room.call(tool, input);
      // Where an extension works without trust as well, there is an answer.
      assert.match(text, /not trusted|calcTotal/, tool);
      assert.ok(!text.includes('still starting'), text);
    }
  });
});
