import * as l10n from '@vscode/l10n';
import path from 'node:path';
import {
  commands as vscodeCommands,
  type ExtensionContext,
  Range,
  Uri,
  window,
  workspace,
  RelativePattern,
} from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import { UserFacingError } from '../base/errors';
import type { Event } from '../base/event';
import type { Logger } from '../base/logger';
import type { ToolCall } from '../conversation/toolCallWatch';
import { TOOL_SETS_FILE } from '../workspaceTools/toolFilePaths';
import type { ToolCommand } from './commands';
import { LastCalls } from './lastCalls';
import { Later } from './later';
import type { McpServers } from './mcpServers';
import {
  runServerAction,
  type ServersMenuPorts,
  settleFiles,
  type ToolFilesPort,
} from './mcpServersMenu';
import { pumpClock } from './pumpClock';
import type { ServerAction } from './serverRows';
import { settings } from './settings';
import { warnOfTokens } from './tokenWarning';
import { ToolSetFiles } from './toolSetFiles';
import { askAboutAdded, askAboutOff } from './toolSetQuestions';
import type { RowAction, RowTarget, ToolsRow } from './toolRows';
import { ToolsTree } from './toolsTree';
import type { ToolRuns } from './toolRuns';
import { views } from './views';
import { workspaceRoots } from './workingFolder';

/** Key in the workspace's storage: what was said to take many tokens. */
const TOLD = 'tools.manyTokensTold';
/** Tools that come one after the other are told of together. */
const WARN_AFTER_MS = 1_000;

export interface ToolsPorts {
  /** Undefined where the conversations could not be loaded. */
  readonly menu: () => ServersMenuPorts | undefined;
  readonly context: ExtensionContext;
  readonly log: Logger;
  readonly servers: McpServers | undefined;
  readonly toolFiles: ToolFilesPort | undefined;
  readonly onDidCallTool: Event<ToolCall> | undefined;
  readonly onDidChangeTurn: Event<unknown>;
}

/** Servers and tools as the person sees them: the view, the sets, and what is done by hand. */
export class Tools implements Disposable {
  readonly tree: ToolsTree;
  readonly calls: LastCalls;
  readonly sets: ToolSetFiles | undefined;
  readonly #ports: ToolsPorts;
  readonly #store = new DisposableStore();
  #runs: ToolRuns | undefined;

  constructor(ports: ToolsPorts) {
    this.#ports = ports;
    this.calls = this.#store.add(new LastCalls());
    const { onDidCallTool, onDidChangeTurn, menu, servers, toolFiles } = ports;
    const listening = onDidCallTool?.((call) => this.calls.add(call));
    if (listening) this.#store.add(listening);
    if (toolFiles) {
      const later = this.#store.add(new Later(pumpClock, WARN_AFTER_MS, () => void this.#warn()));
      this.#store.add(toolFiles.onDidChange(() => later.start()));
    }
    this.sets = this.#createSets();
    this.tree = this.#store.add(
      new ToolsTree({
        ...{ menu, servers, toolFiles, onDidChangeTurn },
        ...{ calls: this.calls, sets: this.sets },
      }),
    );
  }

  /** @param target the row that the command is for, as VS Code hands it over */
  async run(command: ToolCommand, target: unknown): Promise<void> {
    switch (command) {
      case 'showTools':
        await vscodeCommands.executeCommand(`${views.tools.id}.focus`);
        return;
      case 'useToolSet':
        return this.#useSet();
      case 'runTool':
        return (await this.#loadRuns()).run(await this.#targetOf(target));
      case 'showToolToModel':
        return (await this.#loadRuns()).showModel(await this.#targetOf(target));
      case 'openToolSetting':
        return openSetting();
      case 'openToolFile':
        return this.#open(await this.tree.find(target));
      case 'switchToolOn':
      case 'switchToolOff':
      case 'reconnectServer':
      case 'approveTools':
      case 'withdrawApproval': {
        const row = await this.tree.find(target);
        if (row) await this.#act(command, row);
      }
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Once it is known what the workspace's files offer, and after each change. */
  async #warn(): Promise<void> {
    const { servers, toolFiles, context, log } = this.#ports;
    await warnOfTokens({
      servers: () =>
        (toolFiles?.folders() ?? []).map(({ server: name }) => ({
          name,
          tools: servers?.registry.get(name)?.listTools() ?? [],
        })),
      told: () => context.workspaceState.get<readonly string[]>(TOLD, []),
      keep: (told) => context.workspaceState.update(TOLD, told),
      tell: (text) => {
        log.warn(text);
        const show = l10n.t('Show tools');
        void window.showInformationMessage(text, show).then((answer) => {
          if (answer === show) void this.run('showTools', undefined);
        });
      },
    });
  }

  /** The part that runs tools, for tests too. */
  get runs(): ToolRuns | undefined {
    return this.#runs;
  }

  async #act(command: keyof typeof ACTIONS, { actions, target }: ToolsRow): Promise<void> {
    const menu = this.#ports.menu();
    // What a row does not offer is not done, whoever calls the command.
    const action = ACTIONS[command].find((one) => actions.includes(one));
    if (menu === undefined || action === undefined) return;
    if (target.kind === 'server') return runServerAction(menu, target.row, action);
    if (action === 'approve' && target.kind !== 'note' && target.folder !== undefined) {
      return settleFiles(menu, target.folder, 'approve');
    }
    if (target.kind === 'tool') {
      menu.servers.switches.switchTool(target.server, target.tool, action === 'switchOn');
      return menu.servers.keepSwitches();
    }
  }

  async #open(row: ToolsRow | undefined): Promise<void> {
    const menu = this.#ports.menu();
    if (row === undefined || menu === undefined) return;
    const { target } = row;
    if (target.kind === 'server') return runServerAction(menu, target.row, 'openSource');
    const place = placeOf(target);
    if (place === undefined) return;
    const { file, line = 1, column = 1 } = place;
    const at = new Range(line - 1, Math.max(0, column - 1), line - 1, Math.max(0, column - 1));
    await window.showTextDocument(Uri.file(file), { selection: at });
  }

  async #targetOf(target: unknown): Promise<Extract<RowTarget, { kind: 'tool' }> | undefined> {
    const row = await this.tree.find(target);
    return row?.target.kind === 'tool' ? row.target : undefined;
  }

  async #loadRuns(): Promise<ToolRuns> {
    const { ToolRuns } = await import('./toolRuns');
    const menu = this.#ports.menu();
    if (menu === undefined) throw new UserFacingError(l10n.t('The tools could not be loaded.'));
    this.#runs ??= this.#store.add(
      new ToolRuns({ menu: this.#ports.menu, calls: this.calls }, menu),
    );
    return this.#runs;
  }

  #createSets(): ToolSetFiles | undefined {
    const { servers, log } = this.#ports;
    if (servers === undefined) return undefined;
    const sets = this.#store.add(
      new ToolSetFiles({
        log,
        switches: servers.switches,
        keep: () => servers.keepSwitches(),
        roots: workspaceRoots,
        isTrusted: () => workspace.isTrusted,
        askAdded: askAboutAdded,
        askOff: askAboutOff,
      }),
    );
    const refresh = (): void => void sets.refresh();
    let watchers = this.#store.add(watchSets(refresh));
    const listeners: Disposable[] = [
      workspace.onDidGrantWorkspaceTrust(refresh),
      workspace.onDidChangeWorkspaceFolders(() => {
        this.#store.delete(watchers);
        watchers = this.#store.add(watchSets(refresh));
        refresh();
      }),
    ];
    for (const listener of listeners) this.#store.add(listener);
    refresh();
    return sets;
  }

  async #useSet(): Promise<void> {
    const { sets } = this;
    const { servers } = this.#ports;
    if (sets === undefined || servers === undefined) return;
    const { chooseToolSet } = await import('./chooseToolSet');
    await chooseToolSet(sets, servers.switches.state.set);
  }
}

/** What a row must offer for a command; the first that it does is done. */
const ACTIONS = {
  switchToolOn: ['switchOn'],
  switchToolOff: ['switchOff'],
  reconnectServer: ['reconnect'],
  approveTools: ['approve', 'review'],
  withdrawApproval: ['withdraw', 'forget', 'revoke'],
} as const satisfies Partial<Record<ToolCommand, readonly (RowAction & ServerAction)[]>>;

function placeOf(target: RowTarget) {
  if (target.kind === 'file')
    return { file: target.path, line: target.line, column: target.column };
  return target.kind === 'tool' && target.file !== undefined ? { file: target.file } : undefined;
}

async function openSetting(): Promise<void> {
  const { key } = settings.disabledTools;
  await vscodeCommands.executeCommand('workbench.action.openSettings', `@id:${key}`);
}

function watchSets(onChange: () => void): Disposable {
  const store = new DisposableStore();
  for (const root of workspaceRoots()) {
    // Of a folder that goes only itself is told.
    const pattern = new RelativePattern(
      Uri.file(root),
      `{${path.posix.dirname(TOOL_SETS_FILE)},${TOOL_SETS_FILE}}`,
    );
    const watcher = store.add(workspace.createFileSystemWatcher(pattern));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) {
      store.add(event(onChange));
    }
  }
  return store;
}
