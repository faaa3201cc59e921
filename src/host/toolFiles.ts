import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { Logger } from '../base/logger';
import type { ServerRegistry } from '../mcp/registry';
import type { ToolFilesAnswer, ToolFilesQuestion, ToolFolder } from '../workspaceTools/toolFile';
import { TreeWatch } from '../workFiles/treeWatch';
import type { EditorPorts, WorkspaceTools } from '../workspaceTools/workspaceToolsPorts';
import { LazyLoad } from './activation';
import { AllowRules, type AllowRulesPorts } from './allowRules';
import type { ApprovalCards } from './approvalCards';
import { currentSetting, nobodySaysNo } from './hostFields';
import { settings } from './settings';
import { ToolFileProblems } from './toolFileProblems';
import { watchToolFileSaves } from './toolFileSaves';
import { workspaceRoots } from './workingFolder';

/** The folder of a workspace folder in which its tool files are. */
export const TOOL_FOLDER = '.patchbay';
/** What npm, pnpm and Yarn write when they have installed something: a file that lacked it is tried again. */
const INSTALLED = 'node_modules/{.package-lock.json,.modules.yaml,.yarn-integrity,.yarn-state.yml}';
const { workspace } = vscode;

export interface ToolFilesOptions {
  readonly log: Logger;
  /** The servers of the window; those of the folders come to them. */
  readonly registry: ServerRegistry;
  readonly cards: ApprovalCards;
  /** The extension's own, of this window. */
  readonly storageFolder: string;
  /** The same, of this workspace. */
  readonly approvalsFolder: string;
  readonly where: AllowRulesPorts['where'];
  /** Loads the room. What has to end with it goes into the store. */
  readonly create: (ports: EditorPorts, store: DisposableStore) => Promise<WorkspaceTools>;
}

/**
 * The tool files of the window's folders: tells the room what the editor knows, and shows what is wrong.
 * Where no folder has a `.patchbay`, nothing of the room is loaded.
 */
export class ToolFiles implements Disposable {
  readonly #options: ToolFilesOptions;
  readonly #store = new DisposableStore();
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;
  readonly #rules: AllowRules;
  readonly #problems = this.#store.add(new ToolFileProblems());
  readonly #saves: ReturnType<typeof watchToolFileSaves>;
  readonly #loading = new LazyLoad(() => this.#load());
  #watchers = new DisposableStore();
  #tools: WorkspaceTools | undefined;

  constructor(options: ToolFilesOptions) {
    this.#options = options;
    const { log, where } = options;
    this.#rules = this.#store.add(
      new AllowRules({
        log,
        where,
        roots: workspaceRoots,
        given: () => currentSetting(settings.allowedTools, log),
        isTrusted: () => workspace.isTrusted,
      }),
    );
    this.#saves = this.#store.add(
      watchToolFileSaves({
        log,
        folders: () => this.folders(),
        changed: (file) => this.#tools?.expectChange(file),
        willSave: (file) => this.#tools?.willSave(file),
        saved: (file, text) => this.#tell((tools) => tools.saved(file, text)),
      }),
    );
    this.#store.add({ dispose: () => this.#watchers.dispose() });
    this.#listen();
  }

  /** Looks whether there is anything to load. Never rejects. */
  async start(): Promise<void> {
    const found = await Promise.all(workspaceRoots().map(hasToolFolder));
    if (!found.includes(true) || this.#store.isDisposed) return;
    await this.load().catch((error: unknown) => {
      this.#options.log.error('The tool files of the workspace could not be loaded', error);
    });
  }

  /** The room, once it knows the folders. Loads it where there is nothing to be found as well. */
  load(): Promise<WorkspaceTools> {
    return this.#loading.get();
  }

  /** As far as it is loaded. */
  folders(): readonly ToolFolder[] {
    return this.#tools?.folders() ?? [];
  }

  /** What was kept for the conversation goes. */
  conversationEnded(id: string): void {
    this.#tools?.conversationEnded(id);
  }

  /** @returns whether anything waits for the person, what they refused before included */
  async askAgain(): Promise<boolean> {
    const tools = await this.load();
    await tools.settled();
    const isOpen = ({ state }: ToolFolder['files'][number]): boolean =>
      state.kind === 'needsApproval' || state.kind === 'refused';
    const waiting = tools.folders().filter(({ files, hold }) => !hold && files.some(isOpen));
    // Not awaited: that ends with the person's answer.
    for (const { path: folder } of waiting) void tools.askAgain(folder);
    return waiting.length > 0;
  }

  dispose(): void {
    this.#store.dispose();
    this.#tools?.dispose();
    this.#changed.dispose();
  }

  async #load(): Promise<WorkspaceTools> {
    await this.#rules.read();
    const tools = await this.#options.create(this.#ports(), this.#store);
    if (this.#store.isDisposed) {
      tools.dispose();
      return tools;
    }
    this.#tools = tools;
    this.#store.add(
      tools.onDidChange(() => {
        this.#problems.show(tools.folders());
        this.#changed.fire();
      }),
    );
    await tools.refresh();
    this.#problems.show(tools.folders());
    this.#changed.fire();
    return tools;
  }

  #ports(): EditorPorts {
    const { log, registry, storageFolder, approvalsFolder } = this.#options;
    return {
      log,
      registry,
      storageFolder,
      approvalsFolder,
      folders: () =>
        (workspace.workspaceFolders ?? [])
          .filter(({ uri }) => uri.scheme === 'file')
          .map(({ name, uri }) => ({ name, path: uri.fsPath })),
      isTrusted: () => workspace.isTrusted,
      isEnabled: (folder) => nobodySaysNo(settings.toolFilesEnabled, vscode.Uri.file(folder)),
      ask: (question) => this.#ask(question),
      vscode,
      workspaceFolder: (folder) =>
        workspace.workspaceFolders?.find(({ uri }) => uri.fsPath === folder),
      isAllowed: (wireName) => this.#rules.isAllowed(wireName),
      limits: () => ({
        timeout: currentSetting(settings.toolFilesTimeout, log) * 1000,
        maxResultChars: currentSetting(settings.toolFilesMaxResultChars, log),
      }),
    };
  }

  async #ask(question: ToolFilesQuestion): Promise<ToolFilesAnswer> {
    const answer = await this.#options.cards.askFiles(question);
    if (answer === 'approve') this.#saves.approved(question.folder);
    return answer;
  }

  #listen(): void {
    this.#watch();
    const listeners: Disposable[] = [
      workspace.onDidGrantWorkspaceTrust(() => this.#refresh()),
      workspace.onDidChangeWorkspaceFolders(() => {
        this.#watch();
        this.#refresh();
      }),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(settings.allowedTools.key)) this.#readRules();
        if (event.affectsConfiguration('patchbay.toolFiles')) this.#refresh();
      }),
      this.#rules.onDidChange(() => void this.#tools?.refresh()),
    ];
    for (const listener of listeners) this.#store.add(listener);
  }

  #watch(): void {
    this.#watchers.dispose();
    const watchers = (this.#watchers = new DisposableStore());
    const watch = (base: string, pattern: string, onChange: (file: string) => void): void => {
      const watcher = workspace.createFileSystemWatcher(
        new vscode.RelativePattern(vscode.Uri.file(base), pattern),
      );
      watchers.add(watcher);
      const tell = ({ fsPath }: vscode.Uri): void => onChange(fsPath);
      for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) {
        watchers.add(event(tell));
      }
    };
    for (const root of workspaceRoots()) {
      const tree = watchers.add(
        new TreeWatch({
          root: path.join(root, TOOL_FOLDER),
          onChange: (file) => this.#changedOnDisk(file),
        }),
      );
      // Elsewhere the editor's watcher loses nothing, and ours would hold the folder.
      const look = (): unknown => process.platform === 'linux' && tree.look();
      look();
      watch(root, `${TOOL_FOLDER}/**`, (file) => {
        look();
        this.#changedOnDisk(file);
      });
      watch(root, '.claude/settings*.json', () => this.#readRules());
      watch(root, INSTALLED, () => this.#tools?.installed());
    }
  }

  #changedOnDisk(file: string): void {
    this.#tell((tools) => tools.changedOnDisk(file));
  }

  /** What is loaded by it reads all folders itself. */
  #tell(what: (tools: WorkspaceTools) => void): void {
    if (this.#tools) what(this.#tools);
    else void this.start();
  }

  #refresh(): void {
    if (!this.#tools) {
      void this.start();
      return;
    }
    const tools = this.#tools;
    // Which rules count hangs on trust and on the folders.
    void this.#rules.read().then(() => tools.refresh());
  }

  #readRules(): void {
    if (this.#tools) void this.#rules.read();
  }
}

async function hasToolFolder(root: string): Promise<boolean> {
  try {
    return (await stat(path.join(root, TOOL_FOLDER))).isDirectory();
  } catch {
    return false;
  }
}
