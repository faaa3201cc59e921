import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { cacheFolder } from '../boot/cacheFolder.mjs';
import { offlineEnvironment } from '../offlineEnvironment';
import { sampleWorkspace } from '../sampleWorkspace';

/**
 * The extension-host suite in a downloaded desktop: `--extension DIR --tests MODULE --work DIR
 * [--version VERSION]`.
 */
const { values } = parseArgs({
  options: {
    extension: { type: 'string' },
    tests: { type: 'string' },
    work: { type: 'string' },
    version: { type: 'string', default: 'stable' },
  },
});
const { extension, tests, work, version } = values;
if (extension === undefined || tests === undefined || work === undefined) {
  throw new Error('--extension, --tests and --work are needed');
}

const workspace = await sampleWorkspace(path.join(work, 'desktop', 'work space'));
const home = path.join(work, 'desktop', 'home');
await mkdir(home, { recursive: true });
const offline = await offlineEnvironment(home);
try {
  process.exitCode = await runTests({
    version,
    cachePath: path.join(cacheFolder(), 'desktop'),
    extensionDevelopmentPath: extension,
    extensionTestsPath: tests,
    extensionTestsEnv: {
      ...offline.env,
      PATCHBAY_ROOT: process.env.PATCHBAY_ROOT,
      PATCHBAY_HOST_RESULTS: process.env.PATCHBAY_HOST_RESULTS,
    },
    launchArgs: [
      workspace,
      ...['--disable-extensions', '--disable-workspace-trust', '--skip-welcome'],
      ...['--user-data-dir', path.join(work, 'desktop', 'profile')],
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
} finally {
  await offline.close();
}
