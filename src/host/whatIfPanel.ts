import * as l10n from '@vscode/l10n';
import path from 'node:path';
import {
  type ExtensionContext,
  l10n as l10nBundle,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import type { Logger } from '../base/logger';
import type { ToolChoice } from '../chat/whatIfProtocol';
import { configFolder } from '../cli/configFolder';
import { readRuleFiles } from '../cli/ruleFiles';
import { furtherFolders, rulesInForce } from '../conversation/rulesInForce';
import { readOnlyTools } from '../conversation/toolTitles';
import { wireName } from '../mcp/names';
import type { ServerRegistry } from '../mcp/registry';
import { modeText, PERMISSION_MODES, tryParseMode } from '../rules/modes';
import { compileRules } from '../rules/ruleSet';
import { resolveRealPath } from '../workFiles/realPath';
import type { ConversationHub } from './conversationHub';
import { fillPage } from './fillPage';
import { currentSetting } from './hostFields';
import { reportError } from './reportError';
import { settings } from './settings';
import { whatIfPanelType } from './views';
import { builtInTools, type LoadedRules, WhatIf } from './whatIf';
import { ruleFilesOf } from './windowRules';
import { workspaceRoots } from './workingFolder';

export interface WhatIfPanelOptions {
  readonly context: ExtensionContext;
  readonly log: Logger;
  readonly hub: ConversationHub;
  /** Our own servers; undefined where the conversations could not be loaded. */
  readonly registry: Pick<ServerRegistry, 'list'> | undefined;
  readonly showLog: () => void;
}

/** *What would happen?* as an editor tab, one for the window. */
export class WhatIfPanel implements Disposable {
  readonly #panel: WebviewPanel;
  readonly #whatIf: WhatIf;
  readonly #store = new DisposableStore();
  #isReady = false;

  /** @param onClosed called once, when the tab is gone */
  constructor(options: WhatIfPanelOptions, onClosed: () => void) {
    const title = l10n.t('What would happen?');
    const { context, log, showLog } = options;
    this.#panel = window.createWebviewPanel(whatIfPanelType, title, ViewColumn.Active, {});
    const icon = Uri.joinPath(context.extensionUri, 'media', 'icon.png');
    this.#panel.iconPath = { light: icon, dark: icon };
    const { webview } = this.#panel;
    const surface = {
      onDidReceiveMessage: (listener: (message: unknown) => void) =>
        webview.onDidReceiveMessage(listener),
      post: (message: unknown) => {
        this.#isReady = true;
        return webview.postMessage(message);
      },
    };
    this.#whatIf = this.#store.add(
      new WhatIf(surface, {
        log,
        l10n: () => l10nBundle.bundle,
        load: () => loadRules(options),
        resolve,
        openFile: async (file) => {
          await window.showTextDocument(Uri.file(file), { preview: false });
        },
        report: (error) => {
          void reportError(error, log, showLog);
        },
      }),
    );
    this.#panel.onDidDispose(() => {
      this.#store.dispose();
      onClosed();
    });
    // Last, so that no message of the page comes before somebody listens.
    fillPage(this.#panel, context.extensionUri, { name: 'whatIf', title });
  }

  /** The page has been given the rules. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Brings it to the front, with the rules as they are now. */
  reveal(): void {
    this.#panel.reveal(undefined, false);
    void this.#whatIf.refresh();
  }

  dispose(): void {
    this.#panel.dispose();
  }
}

async function loadRules(options: WhatIfPanelOptions): Promise<LoadedRules> {
  const { context, log, hub, registry } = options;
  const { conversation, folder } = hub.active;
  const where = ruleFilesOf(context, log);
  const files = await readRuleFiles({ ...where, folder: folder?.path });
  const listed = await conversation.rules();
  const readOnly = registry === undefined ? [] : readOnlyTools(registry);
  const given = [...readOnly, ...currentSetting(settings.allowedTools, log)].map((text) => ({
    behavior: 'allow' as const,
    text,
    source: 'cliArg',
  }));
  const facts = { listed, files, given, isWorkspaceTrusted: workspace.isTrusted };
  const rules = rulesInForce(facts);
  // The CLI goes by the real path of its folder.
  const named = folder?.path ?? where.home;
  const cwd = await resolveRealPath(named);
  const further = furtherFolders(facts, { cwd, home: where.home });
  const folders = [named, ...workspaceRoots(), ...further];
  const own = configFolder({ ...where, folder: named });
  const set = compileRules(
    rules.filter(({ idle }) => idle === undefined),
    {
      cwd,
      home: where.home,
      configFolder: own,
      platform: where.platform,
      furtherFolders: [...folders, ...(await Promise.all(folders.map(resolveRealPath)))],
      planFolder: path.join(own, 'plans'),
      isGuarded: true,
      ownTools: new Set(ownTools(registry).map(({ name }) => name)),
      ownEditors: new Set(ownEditors(registry)),
      readOnlyTools: new Set(readOnly),
    },
  );
  return {
    set,
    shown: {
      rules,
      origin: listed === undefined ? 'files' : 'agent',
      folder: folder?.name,
      notes: files.faults.map(({ file, reason }) =>
        l10n.t('{0} cannot be read, so none of its rules count: {1}', file, reason),
      ),
      tools: [...builtInTools(), ...ownTools(registry)],
      modes: PERMISSION_MODES.map((id) => ({ id, label: modeText(id).label })),
      mode: tryParseMode(conversation.snapshot().mode) ?? 'default',
    },
  };
}

function ownTools(registry: Pick<ServerRegistry, 'list'> | undefined): readonly ToolChoice[] {
  return (registry?.list() ?? []).flatMap((server) =>
    server.tools().map(({ name, title }) => ({
      name: wireName(server.name, name),
      label: `${title ?? name} · ${server.name}`,
      input: 'json' as const,
    })),
  );
}

function ownEditors(registry: Pick<ServerRegistry, 'list'> | undefined): readonly string[] {
  return (registry?.list() ?? []).flatMap((server) =>
    server
      .tools()
      .filter((tool) => tool.edits !== undefined)
      .map(({ name }) => wireName(server.name, name)),
  );
}

async function resolve(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    paths.map(async (one) => [one, await resolveRealPath(one)] as const),
  );
  return new Map(found);
}
