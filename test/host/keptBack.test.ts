import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { FileReadGuard } from '../../src/conversation/fileReadGuard';
import type { EditorWatch } from '../../src/host/editorWatch';
import { GitIgnored } from '../../src/host/gitIgnored';
import { KeptBackFiles } from '../../src/host/keptBackFiles';
import { createWindowGuard } from '../../src/host/windowGuard';
import {
  closeAll,
  layPlanted,
  createEditorRoom,
  type EditorRoom,
  plantedFile,
  plantedPath,
  restorePlanted,
  show,
  until,
  wakeTypeScript,
  workspaceRoot,
} from './editorRoom';
import { runningServers } from './runningServers';
import { allTools, exampleInput } from './toolInputs';

/** A declaration with an error, so that every language tool has something to tell of it. */
const text = (name: string): string => `export const zqKept${name}: number = 'no';\n`;
const MARKS = /zqKept(?:Denied|Ignored|Secret|Outside)/;
const NAMES = /denied\.ts|ignored\.ts|\.env|outside\.ts|link\.ts/;

describe('what is kept from the model', () => {
  let outside = '';
  let room: EditorRoom;
  let watch: EditorWatch;
  /** By what keeps it back, a path as the model writes it. */
  let kept: Readonly<Record<string, string>> = {};

  before(async () => {
    await closeAll();
    await layPlanted();
    outside = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-outside-')));
    const permissions = { deny: ['Read(denied.ts)'] };
    await writeFile(path.join(outside, 'settings.json'), JSON.stringify({ permissions }));
    await writeFile(path.join(outside, 'outside.ts'), text('Outside'));
    await writeFile(plantedFile('src/denied.ts'), text('Denied'));
    await writeFile(plantedFile('src/ignored.ts'), text('Ignored'));
    await writeFile(plantedFile('src/.env'), 'zqKeptSecret=1\n');
    await symlink(path.join(outside, 'outside.ts'), plantedFile('src/link.ts'));
    kept = {
      rule: plantedPath('src/denied.ts'),
      ignore: plantedPath('src/ignored.ts'),
      secret: plantedPath('src/.env'),
      outside: path.join(outside, 'outside.ts'),
      link: plantedPath('src/link.ts'),
    };
    const { watch: watching, more } = await runningServers();
    watch = watching;
    room = createEditorRoom({ readGuard: guard(outside), more });
    await wakeTypeScript(room);
    for (const name of ['denied.ts', 'ignored.ts', '.env', 'link.ts']) {
      await typeIn((await show(`src/${name}`)).document.uri);
    }
    await vscode.window.showTextDocument(vscode.Uri.file(path.join(outside, 'outside.ts')), {
      preview: false,
    });
    await typeIn(vscode.Uri.file(path.join(outside, 'outside.ts')));
    const denied = vscode.Uri.file(plantedFile('src/denied.ts'));
    await until(
      'TypeScript has something to tell',
      () => vscode.languages.getDiagnostics(denied).length > 0,
    );
  });

  after(async () => {
    room.dispose();
    watch.dispose();
    await closeAll();
    await restorePlanted();
    await rm(outside, { recursive: true });
  });

  it('no tool that takes a path gives anything of such a file, and each says why', async () => {
    for (const { server, tool, properties } of allTools(room)) {
      if (!('path' in properties)) continue;
      for (const [why, file] of Object.entries(kept)) {
        const name = `${server}/${tool.name} of ${why}`;
        // The permission policy asks before such a write.
        if (tool.edits !== undefined && ['outside', 'link'].includes(why)) continue;
        const { text: told, isError } = await room.call(tool.name, exampleInput(tool, file));
        assert.equal(isError, true, `${name}: ${told}`);
        assert.match(told, /^No(?:t given out|t served|thing was (?:changed|saved))/, name);
        assert.match(told, REASONS[why] ?? /^$/, name);
        assert.doesNotMatch(told, MARKS, name);
        assert.deepEqual(room.files, [], name);
      }
    }
  });

  it('no list names one, and each says that something is left out', async () => {
    for (const { server, tool, required } of allTools(room)) {
      if (required.includes('path')) continue;
      // Those would run something.
      const acts = tool.annotations?.readOnlyHint !== true;
      if (acts && ['run', 'debug'].includes(server)) continue;
      const answer = await room.call(tool.name, exampleInput(tool, undefined));
      // The rule itself is the person's own words.
      const told = answer.text.replace(/rule \S+/, 'rule');
      const name = `${server}/${tool.name}: ${told}`;
      assert.doesNotMatch(told, MARKS, name);
      assert.doesNotMatch(told, NAMES, name);
      assert.ok(
        room.files.every((one) => !NAMES.test(one.path)),
        name,
      );
      if (LEAVES_OUT.has(tool.name)) assert.match(told, /\(\d+ left out: kept back by /, name);
    }
  });
});

const REASONS: Readonly<Record<string, RegExp>> = {
  rule: /the person's rule Read\(denied\.ts\) forbids (?:reading|writing) .*denied\.ts/,
  ignore: /the person's setting patchbay\.ignore \(ignored\.\*\) keeps back .*ignored\.ts/,
  secret: /a file of secrets that is not in git: .*\.env/,
  outside: /outside the workspace/,
  link: /link out of the workspace/,
};
/** Those that would have something of the planted files. */
const LEAVES_OUT = new Set(['diagnostics', 'open_editors', 'user_changes']);

function guard(config: string) {
  const roots = (): readonly string[] => [workspaceRoot()];
  const rules = new FileReadGuard({
    roots,
    where: () => ({
      ...{ env: { CLAUDE_CONFIG_DIR: config }, home: config, platform: process.platform },
    }),
  });
  const kept = new KeptBackFiles({
    roots,
    globs: () => ['ignored.*'],
    git: new GitIgnored({ mayRun: () => false, env: () => ({}), now: Date.now }),
    platform: process.platform,
  });
  return createWindowGuard(rules, kept);
}

/** As if the person typed there. */
async function typeIn(uri: vscode.Uri): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, new vscode.Position(0, 0), '// zqKept\n');
  assert.ok(await vscode.workspace.applyEdit(edit));
}
