import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../src/base/disposable';
import { createDebugServer } from '../../src/editor/debugServer';
import { DebugSessions } from '../../src/editor/debugSessions';
import type { ReadGuard } from '../../src/editor/readGuard';
import { createToolContext } from '../../src/mcp/toolContext';
import { type ToolAnswer, until, workspaceRoot } from './editorRoom';

/** The debugger's tools over the real debugger, with a conversation of their own. */
export interface DebugRoom extends Disposable {
  readonly sessions: DebugSessions;
  readonly server: ReturnType<typeof createDebugServer>;
  call(tool: string, input?: object, signal?: AbortSignal): Promise<ToolAnswer>;
}

export function createDebugRoom({
  answerMs = 60_000,
  readGuard,
}: { readonly answerMs?: number; readonly readGuard?: ReadGuard } = {}): DebugRoom {
  const store = new DisposableStore();
  const sessions = store.add(new DebugSessions());
  store.add(
    vscode.debug.registerDebugAdapterTrackerFactory('*', {
      createDebugAdapterTracker: (session) => sessions.track(session),
    }),
  );
  const server = createDebugServer({ sessions, answerMs, ...(readGuard ? { readGuard } : {}) });
  const state = new Map<string, unknown>();
  return {
    sessions,
    server,
    call: async (tool, input = {}, signal = new AbortController().signal) => {
      const result = await server.execute(tool, input, createToolContext({ state, signal }));
      const [block] = result.content;
      assert.equal(block?.type, 'text');
      return { text: block.text, isError: result.isError === true };
    },
    dispose: () => store.dispose(),
  };
}

/** The folder, below the workspace folder, of the programs that are debugged. */
export const PROGRAMS = 'debugged programs';

export function programFile(name: string): string {
  return path.join(workspaceRoot(), PROGRAMS, name);
}

/** Writes a program and gives its path as the model writes it. */
export async function writeProgram(name: string, lines: readonly string[]): Promise<string> {
  await mkdir(programFile(''), { recursive: true });
  await writeFile(programFile(name), lines.map((line) => `${line}\n`).join(''));
  return `${PROGRAMS}/${name}`;
}

/** Ends every session and takes every breakpoint away. */
export async function endDebugging(room: DebugRoom): Promise<void> {
  await until('nothing is debugged', async () => {
    await vscode.debug.stopDebugging();
    return room.sessions.alive().length === 0;
  });
  vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
  await until('no breakpoint is left', () => vscode.debug.breakpoints.length === 0);
}

export async function removePrograms(): Promise<void> {
  await rm(programFile(''), { recursive: true, force: true });
}
