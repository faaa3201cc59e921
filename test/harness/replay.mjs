// npm run replay: plays a file that the wire inspector saved, without a CLI and without VS Code.
// Usage: npm run replay -- FILE [--chunks SEED] [--json]
// @ts-check
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureDependencies } from './boot/dependencies.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
/** cjs packages inside an ESM bundle still call `require` for what is built into Node. */
const banner = {
  js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
};

await ensureDependencies(root, { say: (/** @type {string} */ line) => console.error(line) });
const { build } = await import('esbuild');
const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-replay-'));
try {
  const outfile = path.join(folder, 'replay.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['test/harness/replay/replayProgram.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    banner,
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  process.setSourceMapsEnabled(true);
  /** @type {{ runReplay(args: readonly string[], say: (line: string) => void): Promise<number> }} */
  const program = await import(pathToFileURL(outfile).href);
  process.exitCode = await program.runReplay(process.argv.slice(2), (line) => console.log(line));
} finally {
  await rm(folder, { recursive: true, force: true });
}
