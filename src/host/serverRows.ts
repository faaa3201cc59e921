import * as l10n from '@vscode/l10n';
import type { ExternalServer, ServerSource } from '../cli/collectServers';
import type { ServerStatus } from '../conversation/conversationPorts';
import type { AttachedState } from '../doors/attachedServers';
import type { ToolFile, ToolFolder } from '../workspaceTools/toolFile';
import { briefServer } from './describeServer';

export type ServerAction =
  | 'approve'
  | 'withdraw'
  | 'switchOn'
  | 'switchOff'
  | 'reconnect'
  | 'review'
  | 'forget'
  | 'openSource'
  | 'showLog'
  | 'revoke';

/** A server as the list of servers shows it. Texts are localized and hold no secret. */
export interface ServerRow {
  readonly name: string;
  /** A codicon. */
  readonly icon: string;
  readonly state: string;
  /** Where it comes from, and what it is. */
  readonly detail: string;
  readonly origin: ServerOrigin;
  readonly actions: readonly ServerAction[];
  /** It cannot be used as it is written; another of its name may be. */
  readonly isLeftOut?: true | undefined;
}

export type ServerOrigin =
  | { readonly kind: 'own' }
  | { readonly kind: 'extension'; readonly id: string }
  /** The tool files of a workspace folder. */
  | { readonly kind: 'toolFiles'; readonly folder: string }
  | { readonly kind: ServerSource };

export interface RowFacts {
  /** In-process servers, those of extensions included. */
  readonly own: readonly { readonly name: string; readonly extension?: string | undefined }[];
  readonly external: readonly ExternalServer[];
  readonly isOff: (name: string) => boolean;
  /** What the CLI of the conversation in view says; empty while none runs. */
  readonly status: readonly ServerStatus[];
  readonly attached: (name: string) => AttachedState | undefined;
  /** Workspace folders with tool files. */
  readonly folders?: readonly ToolFolder[] | undefined;
}

export function serverRows(facts: RowFacts): ServerRow[] {
  const folders = (facts.folders ?? []).filter(
    ({ files, faults, hold }) => files.length > 0 || faults.length > 0 || hold === 'untrusted',
  );
  const ofFolder = new Set(folders.map(({ server }) => server));
  return [
    ...facts.own.filter(({ name }) => !ofFolder.has(name)).map((server) => ownRow(server, facts)),
    ...folders.map((folder) => folderRow(folder, facts)),
    ...facts.external.map((server) => externalRow(server, facts)),
  ];
}

type State = Pick<ServerRow, 'icon' | 'state'>;

function ownRow({ name, extension }: RowFacts['own'][number], facts: RowFacts): ServerRow {
  const isOff = facts.isOff(name);
  const actions: ServerAction[] = isOff ? ['switchOn'] : ['switchOff', 'reconnect'];
  return {
    name,
    ...(isOff ? off() : liveState(name, facts)),
    detail:
      extension === undefined
        ? l10n.t('Built into Patchbay')
        : l10n.t('Of the extension {0}', extension),
    origin: extension === undefined ? { kind: 'own' } : { kind: 'extension', id: extension },
    actions: [...actions, ...(extension === undefined ? [] : (['revoke'] as const)), 'showLog'],
  };
}

function folderRow(folder: ToolFolder, facts: RowFacts): ServerRow {
  const { server: name, files, path } = folder;
  const isOff = facts.isOff(name);
  const kinds = new Set(files.map(({ state }) => state.kind));
  const asks = kinds.has('needsApproval') || kinds.has('refused');
  return {
    name,
    ...(isOff ? off() : folderState(folder)),
    detail: l10n.t('Tool files of {0}', path),
    origin: { kind: 'toolFiles', folder: path },
    actions: [
      ...(asks ? (['approve'] as const) : []),
      isOff ? 'switchOn' : 'switchOff',
      ...(kinds.has('ready') ? (['withdraw'] as const) : []),
      'showLog',
    ],
  };
}

function folderState({ hold, files }: ToolFolder): State {
  if (hold === 'untrusted') {
    return { icon: '$(workspace-untrusted)', state: l10n.t('the workspace is not trusted') };
  }
  if (hold === 'switchedOff') return off();
  const count = (kind: ToolFile['state']['kind']): number =>
    files.filter(({ state }) => state.kind === kind).length;
  if (count('needsApproval') > 0) {
    return { icon: '$(question)', state: l10n.t('needs your approval') };
  }
  if (count('failed') > 0) {
    return {
      icon: '$(error)',
      state: l10n.t('{0} of {1} files failed', count('failed'), files.length),
    };
  }
  if (count('loading') > 0) return { icon: '$(sync)', state: l10n.t('loading') };
  return count('ready') === 0
    ? { icon: '$(circle-slash)', state: l10n.t('refused by you') }
    : { icon: '$(pass)', state: l10n.t('ready') };
}

function externalRow(server: ExternalServer, facts: RowFacts): ServerRow {
  const { name, source, written } = server;
  const what = written === undefined ? '' : briefServer(written);
  return {
    name,
    ...externalState(server, facts),
    detail: [sourceLabel(source), what].filter((part) => part !== '').join(': '),
    origin: { kind: source },
    actions: [...externalActions(server), 'openSource', 'showLog'],
    ...(server.state === 'hidden' || server.state === 'bad' ? { isLeftOut: true } : {}),
  };
}

function externalState(server: ExternalServer, facts: RowFacts): State {
  const { name, state, reason = '' } = server;
  switch (state) {
    case 'off':
      return off();
    case 'unapproved':
      return { icon: '$(question)', state: l10n.t('waits for your approval') };
    case 'hidden':
      return { icon: '$(circle-slash)', state: l10n.t('not used: {0}', reason) };
    case 'bad':
      return { icon: '$(error)', state: l10n.t('left out: {0}', reason) };
    case 'on':
      return attachedState(facts.attached(name)) ?? liveState(name, facts);
  }
}

function externalActions({ state, source }: ExternalServer): ServerAction[] {
  const forget: ServerAction[] = source === 'workspace' ? ['forget'] : [];
  switch (state) {
    case 'on':
      return ['switchOff', 'reconnect', ...forget];
    case 'off':
      return ['switchOn', ...forget];
    case 'unapproved':
      return ['review'];
    case 'hidden':
    case 'bad':
      return [];
  }
}

function attachedState(state: AttachedState | undefined): State | undefined {
  switch (state?.kind) {
    case 'failed':
      return {
        icon: '$(error)',
        state:
          state.triesAgain === true
            ? l10n.t('not connected, and tried again by itself: {0}', state.reason)
            : l10n.t('not connected: {0}', state.reason),
      };
    case 'connecting':
      return { icon: '$(sync)', state: l10n.t('connecting') };
    case 'connected':
    case undefined:
      return undefined;
  }
}

function liveState(name: string, { status }: RowFacts): State {
  const live = status.find((one) => one.name === name);
  if (live === undefined) return { icon: '$(circle-outline)', state: l10n.t('ready') };
  switch (live.status) {
    case 'connected':
      return { icon: '$(pass)', state: l10n.t('connected, {0} tools', live.toolCount) };
    case 'pending':
      return { icon: '$(sync)', state: l10n.t('connecting') };
    case 'needs-auth':
      return { icon: '$(key)', state: l10n.t('needs a login') };
    default: {
      const reason = live.error ?? live.status;
      return { icon: '$(error)', state: l10n.t('not connected: {0}', reason) };
    }
  }
}

function off(): State {
  return { icon: '$(circle-slash)', state: l10n.t('switched off') };
}

function sourceLabel(source: ServerSource): string {
  switch (source) {
    case 'setting':
      return 'patchbay.mcpServers';
    case 'file':
      return 'patchbay.mcpConfigFile';
    case 'local':
      return l10n.t("Your agent's servers for this folder");
    case 'user':
      return l10n.t("Your agent's servers");
    case 'workspace':
      return l10n.t('This workspace');
  }
}
