import * as l10n from '@vscode/l10n';
import { type ExtensionContext, ExtensionMode, l10n as vscodeL10n, window } from 'vscode';
import { createDiagnosticsFreshness } from './editor/diagnosticsFreshness';
import { runActivationSteps } from './host/activation';
import { AppAccess } from './host/appAccess';
import { ChatViewProvider } from './host/chatViewProvider';
import { watchEditor } from './host/editorWatch';
import { createLogger } from './host/logChannel';
import type { PatchbayApi } from './host/patchbayApi';
import { chatPanelType, views } from './host/views';

let access: AppAccess | undefined;

/**
 * Builds what stands from the start: the log, the commands and the places for the views. All that
 * is behind them is loaded on first use. Returns what other extensions may use; in test mode what
 * host tests need besides.
 */
export function activate(context: ExtensionContext): PatchbayApi & { readonly test?: AppAccess } {
  const channel = window.createOutputChannel('Patchbay', { log: true });
  context.subscriptions.push(channel);
  const log = createLogger(channel);
  let failures: readonly string[] = [];
  // From the start: edits that nobody saw would make old problems look current.
  const freshness = createDiagnosticsFreshness();
  const watch = watchEditor(log);
  context.subscriptions.push(freshness, watch);
  const app = new AppAccess({
    context,
    freshness,
    watch,
    log,
    showLog: () => {
      channel.show();
    },
    failures: () => failures,
  });
  access = app;
  failures = runActivationSteps(
    [
      ...app.commandSteps(),
      app.planStep(),
      app.toolsViewStep(),
      {
        name: 'language',
        run: () => {
          l10n.config({ contents: vscodeL10n.bundle ?? {} });
        },
      },
      {
        name: 'chat view',
        run: () => {
          const provider = new ChatViewProvider(context.extensionUri, (view) => app.attach(view));
          context.subscriptions.push(
            window.registerWebviewViewProvider(views.chat.id, provider, {
              webviewOptions: { retainContextWhenHidden: true },
            }),
          );
        },
      },
      {
        name: 'chat tabs',
        run: () => {
          context.subscriptions.push(
            window.registerWebviewPanelSerializer(chatPanelType, app.panels),
          );
        },
      },
    ],
    log,
  );
  return { ...app.api.api, ...(context.extensionMode === ExtensionMode.Test ? { test: app } : {}) };
}

/** VS Code waits about five seconds for it. */
export async function deactivate(): Promise<void> {
  await access?.dispose();
}
