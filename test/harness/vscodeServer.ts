import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureVscode, type VscodePaths } from './boot/vscodeInstall.mjs';
import { startProcess, type RunningProcess } from './serverProcess';

export interface ServerOptions {
  /**
   * `test`: VS Code's own server with an extension in development (and, with `testsPath`, its suite).
   * `product`: a packed extension, installed as a person installs it.
   */
  readonly mode: 'test' | 'product';
  /** The folder that `url` opens; without it the window is empty. */
  readonly workspaceFolder?: string;
  /** In its place: a `.code-workspace`, which may have several folders. */
  readonly workspaceFile?: string;
  /** `product`: the packed extension. */
  readonly vsix?: string;
  /** `test`: the folder that holds the extension's package.json. */
  readonly extensionPath?: string;
  /** Folders of further extensions, installed as they are: the page takes one in development only. */
  readonly otherExtensions?: readonly string[];
  /** `test`: the module that exports `run(): Promise<void>`. */
  readonly testsPath?: string;
  readonly userSettings?: Readonly<Record<string, unknown>>;
  /** For settings of scope `machine`: a remote window, as these are, takes them from here only. */
  readonly machineSettings?: Readonly<Record<string, unknown>>;
  /** True: every folder is trusted. False: VS Code's own rules, so a new folder is not. */
  readonly trust: boolean;
  /**
   * `product`: refuse every request that does not bring it; `url` does. For a server that stays up
   * while others work on the machine: whoever reaches its port can run programs.
   */
  readonly connectionToken?: string;
  /** Added to the environment of the server, and so of the extension host; undefined removes. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What the server prints is appended to it. */
  readonly logFile?: string;
  /** Keep state in this folder instead of a temporary one that `stop` removes. */
  readonly dataFolder?: string;
}

export interface VscodeServer {
  /** Opens the workspace, with the extension. */
  readonly url: string;
  readonly port: number;
  /** Holds settings, extensions and logs. */
  readonly dataFolder: string;
  /** `product`: as `--install-extension` does, beside the server that runs. */
  install(vsix: string): Promise<void>;
  /** `product`: as `--uninstall-extension` does. @param id `publisher.name` */
  uninstall(id: string): Promise<void>;
  /** Ends the server with all its helpers and removes its temporary folders. */
  stop(): Promise<void>;
}

/** What every window here starts with; `userSettings` are added to it. */
const BASE_SETTINGS: Readonly<Record<string, unknown>> = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.startupPrompt': 'never',
  'chat.disableAIFeatures': true,
  // Else the extension host of a server looks through all of /proc every other second, for ports: hundreds
  // of questions to the disk, behind which those of our tools wait. A window of the desktop does not.
  'remote.autoForwardPorts': false,
  'remote.autoForwardPortsSource': 'output',
};

/** Starts VS Code's server on a free loopback port, with folders of its own. */
export async function startServer(options: ServerOptions): Promise<VscodeServer> {
  const vscode = await ensureVscode();
  const dataFolder = options.dataFolder ?? (await mkdtemp(path.join(tmpdir(), 'patchbay-vscode-')));
  const removeData = async (): Promise<void> => {
    if (options.dataFolder !== undefined) return;
    await rm(dataFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  try {
    await writeSettings(dataFolder, options);
    await installFolders(dataFolder, options.otherExtensions ?? []);
    const manage = manager(vscode, dataFolder, options);
    if (options.vsix !== undefined) await manage.install(options.vsix);
    const running = await startProcess({
      command: vscode.node,
      args: serverArguments(vscode, dataFolder, options),
      env: serverEnvironment(options.env),
      logFile: options.logFile,
      ready: usesEntry(options) ? ENTRY_READY : SERVER_READY,
    });
    const port = Number(running.match[1]);
    return {
      url: workbenchUrl(port, options),
      port,
      dataFolder,
      ...manage,
      stop: async () => {
        await running.stop();
        await removeData();
      },
    };
  } catch (error) {
    await removeData();
    throw error;
  }
}

const SERVER_READY = /Extension host agent listening on (\d+)/;
const ENTRY_READY = /HTTP server listening on http:\/\/[^/\s]*:(\d+)/;

/** How long the product's server waits for a browser that has gone silent. */
const GRACE_S = 20;

/** The package's own entry has no tokens, so a guarded product runs on VS Code's server below it. */
function usesEntry(options: ServerOptions): boolean {
  return options.mode === 'product' && options.connectionToken === undefined;
}

/** One server keeps them in its data folder, the other in `data` below it. */
async function writeSettings(dataFolder: string, options: ServerOptions): Promise<void> {
  const all = {
    User: { ...BASE_SETTINGS, ...options.userSettings },
    Machine: { ...options.machineSettings },
  };
  for (const [scope, settings] of Object.entries(all)) {
    for (const folder of [scope, path.join('data', scope)]) {
      await mkdir(path.join(dataFolder, folder), { recursive: true });
      const file = path.join(dataFolder, folder, 'settings.json');
      await writeFile(file, JSON.stringify(settings, undefined, 2));
    }
  }
  await writeFile(path.join(dataFolder, 'config.yaml'), 'auth: none\n');
}

function serverArguments(
  vscode: VscodePaths,
  dataFolder: string,
  options: ServerOptions,
): readonly string[] {
  const extensions = path.join(dataFolder, 'extensions');
  const trust = options.trust ? ['--disable-workspace-trust'] : [];
  if (usesEntry(options)) {
    return [
      ...entryArguments(vscode, dataFolder),
      ...['--auth', 'none', '--bind-addr', '127.0.0.1:0'],
      ...['--disable-telemetry', '--disable-update-check'],
      // A browser may leave before it has told so. Then the server keeps the extension host for one
      // that comes back, by default for three hours.
      ...['--reconnection-grace-time', String(GRACE_S)],
      ...trust,
    ];
  }
  return [
    vscode.server,
    ...['--host', '127.0.0.1', '--port', '0'],
    ...(options.connectionToken === undefined
      ? ['--without-connection-token']
      : ['--connection-token', options.connectionToken]),
    ...['--accept-server-license-terms', '--telemetry-level', 'off'],
    ...['--server-data-dir', dataFolder, '--extensions-dir', extensions],
    // Without it the payload in the URL is not honoured.
    ...(options.mode === 'test' ? ['--enable-smoke-test-driver'] : []),
    ...trust,
  ];
}

function entryArguments(vscode: VscodePaths, dataFolder: string): readonly string[] {
  return [
    vscode.entry,
    // Its own, or it would write one into the person's home.
    ...['--config', path.join(dataFolder, 'config.yaml')],
    ...['--user-data-dir', dataFolder],
    ...['--extensions-dir', path.join(dataFolder, 'extensions')],
  ];
}

/** Where there is no list of extensions yet, the server takes what lies in their folder. */
async function installFolders(dataFolder: string, folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const to = path.join(dataFolder, 'extensions', path.basename(folder));
    await cp(folder, to, { recursive: true });
  }
}

/** The product's own command line for its extensions. */
function manager(
  vscode: VscodePaths,
  dataFolder: string,
  options: ServerOptions,
): Pick<VscodeServer, 'install' | 'uninstall'> {
  const manage = async (args: readonly string[], ready: RegExp): Promise<void> => {
    const running: RunningProcess = await startProcess({
      command: vscode.node,
      args: [...entryArguments(vscode, dataFolder), ...args],
      env: serverEnvironment(options.env),
      logFile: options.logFile,
      ready,
    });
    await running.stop();
  };
  return {
    install: (vsix) => manage(['--install-extension', vsix], /was successfully installed/),
    uninstall: (id) => manage(['--uninstall-extension', id], /was successfully uninstalled/),
  };
}

/**
 * Without what an outer VS Code or agent has set: the server would join that one. The person's own
 * login stays; tests take it away with `offlineEnvironment`.
 */
function serverEnvironment(
  added: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const outer =
    /^(VSCODE_|ELECTRON_|CODE_SERVER|NODE_OPTIONS$|CLAUDECODE$|CLAUDE_CODE_(ENTRYPOINT|SSE_PORT)$)/;
  const own = Object.entries(process.env).filter(([name]) => !outer.test(name));
  const all: Record<string, string | undefined> = { ...Object.fromEntries(own), ...added };
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(all)) if (value !== undefined) result[name] = value;
  return result;
}

function workbenchUrl(port: number, options: ServerOptions): string {
  const url = new URL(`http://127.0.0.1:${String(port)}/`);
  if (options.workspaceFolder !== undefined)
    url.searchParams.set('folder', options.workspaceFolder);
  if (options.workspaceFile !== undefined) url.searchParams.set('workspace', options.workspaceFile);
  if (options.connectionToken !== undefined) url.searchParams.set('tkn', options.connectionToken);
  const remote = `vscode-remote://${url.host}`;
  const payload: [string, string][] = [];
  if (options.extensionPath !== undefined) {
    payload.push(['extensionDevelopmentPath', remote + toUriPath(options.extensionPath)]);
  }
  if (options.testsPath !== undefined) {
    payload.push(['extensionTestsPath', remote + toUriPath(options.testsPath)]);
  }
  if (payload.length > 0) {
    payload.push(['skipWelcome', 'true']);
    url.searchParams.set('payload', JSON.stringify(payload));
  }
  return url.href;
}

function toUriPath(file: string): string {
  return new URL(`file://${encodeURI(file)}`).pathname;
}
