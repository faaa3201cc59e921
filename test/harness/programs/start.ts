import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { isLoggedIn, ownCli } from '../login';
import { startDemoModel } from '../model/demoModel';
import { type EnvironmentChanges, withoutOwnLogin } from '../offlineEnvironment';
import { realCliPath } from '../paths';
import { sampleWorkspace } from '../sampleWorkspace';
import { openDesktop } from '../desktop';
import { startServer } from '../vscodeServer';

/**
 * Opens the product with the sample workspace, and stays until it is stopped:
 * `--work DIR` (kept between runs: the workspace and the offline CLI's own folder), and either
 * `--vsix FILE` for VS Code's server or `--desktop CODE --extension DIR` for a desktop.
 */
const { values } = parseArgs({
  options: {
    work: { type: 'string' },
    vsix: { type: 'string' },
    desktop: { type: 'string' },
    extension: { type: 'string' },
  },
});
const { work, vsix, desktop, extension } = values;
if (work === undefined) throw new Error('--work is needed');

const workspace = await sampleWorkspace(path.join(work, 'sample'));
console.log(`Workspace: ${workspace} (a copy, kept; delete it to start afresh)`);
const { cli, env } = await chooseAgent(path.join(work, 'claude'));

if (desktop !== undefined && extension !== undefined) {
  console.log('Opening the desktop. This command ends when its window is closed.');
  process.exitCode = await openDesktop({ code: desktop, extension, workspace, env, work });
  // The model, if it runs, would keep the process.
  process.exit();
} else if (vsix !== undefined) {
  await serve(vsix);
} else {
  throw new Error('--vsix, or --desktop and --extension, is needed');
}

async function serve(file: string): Promise<void> {
  const server = await startServer({
    mode: 'product',
    workspaceFolder: workspace,
    vsix: file,
    trust: true,
    connectionToken: randomBytes(16).toString('hex'),
    machineSettings: { 'patchbay.cli.path': cli },
    env,
  });
  let stopping = false;
  const stop = (): void => {
    if (!stopping) void server.stop().then(() => process.exit());
    stopping = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  console.log(`Open in a browser: ${server.url}`);
  console.log('Stop with Ctrl+C.');
}

/** The person's own CLI where it is logged in, else the bundled one on the scripted model. */
async function chooseAgent(
  configFolder: string,
): Promise<{ readonly cli: string; readonly env: EnvironmentChanges }> {
  for (const file of [ownCli(), realCliPath]) {
    if (file !== undefined && (await isLoggedIn(file))) {
      console.log(`Agent: ${file}, logged in`);
      return { cli: file, env: {} };
    }
  }
  await mkdir(configFolder, { recursive: true });
  const model = await startDemoModel();
  console.log('Agent: no login was found, so the bundled CLI talks to a scripted offline model.');
  console.log('       Tool calls and permissions are real; the words are not.');
  return {
    cli: realCliPath,
    env: {
      ...withoutOwnLogin(),
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'offline',
      PATCHBAY_OFFLINE_MODEL: '1',
      // Not the person's: sessions with a scripted model do not belong among theirs.
      CLAUDE_CONFIG_DIR: configFolder,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      NO_PROXY: '127.0.0.1,localhost',
    },
  };
}
