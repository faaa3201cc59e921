// @ts-check
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { l10nModule } from '../../build/l10nModule.mjs';
import { buildProduct } from '../../esbuild.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
/** cjs packages inside an ESM bundle still call `require` for what is built into Node. */
const banner = {
  js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
};

/**
 * Builds all that the bench runs into `folder`: the product as it ships (`product`, its metafile
 * beside it) and the bench (`bench`). The hosts are bundled and minified alike, each whole.
 *
 * @param {string} folder
 */
export async function buildBench(folder) {
  const out = path.join(folder, 'bench');
  /** @type {import('esbuild').BuildOptions} */
  const common = {
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    outdir: out,
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  };
  const entries = (/** @type {string[]} */ names) =>
    Object.fromEntries(names.map((name) => [name, `test/bench/${name}.ts`]));
  const hosts = [
    ...['floorHost', 'ourHost', 'sdkHost', 'sdkLoad'],
    ...['handshakeHost', 'prewarmHost', 'bridgeHost', 'listHost', 'cardHost', 'rulesHost'],
    ...['toolFilesHost', 'compilerHost'],
  ];
  // Inside VS Code, which brings `vscode`.
  const inside = ['editor/editorHost'];
  const fake = path.join(out, 'fake', 'claude');
  await mkdir(path.dirname(fake), { recursive: true });
  // The checkout is of type `module`, and the CLI has no file ending that would say otherwise.
  await writeFile(path.join(out, 'fake', 'package.json'), '{"type":"commonjs"}\n');
  await Promise.all([
    build({ ...common, entryPoints: entries(['bench']), packages: 'external' }),
    build({
      ...common,
      entryPoints: entries([...hosts.map((name) => `hosts/${name}`), ...inside]),
      external: ['vscode'],
      mainFields: ['module', 'main'],
      minify: true,
      legalComments: 'none',
      banner,
      define: { 'process.env.NODE_ENV': '"production"' },
      // As the product is built.
      plugins: [l10nModule()],
    }),
    build({
      ...common,
      entryPoints: ['test/bench/benchFake.ts'],
      outdir: undefined,
      outExtension: undefined,
      outfile: fake,
      format: 'cjs',
      banner: { js: '#!/usr/bin/env node' },
    }),
    buildProduct({
      distDir: path.join(folder, 'product'),
      metaFile: path.join(folder, 'meta.json'),
      production: true,
    }),
  ]);
  await chmod(fake, 0o755);
}
