import { commands as vscodeCommands, type ExtensionContext, workspace } from 'vscode';
import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import type { DiagnosticsFreshness } from '../editor/diagnosticsFreshness';
import { type ActivationStep, LazyLoad } from './activation';
import type { App } from './app';
import { ApiAccess } from './apiAccess';
import { ChatPanels } from './chatPanel';
import {
  actionNames,
  commands,
  planCommentCommands,
  readingCommands,
  toolCommands,
} from './commands';
import { PLAN_SCHEME, PlanFiles } from './planFiles';
import type { EditorWatch } from './editorWatch';
import { reportError } from './reportError';
import { ToolsView } from './toolsView';
import type { ViewSurface } from './viewSurface';

export interface AppAccessOptions {
  readonly context: ExtensionContext;
  readonly log: Logger;
  readonly freshness: DiagnosticsFreshness;
  readonly watch: EditorWatch;
  readonly showLog: () => void;
  /** Activation steps that failed. */
  readonly failures: () => readonly string[];
}

/**
 * Stands at activation for everything that is loaded later. Whatever cannot be loaded, the commands
 * are there, and the views say why.
 */
export class AppAccess {
  readonly panels: ChatPanels;
  /** What other extensions get. */
  readonly api: ApiAccess;
  /** For tabs that a reload left. */
  readonly planFiles = new PlanFiles(async () => (await this.load()).plans);
  readonly #options: AppAccessOptions;
  readonly #app: LazyLoad<App>;

  constructor(options: AppAccessOptions) {
    this.#options = options;
    const attach = (surface: ViewSurface): void => {
      this.attach(surface);
    };
    this.panels = new ChatPanels(options.context.extensionUri, attach);
    this.#app = new LazyLoad(async () => {
      const module = await import('./app');
      return module.App.create({
        ...options,
        ...{ panels: this.panels, api: this.api, planFiles: this.planFiles },
      });
    });
    this.api = new ApiAccess({
      own: options.context.extension.id,
      log: options.log,
      load: () => this.load(),
    });
  }

  /** Loads what is behind; the same each time. */
  load(): Promise<App> {
    return this.#app.get();
  }

  /** Fills a webview that is being opened. */
  attach(surface: ViewSurface): void {
    const failures = this.#options.failures();
    if (failures.length > 0) {
      surface.showFailure(failures.join('\n'));
      return;
    }
    let gone = false;
    surface.onDidDispose(() => {
      gone = true;
    });
    this.load().then(
      (app) => {
        if (!gone) app.attach(surface);
      },
      (error: unknown) => {
        this.#options.log.error('The chat could not be loaded', error);
        if (!gone) surface.showFailure(errorMessage(error));
      },
    );
  }

  /** One step for each command, so that one that fails does not keep the others away. */
  commandSteps(): ActivationStep[] {
    const { context, log, showLog } = this.#options;
    const step = (id: string, run: (target: unknown) => unknown): ActivationStep => ({
      name: id,
      run: () => {
        context.subscriptions.push(vscodeCommands.registerCommand(id, run));
      },
    });
    const reported = (run: (target: unknown) => Promise<void>) => async (target: unknown) => {
      try {
        await run(target);
      } catch (error) {
        // Not awaited: the command is over, although the message still stands.
        void reportError(error, log, showLog);
      }
    };
    const actions = actionNames.map((name) =>
      step(
        commands[name].id,
        reported(async () => (await this.load())[name]()),
      ),
    );
    const doctor = reported(async () => (await import('./doctor')).runDoctor(context, log));
    const comments = planCommentCommands.map((name) =>
      step(
        commands[name].id,
        reported(async (target) => (await this.load()).plans.run(name, target)),
      ),
    );
    const apart = [step(commands.showLog.id, showLog), step(commands.doctor.id, doctor)];
    const tools = toolCommands.map((name) =>
      step(
        commands[name].id,
        reported(async (target) => (await this.load()).tools.run(name, target)),
      ),
    );
    const reading = readingCommands.map((name) =>
      step(
        commands[name].id,
        reported(async () => (await this.load()).read(name)),
      ),
    );
    return [...apart, ...actions, ...comments, ...tools, ...reading];
  }

  /** Unfolded, the view loads what is behind. */
  toolsViewStep(): ActivationStep {
    const { context, log } = this.#options;
    return {
      name: 'tools view',
      run: () => {
        context.subscriptions.push(new ToolsView(async () => (await this.load()).tools.tree, log));
      },
    };
  }

  /** The file system of plans stands before a tab of it is restored. */
  planStep(): ActivationStep {
    return {
      name: 'plan documents',
      run: () => {
        const options = { isCaseSensitive: true };
        this.#options.context.subscriptions.push(
          workspace.registerFileSystemProvider(PLAN_SCHEME, this.planFiles, options),
        );
      },
    };
  }

  /** Ends all conversations. Loads nothing for it. */
  async dispose(): Promise<void> {
    const app = await this.#app.started?.catch(() => undefined);
    await app?.dispose();
  }
}
