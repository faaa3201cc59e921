// Bundles the named TypeScript test files and runs them with node's own test runner.
// Usage: node test/harness/runTs.mjs FILE... [-- NODE_ARGS]
// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const split = process.argv.indexOf('--');
const files = process.argv.slice(2, split === -1 ? undefined : split);
const nodeArgs = split === -1 ? [] : process.argv.slice(split + 1);
// Inside the project, so that packages left external resolve from its node_modules.
const outdir = mkdtempSync(path.join(root, 'node_modules', '.run-ts-'));
let status = 1;
try {
  await build({
    entryPoints: files,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outdir,
    outExtension: { '.js': '.mjs' },
    sourcemap: 'inline',
    packages: 'external',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  });
  const outputs = files.map((file) =>
    path.join(outdir, files.length === 1 ? path.basename(file).replace(/\.tsx?$/, '.mjs') : ''),
  );
  const targets = files.length === 1 ? outputs : [outdir];
  const run = spawnSync(
    process.execPath,
    [
      '--enable-source-maps',
      '--test',
      '--test-reporter=spec',
      ...nodeArgs,
      ...(files.length === 1 ? targets : expand(outdir)),
    ],
    { stdio: 'inherit', cwd: root },
  );
  status = run.status ?? 1;
} finally {
  rmSync(outdir, { recursive: true, force: true });
}
process.exit(status);

/** @param {string} dir */
function expand(dir) {
  return files.map((file) => {
    const common = commonDir(files);
    return path.join(dir, path.relative(common, file).replace(/\.tsx?$/, '.mjs'));
  });
}

/** @param {string[]} list */
function commonDir(list) {
  const parts = list.map((file) => path.dirname(path.resolve(root, file)).split(path.sep));
  let depth = 0;
  while (parts.every((p) => p[depth] !== undefined && p[depth] === parts[0]?.[depth])) depth += 1;
  return path.relative(root, (parts[0] ?? []).slice(0, depth).join(path.sep));
}
