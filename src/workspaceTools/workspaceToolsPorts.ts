import type { Disposable } from '../base/disposable';
import type { Event } from '../base/event';
import type { Logger } from '../base/logger';
import type { ServerRegistry } from '../mcp/registry';
import type { CompilerProgram } from './compilerProgram';
import type { ToolFilesAnswer, ToolFilesQuestion, ToolFolder } from './toolFile';
import type { ToolFileHost } from './toolFileHost';

/** A workspace folder as the editor has it. */
export interface WorkspaceFolderFacts {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

/** What the room needs of the editor. */
export interface WorkspaceToolsPorts {
  readonly log: Logger;
  /** The servers of the window; those of the folders are added to it and removed. */
  readonly registry: ServerRegistry;
  /** In the editor's order. */
  readonly folders: () => readonly WorkspaceFolderFacts[];
  readonly isTrusted: () => boolean;
  /** A setting of workspace or folder may say no; none may say more. */
  readonly isEnabled: (folder: string) => boolean;
  /** Of the workspace, whichever window shows it: approvals, the texts that were approved, and what was compiled of them. */
  readonly approvalsFolder: string;
  /** Of this window alone: the whole of results that were cut. */
  readonly storageFolder: string;
  readonly ask: (question: ToolFilesQuestion) => Promise<ToolFilesAnswer>;
  /** `ctx.vscode` of the handlers that run in the extension host. */
  readonly vscode: unknown;
  /** `ctx.workspaceFolder` of the handlers: the editor's own object. */
  readonly workspaceFolder: (folder: string) => unknown;
  /** Whether a rule lets this tool run unasked; only then the author's `readOnlyHint` is told. */
  readonly isAllowed: (wireName: string) => boolean;
  readonly limits: () => ToolFileLimits;
  readonly compiler: CompilerProgram;
  /** Loads files that say `isolation: 'worker'`; without it they are not offered. */
  readonly worker?: ToolFileHost | undefined;
  /**
   * Code of this file begins to run in the extension host: it is loaded, or one of its handlers is
   * called. Disposed of at its end. For whoever looks for loops.
   */
  readonly running?: ((path: string) => Disposable) | undefined;
}

/** Those that the editor itself gives; the others are programs of ours beside it. */
export type EditorPorts = Omit<WorkspaceToolsPorts, 'compiler' | 'worker' | 'running'>;

/** Each a setting. */
export interface ToolFileLimits {
  /** Milliseconds that a call may take where the tool names none. */
  readonly timeout: number;
  /** Characters of a result that the model gets; the whole is kept in a file that it can read. */
  readonly maxResultChars: number;
}

export interface WrittenFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

/** The tool files of the window. */
export interface WorkspaceTools extends Disposable {
  readonly onDidChange: Event<void>;
  folders(): readonly ToolFolder[];
  /** All folders anew: trust, settings, workspace folders or rules have changed. Never rejects. */
  refresh(): Promise<void>;
  /** Something at or below this path changed on disk. Paths outside of `.patchbay` are left alone. */
  changedOnDisk(path: string): void;
  /** Packages were installed: what has failed may find them now. To be told at the end: half of one is kept. */
  installed(): void;
  /** This file is being changed in the editor: what compiles it is loaded before it is saved. */
  expectChange(path: string): void;
  /** The editor is about to save this file: the bytes before are those that are there now. */
  willSave(path: string): void;
  /**
   * The editor saved this file.
   * @param text what the person's own typing made of it, as the editor's buffer has it: counts as
   *   approved where it is what stands on the disk, and the bytes before were approved. Undefined
   *   where something in it may be the agent's, or the setting does not say that such a change counts
   */
  saved(path: string, text: string | undefined): void;
  /** Puts the question of a folder again, where it is open or was refused. */
  askAgain(folder: string): Promise<void>;
  /** Takes the approval of all files of a folder back: their tools go. */
  withdraw(folder: string): Promise<void>;
  /** The file ran for ever in the extension host: its approval is taken back, and it says why. */
  looped(path: string): Promise<void>;
  /** Patchbay wrote just these texts at the person's wish, such as a new tool file: they count as approved. */
  wrote(files: readonly WrittenFile[]): Promise<void>;
  /** A conversation has ended, not just the use of a server in it: what was kept for it goes. */
  conversationEnded(id: string): void;
  /** Resolves when nothing is being read, loaded or decided but for what the person is asked. */
  settled(): Promise<void>;
}
