// npm run tools: what the built-in servers tell the model of themselves, and what that costs.
// Usage: npm run tools [-- --json]
// @ts-check
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureDependencies } from './boot/dependencies.mjs';
import { inertEditor } from './tools/inertEditor.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
/** cjs packages inside an ESM bundle still call `require` for what is built into Node. */
const banner = {
  js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
};

await ensureDependencies(root, { say: (/** @type {string} */ line) => console.error(line) });
const { build } = await import('esbuild');
const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-tools-'));
try {
  const outfile = path.join(folder, 'tools.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['test/harness/tools/toolsProgram.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    banner,
    logLevel: 'warning',
    plugins: [inertEditor],
  });
  /** @type {{ runTools(args: readonly string[], say: (text: string) => void): number }} */
  const program = await import(pathToFileURL(outfile).href);
  process.exitCode = program.runTools(process.argv.slice(2), (text) => console.log(text));
} finally {
  await rm(folder, { recursive: true, force: true });
}
