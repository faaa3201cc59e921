import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runHostSuite } from '../hostSuite';
import { offlineEnvironment } from '../offlineEnvironment';
import { inRoot, realCliPath } from '../paths';
import { sampleWorkspace } from '../sampleWorkspace';

/**
 * Runs the extension-host suite: `--extension DIR --tests MODULE --work DIR [--group NAME]`.
 * `--work` takes the workspace, the home folder and the log. Exits with the suite's code.
 */
const { values } = parseArgs({
  options: {
    extension: { type: 'string' },
    tests: { type: 'string' },
    work: { type: 'string' },
    group: { type: 'string', default: '' },
  },
});
const { extension, tests, work, group } = values;
if (extension === undefined || tests === undefined || work === undefined) {
  throw new Error('--extension, --tests and --work are needed');
}

/** One folder; for the group `several` two of one name, for `folderless` none. */
async function workspace(): Promise<{ workspaceFolder?: string; workspaceFile?: string }> {
  if (group === 'folderless') return {};
  const first = await sampleWorkspace(path.join(folder, 'work space'));
  if (group !== 'several') return { workspaceFolder: first };
  const second = await sampleWorkspace(path.join(folder, 'other', 'work space'));
  const workspaceFile = path.join(folder, 'two folders.code-workspace');
  const folders = [first, second].map((one) => ({ path: one }));
  await writeFile(workspaceFile, JSON.stringify({ folders, settings: {} }));
  return { workspaceFile };
}

// A space in the path, because a person's has one too.
const folder = path.join(work, `host ${group}`.trim());
await mkdir(folder, { recursive: true });
const offline = await offlineEnvironment(path.join(folder, 'home'));
try {
  process.exitCode = await runHostSuite({
    extensionPath: extension,
    otherExtensions: ['sample-extension', 'debug-extension'].map((name) =>
      inRoot(`test/fixtures/${name}`),
    ),
    testsPath: tests,
    ...(await workspace()),
    trust: group !== 'untrusted',
    machineSettings: { 'patchbay.cli.path': realCliPath },
    env: {
      ...offline.env,
      PATCHBAY_ROOT: process.cwd(),
      PATCHBAY_HOST_GROUP: group,
      PATCHBAY_HOST_RESULTS: process.env.PATCHBAY_HOST_RESULTS,
      PATCHBAY_HOST_TITLES: process.env.PATCHBAY_HOST_TITLES,
    },
    logFile: path.join(folder, 'server.log'),
    onLine: (line) => {
      console.log(line);
    },
  });
} finally {
  await offline.close();
}
