import path from 'node:path';
import { build } from 'esbuild';
import { inRoot } from '../paths';

/** Entry by the name of its files. */
const ENTRIES = {
  webview: 'src/webview/main.tsx',
  inspector: 'src/webview/inspector/main.tsx',
  whatIf: 'src/webview/whatIf/main.tsx',
  runTool: 'src/webview/runTool/main.tsx',
} as const;

/** A page's files as the product ships them, built into memory: path to bytes. */
export async function buildPanel(
  name: keyof typeof ENTRIES,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const result = await build({
    entryPoints: {
      [name]: inRoot(ENTRIES[name]),
      highlighter: inRoot('src/webview/highlighter/main.ts'),
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    outdir: inRoot('test/.artifacts/panel'),
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
    minify: true,
    logLevel: 'error',
    absWorkingDir: inRoot(),
  });
  return new Map(result.outputFiles.map((file) => [`/${path.basename(file.path)}`, file.contents]));
}
