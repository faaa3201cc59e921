import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { realCliPath } from '../paths';

export interface RealCliSandbox {
  /** The real CLI's executable. */
  readonly command: string;
  /** Flags of a stream-json child that asks the host for permissions. */
  readonly args: readonly string[];
  /** A complete environment: nothing of the person's own reaches the CLI. */
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  readonly workspace: string;
  /** Removes the folders. End the CLI first. */
  cleanup(): Promise<void>;
}

export interface RealCliOptions {
  /** `ModelServer.url`. */
  readonly modelUrl: string;
  /** A folder whose content is copied into the workspace. */
  readonly workspaceFrom?: string;
  /** Files to put into the workspace after that: relative path to text. */
  readonly files?: Readonly<Record<string, string>>;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Folders and environment in which the real CLI talks to a loopback model and to nothing else. */
export async function createRealCliSandbox(options: RealCliOptions): Promise<RealCliSandbox> {
  // Resolved, because the CLI reports real paths and the temp folder may be a link.
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-cli-')));
  const home = path.join(base, 'home');
  const workspace = path.join(base, 'work space');
  const temp = path.join(base, 'tmp');
  await Promise.all([home, workspace, temp].map((folder) => mkdir(folder, { recursive: true })));
  if (options.workspaceFrom !== undefined) {
    await cp(options.workspaceFrom, workspace, { recursive: true });
  }
  for (const [name, content] of Object.entries(options.files ?? {})) {
    const file = path.join(workspace, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return {
    command: realCliPath,
    args: [...STREAM_ARGS],
    env: { ...cliEnvironment(options.modelUrl, home, temp), ...options.env },
    home,
    workspace,
    cleanup: () => rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
}

const STREAM_ARGS = [
  '--output-format',
  'stream-json',
  '--input-format',
  'stream-json',
  '--verbose',
  '--include-partial-messages',
  '--permission-prompt-tool',
  'stdio',
] as const;

/** The environment that ties the CLI to the model at `modelUrl` and keeps it off the network. */
export function cliEnvironment(
  modelUrl: string,
  home: string,
  temp: string = tmpdir(),
): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    TMPDIR: temp,
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
    CLAUDE_CONFIG_DIR: path.join(home, '.claude'),
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'sk-ant-scripted-model',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    // The CLI's commands inherit it: npm would ask its registry for a newer npm.
    npm_config_update_notifier: 'false',
    NO_PROXY: '127.0.0.1,localhost',
  };
}
