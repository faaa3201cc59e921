import * as l10n from '@vscode/l10n';
import { type Terminal, window } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import type { Logger } from '../base/logger';
import { cliSettings } from './cliSettings';
import { pumpClock } from './pumpClock';

export interface LoginTerminalOptions {
  readonly log: Logger;
  readonly developmentRoot: string | undefined;
  readonly onEnded: (outcome: 'loggedIn' | 'notLoggedIn') => void;
}

/**
 * Runs the CLI's own login in a terminal, which stands where the extension runs, so in a remote
 * window there too; notices when it is done.
 */
export class LoginTerminal implements Disposable {
  readonly #options: LoginTerminalOptions;
  readonly #store = new DisposableStore();
  #open: Promise<Terminal> | undefined;

  constructor(options: LoginTerminalOptions) {
    this.#options = options;
  }

  /** Shows the terminal; one at a time. @throws UserFacingError without a CLI */
  async open(): Promise<void> {
    const opening = (this.#open ??= this.#start());
    try {
      (await opening).show();
    } catch (error) {
      if (this.#open === opening) this.#open = undefined;
      throw error;
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #start(): Promise<Terminal> {
    const { log, developmentRoot } = this.#options;
    const [{ prepareCli }, { askLogin, loginArguments }, { LoginWatch }] = await Promise.all([
      import('../cli/prepareCli'),
      import('../cli/askLogin'),
      import('../cli/loginWatch'),
    ]);
    const settings = cliSettings(log);
    const cli = await prepareCli({ settings, hostEnvironment: process.env, developmentRoot });
    const watch = new LoginWatch({
      ask: () => askLogin(cli),
      after: (ms, run) => pumpClock.after(ms, run),
      onDone: (outcome) => {
        this.#done(outcome);
      },
    });
    // What is asked before the login begins must not see its end.
    await watch.before;
    const terminal = window.createTerminal({
      name: l10n.t('Log in'),
      shellPath: cli.command,
      shellArgs: [...cli.args, ...(await loginArguments(cli))],
      // Only what differs: in a remote window the terminal's own variables open the browser.
      env: Object.fromEntries(
        Object.entries(cli.env).filter(([name, value]) => process.env[name] !== value),
      ),
    });
    this.#follow(terminal, watch);
    return terminal;
  }

  #follow(
    terminal: Terminal,
    watch: Disposable & { ended(code: number | undefined): Promise<void> },
  ) {
    this.#store.add(watch);
    const closing = window.onDidCloseTerminal((closed) => {
      if (closed !== terminal) return;
      this.#open = undefined;
      this.#store.delete(closing);
      void watch.ended(terminal.exitStatus?.code).finally(() => {
        this.#store.delete(watch);
      });
    });
    this.#store.add(closing);
  }

  #done(outcome: 'loggedIn' | 'notLoggedIn'): void {
    const { log, onEnded } = this.#options;
    log.info(`The login has ended: ${outcome}`);
    onEnded(outcome);
    if (outcome === 'notLoggedIn') {
      void window.showWarningMessage(
        l10n.t('The login was not finished. Your message is kept; press Log in to try again.'),
      );
    }
  }
}
