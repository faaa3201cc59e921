import * as l10n from '@vscode/l10n';
import { ConfigurationTarget, type ExtensionContext, window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import type { Logger } from '../base/logger';
import type { PreparedCli } from '../cli/prepareCli';
import { cliSettings, developmentRoot } from './cliSettings';
import { LoginTerminal } from './loginTerminal';
import { SetUpDesk } from './setUpDesk';
import { settings } from './settings';

/** The desk of this window, and what it listens to. */
export function createSetUp(
  context: ExtensionContext,
  log: Logger,
): { readonly desk: SetUpDesk<PreparedCli> } & Disposable {
  const store = new DisposableStore();
  const root = developmentRoot(context);
  const terminal: LoginTerminal = store.add(
    new LoginTerminal({
      ...{ log, developmentRoot: root },
      onEnded: (outcome) => {
        desk.loginEnded(outcome);
      },
    }),
  );
  const desk: SetUpDesk<PreparedCli> = store.add(
    new SetUpDesk({
      log,
      find: async () => {
        const { prepareCli } = await import('../cli/prepareCli');
        const options = { settings: cliSettings(log), hostEnvironment: process.env };
        return prepareCli({ ...options, developmentRoot: root });
      },
      askLogin: async (cli) => (await import('../cli/askLogin')).askLogin(cli),
      openLogin: () => terminal.open(),
      chooseFile,
      setPath: async (file) => {
        const { key } = settings.cliPath;
        await workspace.getConfiguration().update(key, file, ConfigurationTarget.Global);
      },
    }),
  );
  const recheck = (): void => {
    desk.recheck().catch((error: unknown) => {
      log.error('The set-up could not be looked at', error);
    });
  };
  // The person comes back from where it was installed, or from another terminal.
  store.add(window.onDidChangeWindowState(({ focused }) => focused && recheck()));
  store.add(
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('patchbay.cli')) recheck();
    }),
  );
  return { desk, dispose: () => store.dispose() };
}

async function chooseFile(): Promise<string | undefined> {
  const [file] =
    (await window.showOpenDialog({
      title: l10n.t('The program of the CLI, named claude'),
      openLabel: l10n.t('Use this program'),
    })) ?? [];
  return file?.fsPath;
}
