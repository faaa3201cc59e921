import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/event';
import { cleanName } from '../mcp/names';
import { Compiler } from './compiler';
import type { CompilingTools } from './compiledSources';
import { FolderTools } from './folderTools';
import { HostToolFiles } from './hostToolFiles';
import { ResultStore } from './resultStore';
import { watchStrayErrors } from './strayErrors';
import type { ToolFolder } from './toolFile';
import { resultsFolder } from './toolFilePaths';
import type { WorkspaceTools, WorkspaceToolsPorts, WrittenFile } from './workspaceToolsPorts';

/** Leaves room for the names of tools. */
const MAX_SERVER = 40;

/** The tool files of the window. Nothing is read before the first `refresh`. */
export function createWorkspaceTools(ports: WorkspaceToolsPorts): WorkspaceTools {
  return new AllFolders(ports);
}

class AllFolders implements WorkspaceTools {
  readonly #ports: WorkspaceToolsPorts;
  readonly #results: ResultStore;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  #folders = new Map<string, { readonly server: string; readonly tools: FolderTools }>();
  #tools: Promise<CompilingTools> | undefined;
  #stray: Disposable | undefined;
  #isTelling = false;
  #isDisposed = false;

  constructor(ports: WorkspaceToolsPorts) {
    this.#ports = ports;
    this.#results = new ResultStore(resultsFolder(ports.storageFolder), ports.log);
  }

  folders(): readonly ToolFolder[] {
    return [...this.#folders.values()].map(({ tools }) => tools.describe());
  }

  async refresh(): Promise<void> {
    if (this.#isDisposed) return;
    this.#matchFolders();
    await Promise.all(this.#all().map((tools) => tools.update()));
    this.#tell();
  }

  changedOnDisk(file: string): void {
    for (const tools of this.#all()) tools.changedOnDisk(file);
  }
  installed(): void {
    for (const tools of this.#all()) void tools.tryAgain();
  }
  expectChange(file: string): void {
    for (const tools of this.#all()) tools.expectChange(file);
  }
  willSave(file: string): void {
    for (const tools of this.#all()) tools.willSave(file);
  }
  saved(file: string, text: string | undefined): void {
    for (const tools of this.#all()) tools.saved(file, text);
  }
  async wrote(files: readonly WrittenFile[]): Promise<void> {
    await Promise.all(this.#all().map((tools) => tools.wrote(files)));
  }
  async looped(file: string): Promise<void> {
    // Also before anything is read: it must not run again first.
    if (!this.#isDisposed) this.#matchFolders();
    await Promise.all(this.#all().map((tools) => tools.looped(file)));
  }
  async askAgain(folder: string): Promise<void> {
    await this.#folders.get(folder)?.tools.askAgain();
  }
  async withdraw(folder: string): Promise<void> {
    await this.#folders.get(folder)?.tools.withdraw();
  }
  conversationEnded(id: string): void {
    // With the window it only pauses: the next one goes on with it.
    if (!this.#isDisposed) void this.#results.forget(id);
  }
  async settled(): Promise<void> {
    await Promise.all(this.#all().map((tools) => tools.settled()));
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const tools of this.#all()) tools.dispose();
    this.#folders.clear();
    this.#stray?.dispose();
    this.#changed.dispose();
  }

  #all(): readonly FolderTools[] {
    return [...this.#folders.values()].map(({ tools }) => tools);
  }

  /** A folder whose server has another name by now starts anew. */
  #matchFolders(): void {
    const before = this.#folders;
    this.#folders = new Map();
    const names = serverNames(this.#ports.folders());
    for (const [folder, { server, tools }] of before) {
      if (names.get(folder) !== server) tools.dispose();
    }
    for (const [folder, server] of names) {
      const known = before.get(folder);
      const tools = known?.server === server ? known.tools : this.#create(folder, server);
      this.#folders.set(folder, { server, tools });
    }
  }

  #create(folder: string, server: string): FolderTools {
    return new FolderTools({
      ports: this.#ports,
      folder,
      server,
      results: this.#results,
      tools: () => (this.#tools ??= this.#load()),
      changed: () => this.#tell(),
    });
  }

  async #load(): Promise<CompilingTools> {
    const { compiler: program } = this.#ports;
    const compiler = new Compiler(program);
    this.#stray ??= watchStrayErrors(this.#ports.log, () => [...this.#folders.keys()]);
    const host = new HostToolFiles(this.#ports, compiler);
    return { compiler, version: await program.version(), host };
  }

  /** Once for all that happened in one moment. */
  #tell(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      this.#changed.fire();
    });
  }
}

/** By the folder's path: `workspace` for the first, `workspace-<folder>` for the others, each once. */
function serverNames(
  folders: readonly { readonly name: string; readonly path: string }[],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const [index, folder] of folders.entries()) {
    if (names.has(folder.path)) continue;
    const wanted =
      index === 0 ? 'workspace' : `workspace-${cleanName(folder.name)}`.slice(0, MAX_SERVER);
    let name = wanted;
    for (let count = 2; taken.has(name); count += 1) name = `${wanted}-${count}`;
    taken.add(name);
    names.set(folder.path, name);
  }
  return names;
}
