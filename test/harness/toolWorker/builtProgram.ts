import { build } from 'esbuild';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inRoot } from '../paths';

const built = new Map<string, Promise<string>>();

/**
 * A thread's program of `src/workspaceTools` as it is packed, built once. Its folder goes with this
 * process.
 * @returns its absolute path
 */
export function builtProgram(name: string): Promise<string> {
  const known = built.get(name);
  if (known !== undefined) return known;
  const program = buildProgram(name);
  built.set(name, program);
  return program;
}

async function buildProgram(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay worker ü '));
  process.once('exit', () => {
    // Nothing that is to be waited for is done any more.
    rmSync(folder, { recursive: true, force: true });
  });
  await build({
    absWorkingDir: inRoot(),
    entryPoints: { [name]: `src/workspaceTools/${name}.ts` },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return path.join(folder, `${name}.mjs`);
}
