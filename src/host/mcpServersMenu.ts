import * as l10n from '@vscode/l10n';
import {
  commands,
  type ExtensionContext,
  type QuickPickItem,
  QuickPickItemKind,
  Uri,
  window,
} from 'vscode';
import type { Event } from '../base/event';
import type { Logger } from '../base/logger';
import { configFile } from '../cli/personServers';
import { homeOf } from '../cli/prepareCli';
import { namedFile, WORKSPACE_FILE } from '../cli/serverBook';
import type { Conversation, ServerStatus } from '../conversation/conversationPorts';
import type { ToolFolder } from '../workspaceTools/toolFile';
import type { WorkspaceTools } from '../workspaceTools/workspaceToolsPorts';
import type { ApiHub } from './apiHub';
import { windowServers } from './editorServers';
import { currentSetting } from './hostFields';
import { type McpServers, reviewServer, SECRET_PREFIX } from './mcpServers';
import { openWorkspaceFile } from './openWorkspaceFile';
import { type ServerAction, type ServerRow, serverRows } from './serverRows';
import { settings } from './settings';
import { views } from './views';

export interface ServersMenuPorts {
  readonly context: ExtensionContext;
  readonly log: Logger;
  readonly showLog: () => void;
  readonly servers: McpServers;
  /** The one in view; its CLI tells how the servers are. */
  readonly conversation: Conversation;
  /** Of all places: a server that is switched off and on is taken from each of them. */
  readonly conversations: () => readonly Conversation[];
  /** Its folder; absent: the window's first. */
  readonly folder: string | undefined;
  readonly extensions: ApiHub | undefined;
  readonly toolFiles: ToolFilesPort | undefined;
}

/** The tool files of the window. */
export interface ToolFilesPort {
  folders(): readonly ToolFolder[];
  readonly onDidChange: Event<void>;
  load(): Promise<Pick<WorkspaceTools, 'askAgain' | 'withdraw'>>;
}

/** The rows of the list as they are now. */
export async function currentRows(ports: ServersMenuPorts): Promise<ServerRow[]> {
  return (await currentServers(ports)).rows;
}

/** The same, with what the running agent says of its servers. */
export async function currentServers(
  ports: ServersMenuPorts,
): Promise<{ readonly rows: ServerRow[]; readonly status: readonly ServerStatus[] }> {
  const { servers, conversation } = ports;
  const [external, status] = await Promise.all([
    servers.book.collect(whereOf(ports)),
    conversation.serverStatus().catch(() => []),
  ]);
  const rows = serverRows({
    own: servers.own(),
    external,
    isOff: (name) => servers.switches.isServerOff(name),
    status,
    attached: (name) => servers.attached.state(name),
    folders: ports.toolFiles?.folders(),
  });
  return { rows, status };
}

type ServerItem = QuickPickItem & { readonly row?: ServerRow; run?: () => Promise<void> };

/** Shows all servers; the chosen one's actions follow. */
export async function showMcpServers(ports: ServersMenuPorts): Promise<void> {
  const rows = await currentRows(ports);
  const items: ServerItem[] = [
    ...rows.map((row) => ({
      row,
      label: `${row.icon} ${row.name}`,
      description: row.state,
      detail: row.detail,
    })),
    { label: '', kind: QuickPickItemKind.Separator },
    ...extensionItems(ports.extensions),
    { label: `$(key) ${l10n.t('Set a secret…')}`, run: () => setSecret(ports.context) },
    {
      label: `$(gear) ${l10n.t('Open the settings')}`,
      run: () => openSetting(settings.mcpServers.key),
    },
  ];
  const chosen = await window.showQuickPick(items, {
    title: l10n.t('MCP servers'),
    placeHolder: l10n.t('Choose a server to see what can be done with it'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen?.row) await showActions(ports, chosen.row);
  else await chosen?.run?.();
}

/** One for each extension that wanted something: the person's answer can be changed. */
function extensionItems(hub: ApiHub | undefined): ServerItem[] {
  return (hub?.sources ?? []).map(({ id, isAllowed }) => ({
    label: `$(extensions) ${id}`,
    description: isAllowed === true ? l10n.t('allowed') : l10n.t('not allowed'),
    detail:
      isAllowed === true
        ? l10n.t('Choose it to take back what the extension was allowed')
        : l10n.t('Choose it to let the extension give tools to the agent and talk with it'),
    run: async () => hub?.allow(id, isAllowed !== true),
  }));
}

async function showActions(ports: ServersMenuPorts, row: ServerRow): Promise<void> {
  const items = row.actions.map((action) => ({ action, label: actionLabel(action) }));
  const title = `${row.name}: ${row.state}`;
  const chosen = await window.showQuickPick(items, { title, placeHolder: row.detail });
  if (chosen) await runServerAction(ports, row, chosen.action);
}

export async function runServerAction(
  ports: ServersMenuPorts,
  row: ServerRow,
  action: ServerAction,
): Promise<void> {
  const { servers } = ports;
  switch (action) {
    case 'switchOn':
      return servers.switch(row.name, true);
    case 'switchOff':
      return servers.switch(row.name, false);
    case 'reconnect':
      return reconnect(ports, row);
    case 'review':
      return review(ports, row.name);
    case 'forget':
      servers.approvals.forget(whereOf(ports).cwd, row.name);
      return;
    case 'openSource':
      return openSource(ports, row);
    case 'showLog':
      ports.showLog();
      return;
    case 'revoke':
      if (row.origin.kind === 'extension') await ports.extensions?.allow(row.origin.id, false);
      return;
    case 'approve':
    case 'withdraw':
      if (row.origin.kind === 'toolFiles') await settleFiles(ports, row.origin.folder, action);
  }
}

/** Not waited for: the question stands in a card for as long as the person likes. */
export async function settleFiles(
  { toolFiles, log }: ServersMenuPorts,
  folder: string,
  action: 'approve' | 'withdraw',
): Promise<void> {
  const tools = await toolFiles?.load();
  if (action === 'withdraw') await tools?.withdraw(folder);
  else {
    tools?.askAgain(folder).catch((error: unknown) => log.error('Not asked', error));
    // There the question stands.
    await commands.executeCommand(`${views.chat.id}.focus`);
  }
}

/** The CLI refuses to reconnect to a server of ours, so that one is taken away and given again. */
async function reconnect(ports: ServersMenuPorts, { name, origin }: ServerRow): Promise<void> {
  const { servers } = ports;
  const isOurs = ['own', 'extension', 'toolFiles'].includes(origin.kind);
  if (servers.attached.isAttached(name)) {
    await servers.attached.reconnect(name);
  } else if (!isOurs) {
    await Promise.all(ports.conversations().map((each) => each.reconnectServer(name)));
  } else {
    // Not kept: of a window that closes meanwhile the next one would have it off.
    servers.switches.switchServer(name, false);
    await Promise.all(ports.conversations().map((each) => each.syncServers()));
    await servers.switch(name, true);
  }
}

async function review(ports: ServersMenuPorts, name: string): Promise<void> {
  const { cwd } = whereOf(ports);
  const { book, approvals } = ports.servers;
  const value = await book.workspaceEntry(cwd, name);
  if (value === undefined) {
    const gone = l10n.t('The server {0} is no longer in {1}.', name, WORKSPACE_FILE);
    await window.showInformationMessage(gone);
    return;
  }
  const answer = await reviewServer({ name, folder: cwd, value });
  if (answer !== undefined) approvals.answer(cwd, name, value, answer);
}

async function openSource(ports: ServersMenuPorts, { origin }: ServerRow): Promise<void> {
  const { env, cwd } = whereOf(ports);
  const open = async (file: string): Promise<void> => {
    await commands.executeCommand('vscode.open', Uri.file(file));
  };
  switch (origin.kind) {
    case 'setting':
      return openSetting(settings.mcpServers.key);
    case 'file':
      return open(namedFile(currentSetting(settings.mcpConfigFile, ports.log), env));
    case 'workspace':
      return openWorkspaceFile(cwd);
    case 'user':
    case 'local':
      return open(configFile({ env, home: homeOf(env), cwd }));
    case 'own':
    case 'extension':
    case 'toolFiles':
  }
}

async function openSetting(key: string): Promise<void> {
  await commands.executeCommand('workbench.action.openSettings', `@id:${key}`);
}

async function setSecret(context: ExtensionContext): Promise<void> {
  const name = await window.showInputBox({
    title: l10n.t('Set a secret'),
    prompt: l10n.t('Its name, as {0} gives it', '${secret:NAME}'),
    validateInput: (text) =>
      /^[A-Za-z_][\w.-]*$/.test(text) ? undefined : l10n.t('Letters, digits, _ . and - only'),
  });
  if (name === undefined) return;
  const value = await window.showInputBox({
    title: l10n.t('The secret {0}', name),
    prompt: l10n.t('It is kept in the secret storage of the editor. Empty removes it.'),
    password: true,
  });
  if (value === undefined) return;
  if (value === '') await context.secrets.delete(SECRET_PREFIX + name);
  else await context.secrets.store(SECRET_PREFIX + name, value);
}

function whereOf({ context, log, folder }: ServersMenuPorts): ReturnType<typeof windowServers> {
  const window = windowServers(context, log);
  return folder === undefined ? window : { ...window, cwd: folder };
}

function actionLabel(action: ServerAction): string {
  switch (action) {
    case 'switchOn':
      return l10n.t('Switch on');
    case 'switchOff':
      return l10n.t('Switch off');
    case 'reconnect':
      return l10n.t('Reconnect');
    case 'review':
    case 'approve':
      return l10n.t('Review and approve…');
    case 'forget':
    case 'withdraw':
      return l10n.t('Take back the approval');
    case 'openSource':
      return l10n.t('Open where it is written down');
    case 'showLog':
      return l10n.t('Show log');
    case 'revoke':
      return l10n.t('Take back what the extension was allowed');
  }
}
