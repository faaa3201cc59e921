import * as l10n from '@vscode/l10n';
import { type ExtensionContext, extensions as installed, Uri, window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import type {
  Conversation,
  ConversationPorts,
  ConversationSettings,
  SetUpPort,
} from '../conversation/conversationPorts';
import type { ImagesPort } from '../conversation/conversationImages';
import { HookBook } from '../conversation/hookBook';
import { SpareSeat } from '../conversation/spareSeat';
import { readOnlyTools } from '../conversation/toolTitles';
import { lookAtRules, type ReadGuard } from '../editor/readGuard';
import type { ServerRegistry } from '../mcp/registry';
import { isJsonObject } from '../protocol/lazySchema';
import { resultsRule } from '../workspaceTools/toolFilePaths';
import { ApiConsent } from './apiConsent';
import type { ApiHub } from './apiHub';
import { createBuffersPort } from './buffersPort';
import type { ChangeFolders } from './changeFolders';
import { cliSettings, developmentRoot } from './cliSettings';
import type { PlaceMemory, WorkingFolder } from './conversationPlace';
import { currentSetting } from './hostFields';
import type { McpServers } from './mcpServers';
import { createRefusedConversation, type Refusal } from './refusedConversation';
import { mentionsPort } from './mentionsPort';
import { pumpClock } from './pumpClock';
import { settings } from './settings';
import type { ToolFiles } from './toolFiles';
import type { EditorWatch, WatchedRuns } from './editorWatch';
import type { EditorKnowledge } from './toolServers';
import { createUserChangesPort } from './userChangesPort';
import { useWatchdogOf } from './useWatchdogOf';
import { isVirtualWorkspace, workspaceRoots } from './workingFolder';
import { toolFilesStorage } from './toolFilesStorage';

const CONSENT = 'api.consent';

/** What is known of the editor at once; what was run in it is loaded with the tools. */
type ListeningEditor = Omit<EditorKnowledge, keyof WatchedRuns> & { readonly watch: EditorWatch };

/** What the conversations share with the window. */
interface Given {
  readonly knowledge: ListeningEditor;
  readonly images: ImagesPort;
  readonly setUp: SetUpPort;
  readonly changes: ChangeFolders;
}

/** Makes the conversations of this window. */
export interface ConversationFactory extends Disposable {
  /** Where there can be none, the conversation says why. Never throws. */
  create(folder: WorkingFolder, memory: PlaceMemory): Conversation;
  /** Undefined where the conversations could not be loaded. */
  readonly servers: McpServers | undefined;
  /** What other extensions offer and start; undefined as well then. */
  readonly extensions: ApiHub | undefined;
  /** What the workspace's own files offer; undefined as well then. */
  readonly toolFiles: ToolFiles | undefined;
  /** What is kept from the agent; undefined as well then. */
  readonly readGuard: ReadGuard | undefined;
}

/** Never rejects: what could not be loaded is told in place of each conversation. */
export async function createConversations(
  context: ExtensionContext,
  log: Logger,
  given: Given,
): Promise<ConversationFactory> {
  useWatchdogOf(context, log);
  const store = new DisposableStore();
  const { make, ...rest } = await loadConversations(context, log, given, store).catch(
    (error: unknown) => {
      log.error('The conversation could not be loaded', error);
      const make = (): Conversation => createRefusedConversation(notLoaded(error));
      const nothing = { servers: undefined, extensions: undefined, toolFiles: undefined };
      return { make, ...nothing, readGuard: undefined };
    },
  );
  return {
    ...rest,
    create: (folder, memory) => {
      if (isVirtualWorkspace()) return createRefusedConversation(virtualWorkspace());
      try {
        return make(folder, memory);
      } catch (error) {
        log.error('A conversation could not be made', error);
        return createRefusedConversation(notLoaded(error));
      }
    },
    dispose: () => {
      store.dispose();
    },
  };
}

/** All that a first conversation needs, at once. */
async function loadModules() {
  const [conversation, rules, tools, servers, hub, files, changes] = await Promise.all([
    import('../conversation/createConversation'),
    import('./windowRules'),
    import('./toolServers'),
    import('./mcpServers'),
    import('./apiHub'),
    import('./createToolFiles'),
    import('./changedFiles'),
  ]);
  return { ...conversation, ...rules, ...tools, ...servers, ...hub, ...files, ...changes };
}

interface LoadedConversations {
  readonly make: ConversationFactory['create'];
  readonly servers: McpServers;
  readonly extensions: ApiHub;
  readonly toolFiles: ToolFiles;
  readonly readGuard: ReadGuard;
}

async function loadConversations(
  context: ExtensionContext,
  log: Logger,
  { knowledge: editor, images, setUp, changes }: Given,
  store: DisposableStore,
): Promise<LoadedConversations> {
  const { createConversation, createReadGuard, createToolServers, ...rest } = await loadModules();
  const changedFiles = store.add(rest.createChangedFiles(changes));
  const reading = createReadGuard(context, log);
  const all = store.add(
    createToolServers({ ...editor, ...(await editor.watch.load()) }, reading.guard),
  );
  const servers = store.add(rest.createMcpServers(context, log, all));
  const toolFiles = store.add(rest.createToolFiles(context, log, all, servers.cards));
  // Nobody waits for it: a conversation is told of tools that come later.
  void toolFiles.start();
  const hooks = new HookBook();
  const ports: Omit<ConversationPorts, 'folder'> = {
    log,
    hooks,
    now: () => Date.now(),
    clock: pumpClock,
    spares: new SpareSeat(),
    settings: () => conversationSettings(log, all, context),
    isTrusted: () => workspace.isTrusted,
    workspaceRoots,
    buffers: createBuffersPort(log),
    ...{ mentions: mentionsPort(reading, context, log), images, setUp, changedFiles },
    maySelect: ({ file }) => mayBeGiven(reading.guard, file, log),
    userChanges: createUserChangesPort({ ...editor, readGuard: reading.guard }, log),
    registry: servers.registry,
    externalServers: servers.book,
    developmentRoot: developmentRoot(context),
    hostEnvironment: process.env,
    onEnded: (id) => toolFiles.conversationEnded(id),
    onToolCall: (call) => extensions.toolCalled(call),
    telemetry: {
      isWanted: () => extensions.telemetry.isWanted(),
      tell: (event) => {
        extensions.telemetry.tell(event);
      },
    },
  };
  const extensions: ApiHub = new rest.ApiHub({
    registry: all,
    consent: createConsent(context),
    hooks,
    log,
    startConversation: async (source, options) =>
      (await import('./apiConversations')).startForExtension(ports, source, options),
  });
  return {
    make: (folder, memory) => reading.track(createConversation({ ...ports, folder, ...memory })),
    servers,
    extensions,
    toolFiles,
    readGuard: reading.guard,
  };
}

/** Never rejects. */
async function mayBeGiven(
  guard: ReadGuard,
  file: string | undefined,
  log: Logger,
): Promise<boolean> {
  if (file === undefined) return true;
  const uri = Uri.file(file);
  try {
    return (await lookAtRules(guard, [uri]))(uri) === undefined;
  } catch (error) {
    log.warn(`A selection is not sent: ${errorMessage(error)}`);
    return false;
  }
}

/** Kept for the person, not for a workspace: which one is open says nothing about an extension. */
function createConsent({ globalState }: ExtensionContext): ApiConsent {
  return new ApiConsent({
    memory: {
      get: () => globalState.get(CONSENT),
      set: (value) => globalState.update(CONSENT, value),
    },
    ask: async (id) => {
      const allow = l10n.t('Allow');
      const refuse = l10n.t("Don't allow");
      const manifest: unknown = installed.getExtension(id)?.packageJSON;
      const name = isJsonObject(manifest) ? manifest.displayName : undefined;
      const answer = await window.showInformationMessage(
        l10n.t(
          'The extension {0} wants to give tools to the agent, to talk with it, or to watch what it does and hold it back.',
          typeof name === 'string' && name !== id ? `${name} (${id})` : id,
        ),
        allow,
        refuse,
      );
      return answer === undefined ? undefined : answer === allow;
    },
  });
}

function conversationSettings(
  log: Logger,
  all: ServerRegistry,
  context: ExtensionContext,
): ConversationSettings {
  const results = resultsRule(toolFilesStorage(context), process.platform);
  return {
    // Those of servers that are off as well: they may be switched on in a running conversation.
    allowedTools: [
      ...readOnlyTools(all),
      ...currentSetting(settings.allowedTools, log),
      ...(results === undefined ? [] : [results]),
    ],
    ...cliSettings(log),
    cliArguments: currentSetting(settings.cliArguments, log),
    allowBypassPermissions: currentSetting(settings.allowBypassPermissions, log),
    initialPermissionMode: currentSetting(settings.initialPermissionMode, log),
    model: currentSetting(settings.model, log),
    parkAfterMinutes: currentSetting(settings.parkAfterMinutes, log),
  };
}

function virtualWorkspace(): Refusal {
  return {
    message: l10n.t('Patchbay cannot work in a virtual workspace.'),
    kept: l10n.t('What you type is kept.'),
    next: l10n.t('Open a folder on a disk, on this or on a remote machine.'),
  };
}

function notLoaded(error: unknown): Refusal {
  return {
    message: l10n.t('The conversation could not be loaded.'),
    kept: l10n.t('What you type is kept.'),
    next: l10n.t('Reload the window; if it happens again, install the extension again.'),
    details: errorMessage(error),
  };
}
