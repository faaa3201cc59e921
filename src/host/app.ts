import * as l10n from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import {
  commands as vscodeCommands,
  type ExtensionContext,
  l10n as l10nBundle,
  languages,
  window,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import type { Logger } from '../base/logger';
import type { DiagnosticsFreshness } from '../editor/diagnosticsFreshness';
import { createUserChanges } from '../editor/userChanges';
import { createEditorContext, type EditorContext } from '../editor/editorContext';
import type { ReadGuard } from '../editor/readGuard';
import { SymbolLinks } from '../editor/symbolLinks';
import { endHelpers } from '../cli/helperProcess';
import type { ApiAccess } from './apiAccess';
import type { ChatPanels } from './chatPanel';
import type { CommandActions, ReadingCommand } from './commands';
import { windowConfigFolder } from './configFolderIn';
import { createSetUp } from './createSetUp';
import { confirmEnd } from './confirmEnd';
import { connectionPorts } from './connectionPorts';
import { contextKeys } from './contextKeys';
import { type ConversationFactory, createConversations } from './conversationFactory';
import { ConversationForks } from './conversationForks';
import { ConversationHistory } from './conversationHistory';
import { ConversationHub } from './conversationHub';
import type { ConversationPlace } from './conversationPlace';
import type { EditorWatch } from './editorWatch';
import { FolderChoices } from './folderChoices';
import { fixActiveProblems, quoteActiveSelection } from './editorActions';
import { currentSetting, hostFields } from './hostFields';
import type { InspectorPanel } from './inspectorPanel';
import type { WhatIfPanel } from './whatIfPanel';
import { Later } from './later';
import type { ServersMenuPorts } from './mcpServersMenu';
import { createMentionSources } from './createMentionSources';
import { ModeRound } from './modeRound';
import { offerAllTools } from './offerAllTools';
import { newTabPlace, WINDOW_PLACE } from './placeIds';
import { ProposedDiffs } from './proposedDiff';
import { PlanDocuments } from './planDocuments';
import type { PlanFiles } from './planFiles';
import { pumpClock } from './pumpClock';
import { openStores, type Stores } from './stores';
import { SelectionOffers } from './selectionOffers';
import { settings } from './settings';
import type { ToolFiles } from './toolFiles';
import { type ConnectionPorts, ViewConnection } from './viewConnection';
import { Tools } from './tools';
import { type TurnNotices, watchTurns } from './turnNotices';
import type { ViewSurface } from './viewSurface';
import { views } from './views';
import { WindowPages } from './windowPages';
import { pickWorkingFolder, workspaceFolders, workspaceRoots } from './workingFolder';

/** How long the editor is left alone before its problems are offered, in milliseconds. */
const SUGGESTION_DELAY_MS = 500;

export interface AppOptions {
  readonly context: ExtensionContext;
  readonly log: Logger;
  readonly freshness: DiagnosticsFreshness;
  readonly watch: EditorWatch;
  readonly showLog: () => void;
  readonly panels: ChatPanels;
  readonly api: ApiAccess;
  readonly planFiles: PlanFiles;
}

type SetUp = ReturnType<typeof createSetUp>['desk'];

/** Everything behind the commands and the views. Loaded on their first use. */
export class App implements CommandActions {
  readonly hub: ConversationHub;
  readonly plans: PlanDocuments;
  readonly tools: Tools;
  readonly diffs: ProposedDiffs;
  readonly #stores: Stores;
  readonly #options: AppOptions;
  readonly #store = new DisposableStore();
  readonly #connection: ConnectionPorts;
  readonly #editor: EditorContext;
  readonly #conversations: ConversationFactory;
  readonly #setUp: SetUp;
  readonly #selections: SelectionOffers | undefined;
  readonly #modes = new ModeRound();
  readonly #pages: WindowPages;
  readonly #folders: FolderChoices;
  #isContextRunning = false;
  #notices: TurnNotices | undefined;

  static async create(options: AppOptions): Promise<App> {
    const { context, log, freshness, watch } = options;
    const storage = (context.storageUri ?? context.globalStorageUri).fsPath;
    const stores = await openStores(storage, log);
    const editor = createEditorContext();
    const userChanges = createUserChanges();
    const knowledge = { context: editor, freshness, userChanges, watch };
    const setUp = createSetUp(context, log);
    const given = { ...stores, knowledge, setUp: setUp.desk };
    const conversations = await createConversations(context, log, given);
    if (conversations.extensions) options.api.attach(conversations.extensions);
    const app = new App(options, { stores, setUp: setUp.desk }, editor, conversations);
    app.#store.add(userChanges);
    app.#store.add(setUp);
    return app;
  }

  private constructor(
    options: AppOptions,
    { stores, setUp }: { readonly stores: Stores; readonly setUp: SetUp },
    editor: EditorContext,
    conversations: ConversationFactory,
  ) {
    this.#options = options;
    this.#stores = stores;
    this.#setUp = setUp;
    this.#editor = this.#store.add(editor);
    const { log, showLog } = options;
    this.#folders = new FolderChoices(options.context.workspaceState, workspaceFolders);
    this.hub = new ConversationHub({
      ...{ log, drafts: stores.drafts, places: stores.places },
      isOpen: (folder) => workspaceRoots().includes(folder),
      pump: {
        clock: pumpClock,
        l10n: () => l10nBundle.bundle,
        onError: (error) => {
          log.error('A view could not be posted to', error);
        },
      },
      createConversation: (folder, memory) => conversations.create(folder, memory),
      pickFolder: () =>
        this.#folders.pick(() => pickWorkingFolder(this.#editor.activeEditor()?.document.uri)),
      hostFields: (folder) => ({
        ...hostFields(log, { editor, watch: options.watch }, folder?.path),
        approvals: conversations.servers?.cards.of(folder?.path),
        selection: this.#selections?.offer(folder?.path),
        setUp: setUp.state,
        folders: this.#folders.choice,
      }),
    });
    this.#conversations = this.#store.add(conversations);
    this.#pages = this.#store.add(
      new WindowPages({ ...options, hub: this.hub }, conversations.servers?.registry),
    );
    this.#selections = this.#createSelections(conversations.readGuard);
    this.plans = this.#store.add(new PlanDocuments(this.hub, options.planFiles));
    this.diffs = this.#store.add(new ProposedDiffs());
    this.#connection = connectionPorts({
      ...{ log, showLog, hub: this.hub },
      diffs: this.diffs,
      editor,
      plans: this.plans,
      mentions: this.#store.add(
        createMentionSources(options.context, log, editor, conversations.readGuard),
      ),
      images: stores.images,
      selections: this.#selections,
      approvals: conversations.servers?.cards,
      newConversation: (place, text) => this.#startNew(place, text),
      ...this.#past(),
      symbols: conversations.readGuard && new SymbolLinks(conversations.readGuard),
      setUp,
      chooseFolder: (place, path) => this.chooseFolder(place, path),
    });
    this.tools = this.#store.add(this.#createTools());
    this.#listen();
  }

  #createSelections(guard: ReadGuard | undefined): SelectionOffers | undefined {
    const { log } = this.#options;
    const isOn = (): boolean => currentSetting(settings.attachSelection, log);
    return (
      guard && this.#store.add(new SelectionOffers({ editor: this.#editor, guard, log, isOn }))
    );
  }

  #createTools(): Tools {
    const { servers, extensions, toolFiles } = this.#conversations;
    const { context, log } = this.#options;
    return new Tools({
      context,
      log,
      servers,
      toolFiles,
      menu: () => this.serversMenu(),
      onDidCallTool: extensions?.onDidCallTool,
      onDidChangeTurn: this.hub.onDidChangeTurn,
    });
  }

  #past(): { readonly history: ConversationHistory; readonly forks: ConversationForks } {
    const { context, log } = this.#options;
    const configFolder = (): string => windowConfigFolder(context, log);
    const history = new ConversationHistory({
      ...{ hub: this.hub, log, configFolder, changes: this.#stores.changes },
      show: (place) => this.#show(place),
      mayEnd: confirmEnd,
      openTab: (sessionId, folder) => {
        const id = newTabPlace();
        this.hub.place(id).resumeIn(folder, sessionId);
        this.#options.panels.open(id);
      },
    });
    const { images } = this.#stores;
    const mayEnd = (): Promise<boolean> => confirmEnd('fork');
    const forks = new ConversationForks({ configFolder, images, mayEnd });
    return { history, forks };
  }

  /** Puts a webview on its place. */
  attach(surface: ViewSurface): void {
    const place = this.hub.place(surface.place);
    const connection = this.#store.add(new ViewConnection(surface, place, this.#connection));
    const seen = surface.onDidChangeVisibility(() => this.#notices?.seenChanged());
    surface.onDidDispose(() => {
      seen.dispose();
      this.#store.delete(connection);
      // The side bar's conversation goes on without its view; a closed tab is a closed conversation.
      if (place.id !== WINDOW_PLACE) this.hub.close(place.id);
    });
    if (place.id !== WINDOW_PLACE && surface.visible) this.hub.setActive(place);
    this.#refreshBadge(place);
    // Before trust, nothing is looked for that the person has not asked for.
    if (workspace.isTrusted) void this.#setUp.look();
  }

  async newConversation(): Promise<void> {
    const place = this.hub.active;
    await this.#startNew(place);
    await this.#show(place);
    place.send({ type: 'focusInput' });
  }

  openInEditor(): Promise<void> {
    this.#options.panels.open();
    return Promise.resolve();
  }

  async focusInput(): Promise<void> {
    const place = this.hub.active;
    await this.#show(place);
    place.send({ type: 'focusInput' });
  }

  async findInConversation(): Promise<void> {
    const place = this.hub.active;
    await this.#show(place);
    place.send({ type: 'openFind' });
  }

  async read(name: ReadingCommand): Promise<void> {
    const { runReading } = await import('./readingCommands');
    await runReading(name, { place: this.hub.active, show: (place) => this.#show(place) });
  }

  async cycleMode(): Promise<void> {
    const place = this.hub.active;
    place.touch();
    // Called by its name it may go to a conversation that is not on the screen.
    if (!place.isVisible) await this.#show(place);
    await this.#modes.next(place.conversation);
  }

  async stop(): Promise<void> {
    await this.hub.running?.conversation.stop();
  }

  async askAboutSelection(): Promise<void> {
    const text = await quoteActiveSelection(this.#editor, this.#conversations.readGuard);
    const place = this.hub.active;
    await this.#show(place);
    place.send({ type: 'insertText', text });
    place.send({ type: 'focusInput' });
  }

  async fixProblems(): Promise<void> {
    const place = this.hub.active;
    const prompt = await fixActiveProblems(this.#editor, this.#conversations.readGuard);
    const outcome = await place.submit(randomUUID(), prompt);
    await this.#show(place);
    // A prompt that was refused is not lost: it waits in the input.
    if (!outcome.accepted) place.send({ type: 'insertText', text: prompt });
  }

  async mcpServers(): Promise<void> {
    const ports = this.serversMenu();
    if (ports) await (await import('./mcpServersMenu')).showMcpServers(ports);
  }

  /** Undefined where the conversations could not be loaded. */
  serversMenu(): ServersMenuPorts | undefined {
    const { context, log, showLog } = this.#options;
    const { servers, extensions } = this.#conversations;
    const { conversation, folder } = this.hub.active;
    return (
      servers && {
        ...{ context, log, showLog, servers, conversation },
        conversations: () => this.hub.all.map((place) => place.conversation),
        folder: folder?.path,
        extensions,
        toolFiles: this.#conversations.toolFiles,
      }
    );
  }

  /** The place goes there, and so do conversations that begin later. Undefined follows the editor. */
  async chooseFolder(place: ConversationPlace, path: string | undefined): Promise<void> {
    await this.#folders.choose(path);
    place.moveToFolder();
    for (const each of this.hub.all) {
      each.followFolder();
      each.refreshFields();
    }
  }

  /** Opens the CLI's own login in a terminal. */
  login(): Promise<void> {
    return this.#setUp.login();
  }

  showWireInspector(): Promise<void> {
    return this.#pages.showWireInspector();
  }

  whatWouldHappen(): Promise<void> {
    return this.#pages.whatWouldHappen();
  }

  async newToolFile(): Promise<void> {
    const { newToolFile } = await import('./newToolFile');
    await newToolFile(this.#options.context, this.toolFiles);
  }

  /** Puts the questions about tool files again, where there are any, and shows the panel with them. */
  async reviewToolFiles(): Promise<void> {
    const { toolFiles } = this.#conversations;
    if ((await toolFiles?.askAgain()) === true) await this.#show(this.hub.active);
    else {
      void window.showInformationMessage(
        l10n.t('No tool file of this workspace waits for your approval.'),
      );
    }
  }

  /** Shows what a card asks about. */
  showApproval(id: string): Promise<void> {
    return this.#connection.showApproval(id);
  }

  /** Undefined where the conversations could not be loaded. */
  get toolFiles(): ToolFiles | undefined {
    return this.#conversations.toolFiles;
  }

  get whatIf(): WhatIfPanel | undefined {
    return this.#pages.whatIf;
  }

  get inspector(): InspectorPanel | undefined {
    return this.#pages.inspector;
  }

  async dispose(): Promise<void> {
    this.#store.dispose();
    const ending = this.hub.dispose();
    // A conversation that is starting waits for them.
    endHelpers();
    await ending;
    const { drafts, places, images } = this.#stores;
    await Promise.all([drafts.flush(), places.flush(), images.flush()]);
  }

  async #startNew(place: ConversationPlace, text?: string): Promise<void> {
    if (place.isWorking && !(await confirmEnd('new'))) return;
    place.startNew(text);
  }

  async #show(place: ConversationPlace): Promise<void> {
    const [surface] = place.surfaces;
    if (surface) surface.reveal();
    else await vscodeCommands.executeCommand(`${views.chat.id}.focus`);
  }

  #listen(): void {
    const refresh = (): void => {
      for (const place of this.hub.all) place.refreshFields();
    };
    // The offers of an empty conversation follow the editor, at leisure.
    const refreshSoon = this.#store.add(new Later(pumpClock, SUGGESTION_DELAY_MS, refresh));
    const later = (): void => {
      if (this.hub.all.some((place) => !place.isTouched && place.isVisible)) refreshSoon.start();
    };
    const follow = (): void => {
      for (const place of this.hub.all) place.followFolder();
    };
    const listeners: Disposable[] = [
      this.hub.onDidChangeTurn((place) => {
        this.#refreshBadge(place);
        this.#refreshContext();
      }),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('patchbay')) refresh();
      }),
      workspace.onDidGrantWorkspaceTrust(() => {
        refresh();
        void offerAllTools(this.hub, () => this.newConversation());
      }),
      workspace.onDidChangeWorkspaceFolders(follow),
      window.onDidChangeActiveTextEditor(follow),
      languages.onDidChangeDiagnostics(later),
      this.#options.watch.onDidChangeFailedTests(later),
      workspace.onDidChangeTextDocument(later),
      workspace.onDidSaveTextDocument(later),
    ];
    listeners.push(
      this.#setUp.onDidChange(refresh),
      this.#setUp.onDidFinish(({ what, renew }) => {
        for (const place of this.hub.all) place.conversation.setUpDone(what, renew);
      }),
    );
    if (this.#selections) listeners.push(this.#selections.onDidChange(refresh));
    const cards = this.#conversations.servers?.cards;
    if (cards) listeners.push(cards.onDidChange(refresh));
    const { log } = this.#options;
    const show = (place: ConversationPlace): Promise<void> => this.#show(place);
    listeners.push((this.#notices = watchTurns({ hub: this.hub, cards, log, show })));
    for (const listener of listeners) this.#store.add(listener);
  }

  #refreshBadge(place: ConversationPlace): void {
    const { permissions, asks } = place.turn;
    for (const surface of place.surfaces) surface.setBadge(permissions.length + asks.length);
  }

  #refreshContext(): void {
    const running = this.hub.running !== undefined;
    if (running === this.#isContextRunning) return;
    this.#isContextRunning = running;
    void vscodeCommands.executeCommand('setContext', contextKeys.turnRunning, running);
  }
}
