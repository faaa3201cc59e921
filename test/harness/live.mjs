// npm run live: a few turns with your own login. It costs money, so it asks first; never part of npm test.
// Usage: node test/harness/live.mjs [--yes] [--cli FILE] [--model haiku]
// @ts-check
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDependencies } from './boot/dependencies.mjs';
import { run } from './boot/run.mjs';
import { createRunFolder } from './boot/runFolder.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

if (process.env.CI) {
  console.error('Not in CI: it costs money and needs a login.');
  process.exit(2);
}
const folder = createRunFolder(root);
await ensureDependencies(root, { say: console.log });
const out = path.join(folder, 'out');
const { code, tail } = await run(
  process.execPath,
  ['esbuild.mjs', '--programs', '--no-product', `--out=${out}`],
  { cwd: root, logFile: path.join(folder, 'logs', 'build.log') },
);
if (code !== 0) {
  console.error(`The build failed:\n${tail.trim()}`);
  process.exit(1);
}
// With this terminal, in which it asks.
const program = path.join(out, 'harness/programs/live.mjs');
const live = spawn(process.execPath, ['--enable-source-maps', program, ...process.argv.slice(2)], {
  cwd: root,
  env: { ...process.env, PATCHBAY_ROOT: root },
  stdio: 'inherit',
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => live.kill(signal));
}
live.on('exit', (status) => process.exit(status ?? 1));
