// npm run bench: measures Patchbay beside a hand-written floor and the official SDK.
// Usage: npm run bench -- [--rows 1,5] [--rounds N] [--json FILE]
// @ts-check
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDependencies } from '../harness/boot/dependencies.mjs';
import { createRunFolder } from '../harness/boot/runFolder.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const folder = createRunFolder(root);
const logFile = path.join(folder, 'logs', 'install.log');
await ensureDependencies(root, { say: console.log, logFile });
const { buildBench } = await import('./buildBench.mjs');
await buildBench(folder);
const program = path.join(folder, 'bench', 'bench.mjs');
const child = spawn(process.execPath, [program, '--work', folder, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => child.kill(signal));
}
child.once('exit', (code) => process.exit(code ?? 1));
