import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { inRoot } from '../paths';

/** Entry by the name of its files. */
const ENTRIES = {
  webview: 'src/webview/main.tsx',
  inspector: 'src/webview/inspector/main.tsx',
  whatIf: 'src/webview/whatIf/main.tsx',
  runTool: 'src/webview/runTool/main.tsx',
} as const;

/** A text of a source file, and what stands in its place. */
export interface SourceChange {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A page's files as the product ships them, built into memory: path to bytes. */
export async function buildPanel(
  name: keyof typeof ENTRIES,
  change?: SourceChange,
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
    plugins: change ? [changing(change)] : [],
    logLevel: 'error',
    absWorkingDir: inRoot(),
  });
  return new Map(result.outputFiles.map((file) => [`/${path.basename(file.path)}`, file.contents]));
}

function changing({ file, from, to }: SourceChange): Plugin {
  return {
    name: 'change',
    setup: ({ onLoad }) => {
      onLoad(
        { filter: new RegExp(`[/\\\\]${file.replace('.', '\\.')}$`) },
        async ({ path: at }) => {
          const text = await readFile(at, 'utf8');
          if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`);
          return { contents: text.replace(from, to), loader: 'ts' };
        },
      );
    },
  };
}
