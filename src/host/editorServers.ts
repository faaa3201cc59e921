import * as l10n from '@vscode/l10n';
import os from 'node:os';
import { type ExtensionContext, window } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { Logger } from '../base/logger';
import type { ExternalServer } from '../cli/collectServers';
import type { ServerBook, ServersFor } from '../cli/serverBook';
import { cliEnvironment } from '../cli/prepareCli';
import { withoutSecrets } from '../conversation/externalServers';
import type { AttachedEntry } from '../doors/attachedEntry';
import type { AttachedServers, AttachedState } from '../doors/attachedServers';
import type { ServerRegistry } from '../mcp/registry';
import { LazyLoad } from './activation';
import { cliSettings, developmentRoot } from './cliSettings';
import { workspaceRoots } from './workingFolder';

/** For what is not asked in the name of one conversation: the first folder of the window. */
export function windowServers(context: ExtensionContext, log: Logger): ServersFor & WithEnv {
  const env = cliEnvironment({
    settings: cliSettings(log),
    hostEnvironment: process.env,
    developmentRoot: developmentRoot(context),
  });
  return { env, cwd: workspaceRoots()[0] ?? os.homedir() };
}
interface WithEnv {
  readonly env: Readonly<Record<string, string>>;
}

/** The servers with `"runIn": "editor"`: this process connects to them. What that needs is loaded with the first. */
export class EditorServers implements Disposable {
  readonly #book: ServerBook;
  readonly #where: () => ServersFor & WithEnv;
  readonly #attached: LazyLoad<AttachedServers>;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  /** Fires when a server was connected to, or could not be. */
  readonly onDidChange: Event<void> = this.#changed.event;
  /** What an entry was made of, with the secrets in it. */
  readonly #known = new WeakMap<AttachedEntry, readonly ExternalServer[]>();
  #loaded: AttachedServers | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(context: ExtensionContext, log: Logger, registry: ServerRegistry, book: ServerBook) {
    this.#book = book;
    this.#where = () => windowServers(context, log);
    this.#attached = new LazyLoad(async () => {
      const [module, { startServerProcess }] = await Promise.all([
        import('../doors/attachedServers'),
        import('../cli/serverProcess'),
      ]);
      this.#loaded = this.#store.add(
        new module.AttachedServers({
          registry,
          log,
          where: this.#where,
          // Elsewhere a program may be a script, which that cannot start.
          start: process.platform === 'win32' ? undefined : startServerProcess,
          mask: (text, entry) => withoutSecrets(text, this.#known.get(entry) ?? []),
          onFailed: (name, reason) => {
            this.#changed.fire();
            const text = l10n.t('The server {0} could not be connected: {1}', name, reason);
            void window.showWarningMessage(text);
          },
          onTriedAgain: () => {
            this.#changed.fire();
          },
        }),
      );
      return this.#loaded;
    });
    this.#store.add(
      book.onDidChange(() => {
        void this.sync(log);
      }),
    );
    void this.sync(log);
  }

  state(name: string): AttachedState | undefined {
    return this.#loaded?.state(name);
  }

  isAttached(name: string): boolean {
    return this.state(name) !== undefined;
  }

  async reconnect(name: string): Promise<void> {
    await this.#loaded?.reconnect(name);
  }

  /**
   * What is wanted is read one at a time, so that the last one counts; no server waits until another
   * is connected. Never rejects.
   */
  async sync(log: Logger): Promise<void> {
    try {
      const reading = this.#reading.then(() => this.#begin());
      this.#reading = reading.then(
        () => undefined,
        () => undefined,
      );
      const { connected } = await reading;
      await connected;
      if (connected !== undefined) this.#changed.fire();
    } catch (error) {
      log.error('Servers could not be connected', error);
    }
  }

  /** `connected` is undefined where there is nothing to do. */
  async #begin(): Promise<{ readonly connected: Promise<void> | undefined }> {
    const wanted = await this.#wanted();
    const isIdle = wanted.size === 0 && this.#loaded === undefined;
    if (this.#store.isDisposed || isIdle) return { connected: undefined };
    const attached = await this.#attached.get();
    return { connected: attached.sync(wanted) };
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #wanted(): Promise<Map<string, AttachedEntry>> {
    const wanted = new Map<string, AttachedEntry>();
    for (const server of await this.#book.collect(this.#where())) {
      const { name, runIn, entry } = server;
      if (runIn !== 'editor' || entry === undefined) continue;
      wanted.set(name, entry);
      this.#known.set(entry, [server]);
    }
    return wanted;
  }
}
