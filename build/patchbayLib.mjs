// What a new tool file gets beside it, so that it type-checks, completes and can be tested with
// nothing installed: types and run time of `import 'patchbay'`, as one file each.
// @ts-check
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import ts from 'typescript';
import { bundleTypes } from './bundleTypes.mjs';

const ENTRY = 'src/workspaceTools/patchbayLib.ts';
/** Below `dist/`. */
const FOLDER = 'lib';

const NODE_TYPES = `// For tool files in a workspace that has no @types/node: what they import of Node is not checked then.
declare module 'node:*';
`;

/**
 * @param {{ root: string, distDir: string, production: boolean, requireBanner: string }} options
 * @returns {Promise<{ files: string[], metafile: import('esbuild').Metafile }>}
 */
export async function buildPatchbayLib({ root, distDir, production, requireBanner }) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const head = `// Patchbay ${version}: what tool files import as 'patchbay'. Written by "Patchbay: New Tool File".\n`;
  const folder = path.join(distDir, FOLDER);
  const runTime = path.join(folder, 'patchbay.mjs');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [ENTRY],
    outfile: runTime,
    bundle: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'node20',
    minify: production,
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    banner: { js: `${head}// @ts-nocheck\n${requireBanner}` },
  });
  const types = path.join(folder, 'patchbay.d.ts');
  const node = path.join(folder, 'node.d.ts');
  await mkdir(folder, { recursive: true });
  await writeFile(types, `${head}${licences(root)}${patchbayTypes(root)}`);
  await writeFile(node, NODE_TYPES);
  return { files: [runTime, types, node], metafile };
}

/** @param {string} root */
function patchbayTypes(root) {
  const config = ts.readConfigFile(path.join(root, 'tsconfig.base.json'), (file) =>
    readFileSync(file, 'utf8'),
  );
  const { options } = ts.convertCompilerOptionsFromJson(
    // What is common to Node and a browser is declared there.
    { ...config.config.compilerOptions, lib: ['ES2023', 'DOM'] },
    root,
  );
  const { text } = bundleTypes({
    root,
    entry: path.join(root, ENTRY),
    compilerOptions: options,
    edit: (file, declarations) =>
      file.includes('/@types/vscode/') ? withShortComments(declarations) : declarations,
  });
  return text;
}

/**
 * Of each comment its first paragraph: the editor's API is four fifths comments, and the file goes
 * into a team's repository.
 *
 * @param {string} text
 */
function withShortComments(text) {
  return text.replace(/^([ \t]*)\/\*\*([\s\S]*?)\*\//gm, (whole, indent, body) => {
    if (whole.includes('Copyright')) return '';
    const lines = String(body)
      .split('\n')
      .map((line) => line.replace(/^\s*\* ?/, '').trim());
    while (lines[0] === '') lines.shift();
    const end = lines.findIndex((line) => line === '' || line.startsWith('@'));
    const first = lines
      .slice(0, end === -1 ? undefined : end)
      .join(' ')
      .trim();
    const note = /@deprecated[^\n]*/.exec(body)?.[0];
    const kept = [first, note].filter((part) => part !== undefined && part !== '').join(' ');
    return kept === '' ? '' : `${indent}/** ${kept} */`;
  });
}

/** Of what the types are made of besides ours. @param {string} root */
function licences(root) {
  const zod = readFileSync(path.join(root, 'node_modules/zod/LICENSE'), 'utf8').trim();
  const vscode = readFileSync(path.join(root, 'node_modules/@types/vscode/LICENSE'), 'utf8').trim();
  return `/*\nWith the types of zod:\n\n${zod}\n\nand those of the editor's API:\n\n${vscode}\n*/\n`;
}
