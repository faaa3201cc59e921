import * as l10n from '@vscode/l10n';
import {
  env,
  type ExtensionContext,
  l10n as l10nBundle,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import { Emitter } from '../base/event';
import type { Logger } from '../base/logger';
import { secretValues } from '../base/maskSecrets';
import { isJsonObject } from '../protocol/lazySchema';
import { cliSettings } from './cliSettings';
import type { ConversationHub } from './conversationHub';
import type { ConversationPlace } from './conversationPlace';
import { fillPage } from './fillPage';
import { WINDOW_PLACE } from './placeIds';
import { pumpClock } from './pumpClock';
import { reportError } from './reportError';
import { inspectorPanelType } from './views';
import { type InspectorPorts, type WireFile, WireInspector } from './wireInspector';

export interface InspectorPanelOptions {
  readonly context: ExtensionContext;
  readonly log: Logger;
  readonly hub: ConversationHub;
  readonly showLog: () => void;
}

/** The wire inspector as an editor tab, one for the window. It records from its opening to its end. */
export class InspectorPanel implements Disposable {
  readonly inspector: WireInspector;
  readonly #panel: WebviewPanel;
  readonly #store = new DisposableStore();

  /** @param onClosed called once, when the tab is gone */
  constructor(options: InspectorPanelOptions, place: ConversationPlace, onClosed: () => void) {
    const title = l10n.t('Patchbay wire');
    const { extensionUri } = options.context;
    this.#panel = window.createWebviewPanel(inspectorPanelType, title, ViewColumn.Active, {});
    const icon = Uri.joinPath(extensionUri, 'media', 'icon.png');
    this.#panel.iconPath = { light: icon, dark: icon };
    const { webview } = this.#panel;
    const visibility = this.#store.add(new Emitter<boolean>());
    const surface = {
      isVisible: () => this.#panel.visible,
      get visible() {
        return this.isVisible();
      },
      onDidChangeVisibility: visibility.event,
      onDidReceiveMessage: (listener: (message: unknown) => void) =>
        webview.onDidReceiveMessage(listener),
      post: (message: unknown) => webview.postMessage(message),
    };
    this.#panel.onDidChangeViewState(() => visibility.fire(this.#panel.visible));
    this.inspector = this.#store.add(new WireInspector(surface, place, inspectorPorts(options)));
    this.#panel.onDidDispose(() => {
      this.#store.dispose();
      onClosed();
    });
    // Last, so that no message of the page comes before somebody listens.
    fillPage(this.#panel, extensionUri, { name: 'inspector', title });
  }

  /** Brings it to the front, with the conversation of this place. */
  reveal(place: ConversationPlace): void {
    this.inspector.show(place);
    this.#panel.reveal(undefined, false);
  }

  dispose(): void {
    this.#panel.dispose();
  }
}

function inspectorPorts({ context, log, hub, showLog }: InspectorPanelOptions): InspectorPorts {
  const { cliEnvironment } = cliSettings(log);
  const manifest: unknown = context.extension.packageJSON;
  const version = isJsonObject(manifest) ? manifest.version : undefined;
  return {
    log,
    clock: pumpClock,
    now: () => Date.now(),
    onDidChangeTurn: hub.onDidChangeTurn,
    secrets: secretValues({ ...process.env, ...cliEnvironment }),
    extensionVersion: typeof version === 'string' ? version : undefined,
    l10n: () => l10nBundle.bundle,
    nameOf,
    choose: () => choosePlace(hub),
    save,
    open: async (content, language) => {
      const document = await workspace.openTextDocument({ content, language });
      await window.showTextDocument(document, { preview: false });
    },
    copy: async (text) => env.clipboard.writeText(text),
    report: (error) => {
      void reportError(error, log, showLog);
    },
  };
}

function nameOf({ turn, folder }: ConversationPlace): string {
  const title = turn.title === '' ? l10n.t('New conversation') : turn.title;
  return folder === undefined ? title : `${title} · ${folder.name}`;
}

async function choosePlace(hub: ConversationHub): Promise<ConversationPlace | undefined> {
  const items = hub.all.map((place) => ({
    label: nameOf(place),
    description: place.id === WINDOW_PLACE ? l10n.t('Side bar') : l10n.t('Editor tab'),
    place,
  }));
  const placeHolder = l10n.t('Conversation to look at');
  return (await window.showQuickPick(items, { placeHolder }))?.place;
}

async function save(file: WireFile): Promise<void> {
  const [folder] = workspace.workspaceFolders ?? [];
  const name = `wire-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.ndjson`;
  const target = await window.showSaveDialog({
    ...(folder ? { defaultUri: Uri.joinPath(folder.uri, name) } : {}),
    filters: { NDJSON: ['ndjson'] },
    title: l10n.t('Save frames'),
  });
  if (!target) return;
  await workspace.fs.writeFile(target, new TextEncoder().encode(await file.text()));
  // Not awaited: it is saved, although the message still stands.
  void tellSaved(file, target);
}

async function tellSaved({ frames, redaction }: WireFile, target: Uri): Promise<void> {
  const open = l10n.t('Open');
  const name = target.path.slice(target.path.lastIndexOf('/') + 1);
  const said = redaction.contents
    ? l10n.t('Saved {0} frames to {1}, without prompts and contents.', frames, name)
    : l10n.t('Saved {0} frames to {1}, prompts and contents included.', frames, name);
  if ((await window.showInformationMessage(said, open)) === open) {
    await window.showTextDocument(target, { preview: false });
  }
}
