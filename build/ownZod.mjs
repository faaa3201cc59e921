// @ts-check
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const NAMESPACE = 'whole-zod';
const ZOD = /^zod(\/|$)/;
/** All of zod is handed on to tool files. */
const HANDS_ON = 'src/workspaceTools/patchbayModule.ts';

/**
 * Two copies of zod: one for the code of the product, of which only what it uses is bundled, and the
 * whole for tool files and the MCP SDK. With one for all, each file of it that anybody uses is loaded
 * with the panel, for the sake of a few functions: all languages of its messages, some 350 KB.
 *
 * @param {string} root @returns {import('esbuild').Plugin}
 */
export function ownZod(root) {
  const src = path.join(root, 'src') + path.sep;
  const handsOn = path.join(root, HANDS_ON);
  return {
    name: NAMESPACE,
    setup(pluginBuild) {
      pluginBuild.onResolve({ filter: ZOD }, (args) => {
        const isWhole = !args.importer.startsWith(src) || args.importer === handsOn;
        return isWhole ? whole(args) : undefined;
      });
      pluginBuild.onResolve({ filter: /^\./, namespace: NAMESPACE }, whole);
      pluginBuild.onLoad({ filter: /./, namespace: NAMESPACE }, async ({ path: file }) => ({
        contents: await readFile(file, 'utf8'),
        resolveDir: path.dirname(file),
      }));

      /** @param {import('esbuild').OnResolveArgs} args */
      async function whole({ path: name, pluginData, ...args }) {
        if (pluginData === NAMESPACE) return undefined;
        const found = await pluginBuild.resolve(name, {
          ...{ kind: args.kind, resolveDir: args.resolveDir, importer: args.importer },
          pluginData: NAMESPACE,
        });
        if (found.errors.length > 0) return { errors: found.errors };
        return { path: found.path, namespace: NAMESPACE, sideEffects: found.sideEffects };
      }
    },
  };
}
