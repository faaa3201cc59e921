import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createDebugRoom } from '../debugRoom';

describe('what runs something in a workspace that is not trusted', () => {
  it('is off, says so, and leaves what only looks', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const room = await createDebugRoom();
    try {
      for (const [tool, input] of [
        ['tasks', { action: 'list' }],
        ['tasks', { action: 'run', name: 'npm: test' }],
        ['tests', { action: 'run' }],
        ['start', {}],
        ['start', { path: 'src/rounding.js' }],
      ] as const) {
        assert.match(await room.fails(tool, input), / is off: the person has not trusted this/);
      }
      assert.match(await room.fails('state'), /^Nothing is being debugged\./);
      assert.match(await room.ok('terminal'), /^\d+ commands? seen/);
    } finally {
      room.dispose();
    }
  });
});
