// @ts-check
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { run } from './run.mjs';

/** What the package holds besides `dist/`; what does not exist is left out. */
export const SHIPPED = [
  'package.json',
  'package.nls.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'media',
  'l10n',
  'docs/api.md',
  // At the same place as in the checkout, where `types` and the page lead to it.
  'src/host/patchbayApi.d.ts',
  '.vscodeignore',
];

/**
 * Lays out the extension in a folder of its own, beside a `dist/` that was built there, so that
 * nothing that others do in the checkout meanwhile can reach a run.
 *
 * @param {string} root @param {string} stage
 */
export async function stageExtension(root, stage) {
  await mkdir(stage, { recursive: true });
  for (const name of SHIPPED) {
    const from = path.join(root, name);
    if (existsSync(from)) await cp(from, path.join(stage, name), { recursive: true });
  }
}

/**
 * Packs a staged extension. Throws with what the packer said if it refuses.
 *
 * @param {string} root @param {string} stage
 * @param {string} [file] By default `patchbay-VERSION.vsix` in the root.
 * @returns {Promise<{ file: string, bytes: number }>}
 */
export async function packExtension(root, stage, file) {
  const { name, version } = JSON.parse(await readFile(path.join(stage, 'package.json'), 'utf8'));
  const vsix = file ?? path.join(root, `${name}-${version}.vsix`);
  const { code, tail } = await run(
    process.execPath,
    [
      path.join(root, 'node_modules/@vscode/vsce/vsce'),
      ...['package', '--no-dependencies', '--allow-missing-repository'],
      ...['--no-rewrite-relative-links', '--out', vsix],
    ],
    { cwd: stage },
  );
  if (code !== 0) throw new Error(`vsce package failed (${String(code)}):\n${tail.trim()}`);
  return { file: vsix, bytes: (await stat(vsix)).size };
}
