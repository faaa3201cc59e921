import { mkdtemp, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { silentLogger } from '../../../src/base/logger';
import { FileReadGuard } from '../../../src/conversation/fileReadGuard';
import { createDebugServer } from '../../../src/editor/debugServer';
import { DebugSessions } from '../../../src/editor/debugSessions';
import type { ReadGuard } from '../../../src/editor/readGuard';
import { createRunServer } from '../../../src/editor/runServer';
import { watchEditor } from '../../../src/host/editorWatch';
import { GitIgnored } from '../../../src/host/gitIgnored';
import { KeptBackFiles } from '../../../src/host/keptBackFiles';
import { createWindowGuard } from '../../../src/host/windowGuard';
import { workspaceRoots } from '../../../src/host/workingFolder';
import { createEditorRoom, type EditorRoom } from '../../host/editorRoom';
import type { EditorClock } from './editorClock';

/** All built-in tools, with the guards that they have in the product. */
export async function openRoom(clock: EditorClock): Promise<EditorRoom> {
  const sessions = new DebugSessions();
  vscode.debug.registerDebugAdapterTrackerFactory('*', {
    createDebugAdapterTracker: (session) => sessions.track(clock.ofSession(session)),
  });
  const readGuard = guard(await personSettings());
  const { tasks, terminals } = await watchEditor(silentLogger).load();
  return createEditorRoom({
    readGuard,
    more: (known) => [
      createRunServer({ ...known, tasks, terminals }),
      createDebugServer({ sessions, readGuard }),
    ],
  });
}

/** Rules as many people have them: without any the guard has less to do. */
async function personSettings(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench settings '));
  const deny = ['Read(**/*.pem)', 'Read(~/.ssh/**)', 'Read(./secrets/**)', 'Edit(./dist/**)'];
  await writeFile(path.join(folder, 'settings.json'), JSON.stringify({ permissions: { deny } }));
  return folder;
}

/** @param config where the person's settings stand */
function guard(config: string): ReadGuard {
  const env = { HOME: homedir(), PATH: process.env.PATH ?? '', CLAUDE_CONFIG_DIR: config };
  const { platform } = process;
  const rules = new FileReadGuard({
    roots: workspaceRoots,
    where: () => ({ env, home: homedir(), platform }),
  });
  const git = new GitIgnored({ mayRun: () => true, env: () => env, now: Date.now });
  const kept = new KeptBackFiles({
    roots: workspaceRoots,
    globs: () => ['**/*.secret'],
    git,
    platform,
  });
  return createWindowGuard(rules, kept);
}
