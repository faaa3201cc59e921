// Makes patchbay-VERSION.vsix.
// Usage: node test/harness/package.mjs [--stage DIR] [--out FILE]
// With --stage the folder DIR holds a built dist/ already, and stays.
// @ts-check
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureDependencies } from './boot/dependencies.mjs';
import { run } from './boot/run.mjs';
import { packExtension, stageExtension } from './boot/stage.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const { values } = parseArgs({
  options: { stage: { type: 'string' }, out: { type: 'string' } },
});

try {
  await ensureDependencies(root, { say: console.log });
  const { file, bytes } =
    values.stage === undefined ? await buildAndPack() : await pack(values.stage);
  console.log(`${path.relative(process.cwd(), file)}: ${(bytes / 1024).toFixed(0)} KB`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function buildAndPack() {
  const stage = await mkdtemp(path.join(tmpdir(), 'patchbay-package-'));
  try {
    const build = [path.join(root, 'esbuild.mjs'), '--production'];
    const { code, tail } = await run(process.execPath, [
      ...build,
      `--dist=${path.join(stage, 'dist')}`,
      `--out=${path.join(root, 'out')}`,
    ]);
    if (code !== 0) throw new Error(`The build failed:\n${tail.trim()}`);
    return await pack(stage);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** @param {string} stage */
async function pack(stage) {
  await stageExtension(root, stage);
  return packExtension(root, stage, values.out);
}
