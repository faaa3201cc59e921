import * as l10n from '@vscode/l10n';
import type { Disposable } from '../base/disposable';
import { UserFacingError } from '../base/errors';
import { Emitter, type Event } from '../base/event';
import type { Logger } from '../base/logger';
import type { SetUp } from '../chat/setUpProtocol';
import type { LoginAnswer } from '../cli/askLogin';
import type { SetUpPort } from '../conversation/conversationPorts';

export interface SetUpDeskPorts<Cli> {
  readonly log: Logger;
  /** Rejects with what to tell where the CLI is not there. */
  readonly find: () => Promise<Cli>;
  readonly askLogin: (cli: Cli) => Promise<LoginAnswer>;
  /** Opens the CLI's own login; its end is told by {@link SetUpDesk.loginEnded}. */
  readonly openLogin: () => Promise<void>;
  /** Has the person name the program; undefined where they do not. */
  readonly chooseFile: () => Promise<string | undefined>;
  /** Writes it into the settings. */
  readonly setPath: (file: string) => Promise<void>;
}

/** What a person can do about the set-up. */
export interface SetUpActions {
  check(): Promise<void>;
  chooseCli(): Promise<void>;
  login(): Promise<void>;
}

/** What was missing is there; `renew`: a CLI that runs does not know it yet. */
export interface SetUpDone {
  readonly what: SetUp['lacks'];
  readonly renew: boolean;
}

/** Knows for the window what is missing before anything can be asked, and notices when it is there. */
export class SetUpDesk<Cli> implements SetUpActions, SetUpPort, Disposable {
  readonly #ports: SetUpDeskPorts<Cli>;
  readonly #changed = new Emitter<void>();
  readonly #done = new Emitter<SetUpDone>();
  #state: SetUp | undefined;
  #checking: Promise<void> | undefined;
  #hasLooked = false;

  readonly onDidChange: Event<void> = this.#changed.event;
  readonly onDidFinish: Event<SetUpDone> = this.#done.event;

  constructor(ports: SetUpDeskPorts<Cli>) {
    this.#ports = ports;
  }

  /** Undefined while nothing is known to be missing. */
  get state(): SetUp | undefined {
    return this.#state;
  }

  /** Looks for the program once, ahead of the first message. Whether it has a login it tells itself. */
  async look(): Promise<void> {
    if (this.#hasLooked) return;
    this.#hasLooked = true;
    try {
      await this.#ports.find();
    } catch (error) {
      if (error instanceof UserFacingError) this.missing(error);
      else this.#ports.log.error('The CLI could not be looked for', error);
    }
  }

  missing({ message, next, details }: UserFacingError): void {
    this.#hasLooked = true;
    this.#set({ lacks: 'cli', message, next, details });
  }

  started(isLoggedIn: boolean): void {
    this.#hasLooked = true;
    if (isLoggedIn) this.#finish(false);
    else if (this.#state?.lacks !== 'login') {
      this.#finish(false);
      this.#set(loginMissing());
    }
  }

  /** Asked for by the person: what is still missing is said once more. */
  check(): Promise<void> {
    return this.#checkOnce(1);
  }

  /** Something has changed that may have mended it: looked at in silence. */
  async recheck(): Promise<void> {
    if (!this.#state || this.#state.busy) return;
    await this.#checkOnce(0);
  }

  async chooseCli(): Promise<void> {
    const file = await this.#ports.chooseFile();
    if (file === undefined) return;
    await this.#ports.setPath(file);
    // One that began before knows the old setting.
    await this.#checking;
    await this.check();
  }

  async login(): Promise<void> {
    await this.#ports.openLogin();
    if (this.#state?.lacks === 'login') this.#set({ ...this.#state, busy: 'loggingIn' });
  }

  loginEnded(outcome: 'loggedIn' | 'notLoggedIn'): void {
    const state = this.#state;
    if (outcome === 'loggedIn') {
      if (state?.lacks === 'login') this.#set(undefined);
      // Also where nothing was known to be missing: a key that the API refuses is a login, too.
      this.#done.fire({ what: 'login', renew: true });
    } else if (state?.lacks === 'login') this.#set({ ...state, busy: undefined });
  }

  dispose(): void {
    this.#changed.dispose();
    this.#done.dispose();
  }

  /** Who asks while it is being checked has the same answer. */
  #checkOnce(counts: 0 | 1): Promise<void> {
    return (this.#checking ??= this.#check(counts).finally(() => {
      this.#checking = undefined;
    }));
  }

  async #check(counts: 0 | 1): Promise<void> {
    const before = this.#state;
    const checks = (before?.checks ?? 0) + counts;
    if (before) this.#set({ ...before, busy: 'looking' });
    try {
      const cli = await this.#ports.find();
      if (before?.lacks === 'cli') this.#finish(false);
      const { state } = await this.#ports.askLogin(cli);
      if (state !== 'no') this.#finish(true);
      else this.#set({ ...loginMissing(), ...(before?.lacks === 'login' ? { checks } : {}) });
    } catch (error) {
      if (!(error instanceof UserFacingError)) {
        this.#set(before);
        throw error;
      }
      const { message, next, details } = error;
      this.#set({ lacks: 'cli', message, next, details, checks });
    }
  }

  #finish(renew: boolean): void {
    const { lacks: what } = this.#state ?? {};
    if (what === undefined) return;
    this.#set(undefined);
    this.#done.fire({ what, renew: renew && what === 'login' });
  }

  #set(state: SetUp | undefined): void {
    this.#state = state;
    this.#changed.fire();
  }
}

function loginMissing(): SetUp {
  return {
    lacks: 'login',
    message: l10n.t('You are not logged in to Claude.'),
    next: l10n.t(
      'Log in opens a terminal with the login of the CLI; it is noticed when that is done.',
    ),
  };
}
