import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { l10nModule } from '../../../build/l10nModule.mjs';
import { root } from '../../harness/paths';

/** How often a namespace object is made of a cjs package. */
const COPIES = /= __toESM\(/g;

test('files that import the texts share one module of them, and a language set by one is seen by all', async () => {
  const below = path.join(root, 'test/.artifacts');
  await mkdir(below, { recursive: true });
  const folder = await mkdtemp(path.join(below, 'l10n-'));
  const at = (name: string): string => path.join(folder, name);
  const text = `import * as l10n from '@vscode/l10n';\n`;
  try {
    await writeFile(at('one.js'), `${text}export const one = () => l10n.t('Stop {0}', 1);`);
    await writeFile(at('two.js'), `${text}export const two = () => l10n.t('Go');`);
    const set = `l10n.config({ contents: { 'Stop {0}': 'Halt {0}', Go: 'Los' } });`;
    await writeFile(
      at('main.js'),
      `${text}import { one } from './one.js';import { two } from './two.js';
       const before = [one(), two()];${set}export const said = [...before, one(), two()];`,
    );
    const bundle = async (outfile: string, plugins: ReturnType<typeof l10nModule>[]) => {
      const { outputFiles } = await build({
        entryPoints: [at('main.js')],
        outfile: at(outfile),
        bundle: true,
        format: 'esm',
        platform: 'node',
        banner: {
          js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
        },
        plugins,
        write: false,
      });
      const script = outputFiles[0]?.text ?? '';
      await writeFile(at(outfile), script);
      // What the files above export.
      const { said } = (await import(pathToFileURL(at(outfile)).href)) as { said: string[] };
      return { said, copies: script.match(COPIES)?.length ?? 0 };
    };
    const plain = await bundle('plain.mjs', []);
    const shared = await bundle('shared.mjs', [l10nModule()]);
    assert.deepEqual(shared.said, ['Stop 1', 'Go', 'Halt 1', 'Los']);
    assert.deepEqual(plain.said, shared.said);
    assert.deepEqual([plain.copies, shared.copies], [3, 1]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
