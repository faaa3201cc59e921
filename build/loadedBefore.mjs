// @ts-check
import path from 'node:path';
import { build } from 'esbuild';

/** What only an extension host can run: here `vscode` may be imported. */
const ROOMS = /[\\/]src[\\/](?:host|editor)[\\/]/;
const NAMESPACE = 'loaded-before';

/**
 * Modules that several entries share become a file for each set of entries that share them, and each
 * file costs a millisecond of the start. Most of these sets cannot come about: whatever `extension`
 * imports dynamically is loaded after it, and whatever else the host imports so is loaded after `panel`.
 * Told so, by an import that loads nothing any more, esbuild lays what comes first in one file.
 *
 * @param {{ root: string, extension: string, panel: string }} files relative to the root
 * @returns {import('esbuild').Plugin}
 */
export function loadedBefore({ root, extension, panel }) {
  return {
    name: NAMESPACE,
    setup(pluginBuild) {
      /** @type {Promise<ReadonlySet<string>>} */
      let first = Promise.resolve(new Set());
      pluginBuild.onStart(() => {
        first = staticInputs(root, extension);
      });
      pluginBuild.onResolve({ filter: /^\./ }, async (args) => {
        if (args.kind !== 'dynamic-import' || !ROOMS.test(args.importer)) return undefined;
        const { path: file } = await pluginBuild.resolve(args.path, {
          kind: 'import-statement',
          importer: args.importer,
          resolveDir: args.resolveDir,
        });
        const isFirst = (await first).has(relative(root, args.importer));
        const before = isFirst || relative(root, file) === panel ? [extension] : [extension, panel];
        // Two ways to one module are two entries: only one of them may bring the panel along.
        return {
          path: relative(root, file),
          namespace: `${NAMESPACE}-${before.length}`,
          pluginData: before,
        };
      });
      pluginBuild.onLoad({ filter: /./, namespace: `${NAMESPACE}-1` }, load);
      pluginBuild.onLoad({ filter: /./, namespace: `${NAMESPACE}-2` }, load);

      /** @param {import('esbuild').OnLoadArgs} args */
      function load({ path: file, pluginData: before }) {
        const lines = before.map((/** @type {string} */ one) => `import './${one}';`);
        return { contents: `${lines.join('')}export * from './${file}';`, resolveDir: root };
      }
    },
  };
}

/**
 * What is loaded with an entry, relative to the root.
 *
 * @param {string} root @param {string} entry @returns {Promise<ReadonlySet<string>>}
 */
async function staticInputs(root, entry) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['vscode'],
    write: false,
    metafile: true,
    logLevel: 'silent',
    plugins: [
      {
        name: 'static-only',
        setup(pluginBuild) {
          pluginBuild.onResolve({ filter: /./ }, ({ kind, path: file }) =>
            kind === 'dynamic-import' ? { path: file, external: true } : undefined,
          );
        },
      },
    ],
  });
  return new Set(Object.keys(metafile.inputs));
}

/** @param {string} root @param {string} file @returns {string} as esbuild names its inputs */
function relative(root, file) {
  return path.relative(root, file).split(path.sep).join('/');
}
