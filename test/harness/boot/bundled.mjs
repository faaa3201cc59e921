// @ts-check
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureDependencies } from './dependencies.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
/** cjs packages inside an ESM bundle still call `require` for what is built into Node. */
const banner = {
  js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
};

/**
 * Bundles a program of the harness, hands it over once it is loaded, and removes the bundle again.
 * Installs the dependencies first where they are missing.
 *
 * @param {string} entry Below the project's root.
 * @param {import('esbuild').BuildOptions} options
 * @param {(program: any) => number | Promise<number>} use Gives the exit code.
 */
export async function runBundled(entry, options, use) {
  await ensureDependencies(root, { say: (/** @type {string} */ line) => console.error(line) });
  const { build } = await import('esbuild');
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-program-'));
  try {
    const outfile = path.join(folder, 'program.mjs');
    await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      mainFields: ['module', 'main'],
      banner,
      logLevel: 'warning',
      ...options,
    });
    process.exitCode = await use(await import(pathToFileURL(outfile).href));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
