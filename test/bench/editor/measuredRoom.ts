import { homedir } from 'node:os';
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
import { workspaceRoots } from '../../../src/host/workingFolder';
import { createEditorRoom, type EditorRoom } from '../../host/editorRoom';
import type { EditorClock } from './editorClock';

/** All built-in tools, with the guards that they have in the product. */
export async function openRoom(clock: EditorClock): Promise<EditorRoom> {
  const sessions = new DebugSessions();
  vscode.debug.registerDebugAdapterTrackerFactory('*', {
    createDebugAdapterTracker: (session) => sessions.track(clock.ofSession(session)),
  });
  const readGuard = guard();
  const { tasks, terminals } = await watchEditor(silentLogger).load();
  return createEditorRoom({
    readGuard,
    more: (known) => [
      createRunServer({ ...known, tasks, terminals }),
      createDebugServer({ sessions, readGuard }),
    ],
  });
}

function guard(): ReadGuard {
  const env = { HOME: homedir(), PATH: process.env.PATH ?? '' };
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
  return {
    denied: (files) => rules.denied(files),
    deniedWrites: (files) => rules.deniedWrites(files),
    withheld: (files) => kept.withheld(files),
  };
}
