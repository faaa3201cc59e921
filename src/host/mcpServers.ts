import * as l10n from '@vscode/l10n';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import {
  type ExtensionContext,
  type FileSystemWatcher,
  RelativePattern,
  Uri,
  window,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import type { Logger } from '../base/logger';
import { configFile } from '../cli/personServers';
import { PersonServersWatch } from '../cli/personServersWatch';
import { homeOf } from '../cli/prepareCli';
import { namedFile, ServerBook, WORKSPACE_FILE } from '../cli/serverBook';
import {
  type ApprovalAnswer,
  type ApprovalQuestion,
  WorkspaceApprovals,
} from '../cli/workspaceApprovals';
import type { ServerRegistry } from '../mcp/registry';
import { SwitchedServers } from '../mcp/switchedServers';
import { type SwitchState, ToolSwitches, tryReadUsedSet } from '../mcp/toolSwitches';
import { ApprovalCards } from './approvalCards';
import { describeServer } from './describeServer';
import { EditorServers, windowServers } from './editorServers';
import { currentSetting, everywhere } from './hostFields';
import { openWorkspaceFile } from './openWorkspaceFile';
import { settings } from './settings';
import { workspaceRoots } from './workingFolder';

/** Keys in the workspace's storage; never in a file of the workspace itself. */
const APPROVALS = 'mcp.approvals';
const SWITCHED_OFF = 'mcp.switchedOff';
const TOOLS_OFF = 'mcp.toolsOff';
const USED_SET = 'mcp.toolSet';

/** In the editor's secret storage, behind it the name that `${secret:NAME}` gives. */
export const SECRET_PREFIX = 'patchbay.mcp.';

/** The servers of this window: which there are, which are on, and what may start. */
export interface McpServers extends Disposable {
  /** Our in-process servers and their tools, without what is switched off. */
  readonly registry: SwitchedServers;
  /** Those that are switched off as well. */
  readonly all: ServerRegistry;
  /** What is switched off, and by whom; kept for this workspace. */
  readonly switches: ToolSwitches;
  readonly book: ServerBook;
  readonly approvals: WorkspaceApprovals;
  /** The questions of those that wait. */
  readonly cards: ApprovalCards;
  readonly attached: EditorServers;
  /** The in-process servers, those included that are switched off; not the attached ones. */
  own(): readonly { readonly name: string; readonly extension: string | undefined }[];
  /** Holds for all conversations of the window, and for the next window of this workspace. */
  switch(name: string, on: boolean): Promise<void>;
  /** Keeps the switches as they are now. */
  keepSwitches(): Promise<void>;
}

/** Reads settings, files and storage, and follows their changes. */
export function createMcpServers(
  context: ExtensionContext,
  log: Logger,
  all: ServerRegistry,
): McpServers {
  const store = new DisposableStore();
  const switches = store.add(createSwitches(context, log, store));
  const registry = store.add(new SwitchedServers(all, switches));
  const cards = store.add(new ApprovalCards((folder) => workspaceRoots().includes(folder)));
  const approvals = new WorkspaceApprovals({
    memory: {
      get: () => context.workspaceState.get(APPROVALS),
      set: (value) => void context.workspaceState.update(APPROVALS, value),
    },
    ask: (question) => cards.ask(question),
    onError: (error) => {
      log.error('The question about a server could not be put', error);
    },
  });
  const book: ServerBook = store.add(
    new ServerBook({
      log,
      settingServers: () => currentSetting(settings.mcpServers, log),
      configFile: () => currentSetting(settings.mcpConfigFile, log),
      secret: (name) => context.secrets.get(SECRET_PREFIX + name),
      isTrusted: () => workspace.isTrusted,
      reserved: () => all.all().flatMap(({ name }) => (attached.isAttached(name) ? [] : [name])),
      isOff: (name) => switches.isServerOff(name),
      approvals,
    }),
  );
  const attached: EditorServers = store.add(new EditorServers(context, log, all, book));
  follow(context, log, book, store);
  store.add(switches.onDidChange(() => book.refresh()));
  const keepSwitches = () => keep(context, switches.state);
  return {
    registry,
    all,
    switches,
    keepSwitches,
    book,
    approvals,
    cards,
    attached,
    own: () =>
      all
        .all()
        .flatMap(({ name, source }) =>
          attached.isAttached(name) ? [] : [{ name, extension: source }],
        ),
    switch: async (name, on) => {
      switches.switchServer(name, on);
      await keepSwitches();
    },
    dispose: () => {
      store.dispose();
    },
  };
}

/** Those of the last window, and of the setting, which anybody may write: it takes away only. */
function createSwitches(
  { workspaceState }: ExtensionContext,
  log: Logger,
  store: DisposableStore,
): ToolSwitches {
  const switches = new ToolSwitches({
    servers: texts(workspaceState.get(SWITCHED_OFF)),
    tools: texts(workspaceState.get(TOOLS_OFF)),
    set: tryReadUsedSet(workspaceState.get(USED_SET)),
  });
  const disable = (): void => {
    switches.disable(everywhere(settings.disabledTools, log));
  };
  disable();
  store.add(
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(settings.disabledTools.key)) disable();
    }),
  );
  return switches;
}

async function keep({ workspaceState }: ExtensionContext, state: SwitchState): Promise<void> {
  await Promise.all([
    workspaceState.update(SWITCHED_OFF, state.servers),
    workspaceState.update(TOOLS_OFF, state.tools),
    workspaceState.update(USED_SET, state.set),
  ]);
}

function follow(
  context: ExtensionContext,
  log: Logger,
  book: ServerBook,
  store: DisposableStore,
): void {
  const refresh = (): void => {
    book.refresh();
  };
  const watchers = store.add(
    new Watchers(() => {
      // A link may lead elsewhere now.
      watch();
      refresh();
    }),
  );
  const watch = (): void => {
    const { env } = windowServers(context, log);
    const named = namedFile(currentSetting(settings.mcpConfigFile, log), env);
    const files = [
      ...workspaceRoots().map((root) => path.join(root, WORKSPACE_FILE)),
      ...(path.isAbsolute(named) ? [named] : []),
    ];
    watchers.watch(files.flatMap(withTarget));
  };
  watch();
  let person = followPerson(context, log, refresh);
  store.add({ dispose: () => person.dispose() });
  const listeners: Disposable[] = [
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(settings.cliEnvironment.key)) {
        // It may name another folder of the CLI's, and another home.
        watch();
        person.dispose();
        person = followPerson(context, log, refresh);
        refresh();
      }
      const keys = [settings.mcpServers.key, settings.mcpConfigFile.key];
      if (!keys.some((key) => event.affectsConfiguration(key))) return;
      watch();
      refresh();
    }),
    workspace.onDidChangeWorkspaceFolders(watch),
    workspace.onDidGrantWorkspaceTrust(refresh),
    context.secrets.onDidChange(({ key }) => {
      if (key.startsWith(SECRET_PREFIX)) refresh();
    }),
  ];
  for (const listener of listeners) store.add(listener);
}

/** The person's own servers, where the CLI keeps them. */
function followPerson(
  context: ExtensionContext,
  log: Logger,
  onChange: () => void,
): PersonServersWatch {
  const { env, cwd } = windowServers(context, log);
  const file = configFile({ env, home: homeOf(env), cwd });
  return new PersonServersWatch({ file, onChange });
}

/** A file, and where it leads if it is a link: of a change behind it the editor's watcher tells nothing. */
function withTarget(file: string): readonly string[] {
  try {
    return [...new Set([file, realpathSync(file)])];
  } catch {
    return [file];
  }
}

/** Watches single files, also outside of the workspace. */
class Watchers implements Disposable {
  readonly #onChange: () => void;
  #watchers = new Map<string, FileSystemWatcher>();

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  watch(files: readonly string[]): void {
    for (const [file, watcher] of this.#watchers) {
      if (files.includes(file)) continue;
      watcher.dispose();
      this.#watchers.delete(file);
    }
    for (const file of files) {
      if (this.#watchers.has(file)) continue;
      const pattern = new RelativePattern(Uri.file(path.dirname(file)), path.basename(file));
      const watcher = workspace.createFileSystemWatcher(pattern);
      watcher.onDidChange(this.#onChange);
      watcher.onDidCreate(this.#onChange);
      watcher.onDidDelete(this.#onChange);
      this.#watchers.set(file, watcher);
    }
  }

  dispose(): void {
    this.watch([]);
  }
}

/** Shows the whole entry and asks. */
export async function reviewServer(
  question: Pick<ApprovalQuestion, 'name' | 'folder' | 'value'>,
): Promise<ApprovalAnswer> {
  const { name, folder, value } = question;
  const start = l10n.t('Start');
  const refuse = l10n.t("Don't start");
  const file = l10n.t('Open the file');
  const answer = await window.showWarningMessage(
    l10n.t('May the agent start the server {0}?', name),
    {
      modal: true,
      detail: l10n.t(
        '{0}\n\nIt runs with your rights. Your answer holds until this entry of {1} changes; what the program itself does is not checked.',
        describeServer(value),
        path.join(folder, WORKSPACE_FILE),
      ),
    },
    start,
    refuse,
    file,
  );
  if (answer === file) await openWorkspaceFile(folder);
  return answer === start ? 'start' : answer === refuse ? 'refuse' : undefined;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
