import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FileReadGuard } from '../../src/conversation/fileReadGuard';
import {
  closeAll,
  layPlanted,
  createEditorRoom,
  type EditorRoom,
  plantedPath,
  restorePlanted,
  show,
  wakeTypeScript,
  workspaceRoot,
} from './editorRoom';

describe('rules against reading', () => {
  let config = '';
  let open: EditorRoom;
  let guarded: EditorRoom;

  before(async () => {
    await closeAll();
    await layPlanted();
    config = await mkdtemp(path.join(tmpdir(), 'patchbay-rules-'));
    const permissions = { deny: ['Read(plantedOrder.ts)'] };
    await writeFile(path.join(config, 'settings.json'), JSON.stringify({ permissions }));
    open = createEditorRoom();
    const readGuard = new FileReadGuard({
      roots: () => [workspaceRoot()],
      where: () => ({
        ...{ env: { CLAUDE_CONFIG_DIR: config }, home: config, platform: process.platform },
      }),
    });
    guarded = createEditorRoom({ readGuard });
    await wakeTypeScript(open);
  });

  after(async () => {
    open.dispose();
    guarded.dispose();
    await closeAll();
    await restorePlanted();
    await rm(config, { recursive: true });
  });

  it('nothing of a file that a rule forbids is given out, not even its name (X02)', async () => {
    await show('src/plantedOrder.ts');
    const given = { path: plantedPath('src/plantedOrder.ts') };
    for (const tool of ['read_buffer', 'diagnostics', 'symbols']) {
      const { isError, text } = await guarded.call(tool, given);
      assert.ok(isError, tool);
      assert.match(text, /^Not given out: the person's rule Read\(plantedOrder\.ts\) forbids/);
    }
    assert.match((await open.call('open_editors')).text, /plantedOrder/);
    const editors = await guarded.call('open_editors');
    assert.doesNotMatch(editors.text, /plantedOrder/);
    assert.match(editors.text, /\(1 left out: kept back by a rule or setting, or outside\)$/);
    assert.match((await open.call('diagnostics', { full: true })).text, /plantedOrder/);
    for (const scope of [{}, { path: 'open' }]) {
      const problems = await guarded.call('diagnostics', { ...scope, full: true });
      assert.doesNotMatch(problems.text, /plantedOrder/, JSON.stringify(scope));
      assert.match(problems.text, /\(1 left out: kept back by a rule or setting, or outside\)/);
    }
    assert.deepEqual(guarded.files, []);
  });
});
