import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../src/base/disposable';
import { silentLogger } from '../../src/base/logger';
import { agentOf, type DebugAgent } from '../../src/editor/debugAgent';
import { createDebugServer } from '../../src/editor/debugServer';
import type { DebugSessions } from '../../src/editor/debugSessions';
import { createDiagnosticsFreshness } from '../../src/editor/diagnosticsFreshness';
import { createEditorContext } from '../../src/editor/editorContext';
import type { ReadGuard } from '../../src/editor/readGuard';
import { createRunServer } from '../../src/editor/runServer';
import { type EditorWatch, watchEditor } from '../../src/host/editorWatch';
import type { McpServerDefinition } from '../../src/mcp/mcpServer';
import { createToolContext } from '../../src/mcp/toolContext';
import { closeAll, type ToolAnswer, until, workspaceRoot } from './editorRoom';

/** The tools of `run` and `debug` over the real editor, with a conversation of their own. */
export interface DebugRoom extends Disposable {
  readonly sessions: DebugSessions;
  /** What its conversation is to the sessions. */
  readonly agent: DebugAgent;
  readonly servers: readonly McpServerDefinition[];
  call(tool: string, input?: object, signal?: AbortSignal): Promise<ToolAnswer>;
  /** Who calls from now on: a sub-agent, or the main agent. */
  switchAgent(agent: string | undefined): void;
  /** The text of an answer that is no error. */
  ok(tool: string, input?: object): Promise<string>;
  /** The text of an error, which is short. */
  fails(tool: string, input?: object): Promise<string>;
}

/** What runs before it is made is not seen by it, unless it is given who has watched that. */
export async function createDebugRoom({
  answerMs = 60_000,
  readGuard,
  watch = watchEditor(silentLogger),
}: {
  readonly answerMs?: number;
  readonly readGuard?: ReadGuard;
  readonly watch?: EditorWatch;
} = {}): Promise<DebugRoom> {
  const store = new DisposableStore();
  const context = store.add(createEditorContext());
  const freshness = store.add(createDiagnosticsFreshness());
  const { debugSessions: sessions, ...runs } = await store.add(watch).load();
  const servers = [
    createRunServer({ context, freshness, readGuard, ...runs }),
    createDebugServer({ sessions, answerMs, readGuard }),
  ];
  const state = new Map<string, unknown>();
  let caller: { readonly agent?: string } = {};
  const call: DebugRoom['call'] = async (
    tool,
    input = {},
    signal = new AbortController().signal,
  ) => {
    const server = servers.find((one) => one.getTool(tool) !== undefined);
    assert.ok(server, `there is a tool ${tool}`);
    const result = await server.execute(
      tool,
      input,
      createToolContext({ ...caller, state, signal }),
    );
    const [block] = result.content;
    assert.equal(block?.type, 'text');
    assert.ok(block.text.length <= 6_000, `${tool}: ${block.text.length} characters`);
    return { text: block.text, isError: result.isError === true };
  };
  return {
    sessions,
    agent: agentOf({ state }),
    servers,
    call,
    switchAgent: (agent) => {
      caller = agent === undefined ? {} : { agent };
    },
    ok: async (tool, input) => {
      const { text, isError } = await call(tool, input);
      assert.equal(isError, false, text);
      return text;
    },
    fails: async (tool, input) => {
      const { text, isError } = await call(tool, input);
      assert.equal(isError, true, text);
      assert.ok(text.length <= 240, text);
      return text;
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

/** One room for the tests of a suite, each of which leaves nothing that is debugged. */
export function useDebugRoom(begin: (room: DebugRoom) => Promise<void>): void {
  let room: DebugRoom;

  before(async () => {
    await closeAll();
    room = await createDebugRoom();
    await begin(room);
  });

  afterEach(() => endDebugging(room));

  after(async () => {
    room.dispose();
    await closeAll();
    await removePrograms();
  });
}

/** As a suite ends that had tasks of its own. @param folder in which they were written down */
export async function removeTasks(room: DebugRoom, folder: string): Promise<void> {
  for (const execution of vscode.tasks.taskExecutions) execution.terminate();
  await until('no task runs', () => vscode.tasks.taskExecutions.length === 0);
  for (const terminal of vscode.window.terminals) terminal.dispose();
  room.dispose();
  await rm(folder, { recursive: true, force: true });
  await vscode.commands.executeCommand('workbench.action.closePanel');
  await closeAll();
}
