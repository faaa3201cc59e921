// npm run test:desktop: the extension-host suite in a downloaded desktop VS Code.
// Usage: node test/harness/desktop.mjs [--version VERSION]
// @ts-check
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureDependencies } from './boot/dependencies.mjs';
import { run } from './boot/run.mjs';
import { createRunFolder } from './boot/runFolder.mjs';
import { stageExtension } from './boot/stage.mjs';
import { tallySuite } from './boot/tally.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

main().then(
  (code) => process.exit(code),
  (/** @type {unknown} */ error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);

/** @returns {Promise<number>} The exit code. */
async function main() {
  const { values } = parseArgs({ options: { version: { type: 'string', default: 'stable' } } });
  const folder = createRunFolder(root);
  await ensureDependencies(root, { say: console.log });
  const stage = path.join(folder, 'extension');
  const out = path.join(folder, 'out');
  const results = path.join(folder, 'logs', 'desktop.jsonl');
  const node = (/** @type {string[]} */ args) =>
    run(process.execPath, args, {
      cwd: root,
      env: { ...process.env, PATCHBAY_ROOT: root, PATCHBAY_HOST_RESULTS: results },
      onOutput: (text) => process.stdout.write(text),
    });
  const built = await node([
    ...['esbuild.mjs', '--production', '--tests'],
    ...[`--dist=${path.join(stage, 'dist')}`, `--out=${out}`],
  ]);
  if (built.code !== 0) return built.code;
  await stageExtension(root, stage);
  const { code } = await node([
    path.join(out, 'harness/programs/desktopSuite.mjs'),
    ...['--extension', stage, '--tests', path.join(out, 'host/index.mjs'), '--work', folder],
    ...['--version', values.version],
  ]);
  const { passed, failed } = tallySuite(results, code);
  console.log(`${String(passed)} passed, ${String(failed)} failed`);
  return failed === 0 ? 0 : 1;
}
