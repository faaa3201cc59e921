// Builds the product into dist/ and, with --tests, the suites and harness programs into out/.
// Usage: node esbuild.mjs [--production] [--tests] [--programs] [--no-product] [--watch] [--dist=DIR] [--out=DIR]
// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, context } from 'esbuild';
import { escapeScripts } from './build/escapeScripts.mjs';
import { l10nModule } from './build/l10nModule.mjs';
import { loadedBefore } from './build/loadedBefore.mjs';
import { ownZod } from './build/ownZod.mjs';
import { buildPatchbayLib } from './build/patchbayLib.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));

/** cjs packages inside an ESM bundle still call `require` for what is built into Node. */
const REQUIRE_BANNER = {
  js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
};

/** Copied as they are: the webview links the icon font by its own URL. */
const CODICONS = ['codicon.css', 'codicon.ttf'];
/** The licences of what is bundled, which have to go along with it. */
const NOTICES = 'NOTICES.txt';

/**
 * @typedef {object} ProductOptions
 * @property {string} distDir Where the extension goes.
 * @property {string} metaFile Where esbuild's metafile goes: the size budget is tested with it.
 * @property {boolean} production Minified, without source maps.
 */

/** @param {ProductOptions} options @returns {import('esbuild').BuildOptions[]} */
function productBuilds({ distDir, production }) {
  /** @type {import('esbuild').BuildOptions} */
  const common = {
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    outdir: distDir,
    minify: production,
    sourcemap: production ? false : 'linked',
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
    plugins: [l10nModule()],
  };
  /** @type {import('esbuild').BuildOptions[]} */
  const builds = [
    {
      ...common,
      entryPoints: {
        extension: 'src/extension.ts',
        // In threads of its own; most of what it holds is in chunks that the extension has as well.
        toolWorker: 'src/workspaceTools/workerProgram.ts',
      },
      // Only ESM output can be split, and splitting keeps what `activate` loads small.
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
      platform: 'node',
      target: 'node20',
      mainFields: ['module', 'main'],
      external: ['vscode'],
      banner: REQUIRE_BANNER,
      plugins: [
        l10nModule(),
        ownZod(root),
        loadedBefore({ root, extension: 'src/extension.ts', panel: 'src/host/app.ts' }),
      ],
    },
    {
      ...common,
      entryPoints: {
        // A program of its own: it ends the agent's processes when the extension host is killed.
        watchdog: 'src/cli/watchdogProgram.ts',
        // A thread of its own: it looks whether tool files loop. Small, since it runs beside them.
        loopWatch: 'src/workspaceTools/loopWatchProgram.ts',
        // Loaded when a tool file has to be compiled: by `require`, which does not wait.
        sourceCompiler: 'src/workspaceTools/sourceCompiler.ts',
      },
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
      platform: 'node',
      target: 'node20',
    },
    {
      ...common,
      entryPoints: {
        webview: 'src/webview/main.tsx',
        // Loaded by the webview with the first code in a language.
        highlighter: 'src/webview/highlighter/main.ts',
        inspector: 'src/webview/inspector/main.tsx',
        whatIf: 'src/webview/whatIf/main.tsx',
        runTool: 'src/webview/runTool/main.tsx',
      },
      platform: 'browser',
      target: ['es2022', 'chrome128'],
      jsx: 'automatic',
      jsxImportSource: 'preact',
      loader: { '.ttf': 'file' },
      assetNames: '[name]',
    },
  ];
  return builds.filter((one) =>
    Object.values(one.entryPoints ?? {}).every((file) => existsSync(path.join(root, String(file)))),
  );
}

/** Builds the extension and its webview. @param {ProductOptions} options */
export async function buildProduct(options) {
  const [lib, ...results] = await Promise.all([
    buildPatchbayLib({ root, requireBanner: REQUIRE_BANNER.js, ...options }),
    ...productBuilds(options).map((one) => build(one)),
  ]);
  await finishProduct(options, results, lib);
}

/**
 * @param {ProductOptions} options @param {import('esbuild').BuildResult[]} results
 * @param {Awaited<ReturnType<typeof buildPatchbayLib>>} lib
 */
async function finishProduct({ distDir, metaFile, production }, results, lib) {
  const meta = { inputs: {}, outputs: {} };
  for (const { metafile } of [...results, lib]) {
    Object.assign(meta.inputs, metafile?.inputs);
    Object.assign(meta.outputs, metafile?.outputs);
  }
  // Without source maps only: their columns would move.
  const scripts = Object.keys(meta.outputs).map((file) => path.resolve(root, file));
  if (production) await escapeScripts(scripts);
  await mkdir(distDir, { recursive: true });
  for (const name of CODICONS) {
    await copyFile(
      path.join(root, 'node_modules/@vscode/codicons/dist', name),
      path.join(distDir, name),
    );
  }
  await writeFile(path.join(distDir, NOTICES), notices(Object.keys(meta.inputs)));
  await mkdir(path.dirname(metaFile), { recursive: true });
  await writeFile(metaFile, JSON.stringify(meta));
  await removeOthers(distDir, [...Object.keys(meta.outputs), ...lib.files]);
}

/**
 * The licence of every package that a bundled file is from.
 *
 * @param {string[]} inputs @returns {string}
 */
function notices(inputs) {
  const packages = new Set(['@vscode/codicons']);
  for (const input of inputs) {
    const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(input);
    if (match?.[1] !== undefined) packages.add(match[1]);
  }
  return [...packages]
    .sort()
    .map((name) => {
      const folder = path.join(root, 'node_modules', name);
      const { version, license } = JSON.parse(
        readFileSync(path.join(folder, 'package.json'), 'utf8'),
      );
      const file = readdirSync(folder).find((one) => /^licen[sc]e/i.test(one));
      const text = file === undefined ? '' : readFileSync(path.join(folder, file), 'utf8').trim();
      return `${name} ${version} (${license})\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(72)}\n\n`);
}

/**
 * Chunks have a hash in their name: those of an earlier build would be packed along.
 *
 * @param {string} distDir @param {string[]} outputs
 */
async function removeOthers(distDir, outputs) {
  const keep = new Set([
    ...outputs.map((file) => path.resolve(root, file)),
    ...[...CODICONS, NOTICES].map((name) => path.join(distDir, name)),
  ]);
  for (const entry of readdirSync(distDir, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile() && !keep.has(file)) await rm(file);
  }
}

/**
 * Files below `folder` whose name ends so, relative to the root, sorted; none if it is missing.
 *
 * @param {string} folder @param {string[]} endings @returns {string[]}
 */
function filesBelow(folder, endings) {
  const dir = path.join(root, folder);
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true })
    .map((name) => path.posix.join(folder, String(name).split(path.sep).join('/')))
    .filter((name) => endings.some((ending) => name.endsWith(ending)))
    .sort();
}

/** Programs of the harness that need what is written in TypeScript. */
function programs() {
  return filesBelow('test/harness/programs', ['.ts']);
}

function suiteEntries() {
  const unit = filesBelow('test/unit', ['.test.ts', '.test.tsx']);
  const single = [
    ...filesBelow('test/integration', ['.test.ts']),
    ...filesBelow('test/e2e', ['.e2e.ts']),
    ...filesBelow('test/host', ['.test.ts']),
    ...programs(),
    ...['test/host/index.ts', 'test/architecture.test.ts'].filter((file) =>
      existsSync(path.join(root, file)),
    ),
  ];
  const entries = entriesOf(single);
  if (unit.length > 0) entries['unit'] = 'patchbay:unit';
  return { unit, entries };
}

/** @param {string[]} files @returns {Record<string, string>} */
function entriesOf(files) {
  return Object.fromEntries(
    files.map((file) => [file.replace(/^test\//, '').replace(/\.ts$/, ''), file]),
  );
}

/**
 * The whole unit suite as one module, so that it starts in one process. A root-level `beforeEach`
 * would then run before the tests of every other file as well, so it is refused here.
 *
 * @param {string[]} files @returns {import('esbuild').Plugin}
 */
function unitSuitePlugin(files) {
  return {
    name: 'unit-suite',
    setup(pluginBuild) {
      pluginBuild.onResolve({ filter: /^patchbay:unit$/ }, () => ({
        path: 'unit',
        namespace: 'patchbay',
      }));
      pluginBuild.onLoad({ filter: /.*/, namespace: 'patchbay' }, () => ({
        contents: files.map((file) => `import './${file}';`).join('\n'),
        resolveDir: root,
      }));
      pluginBuild.onLoad({ filter: /[\\/]test[\\/]unit[\\/].*\.test\.tsx?$/ }, async (args) => {
        const contents = await readFile(args.path, 'utf8');
        if (/^(beforeEach|afterEach)\(/m.test(contents)) {
          return { errors: [{ text: `${args.path}: put beforeEach and afterEach in a describe` }] };
        }
        return { contents, loader: args.path.endsWith('x') ? 'tsx' : 'ts' };
      });
    },
  };
}

/** @param {{ outDir: string, tests: boolean }} options @returns {import('esbuild').BuildOptions} */
function testBuild({ outDir, tests }) {
  const { unit, entries } = tests ? suiteEntries() : { unit: [], entries: entriesOf(programs()) };
  return {
    absWorkingDir: root,
    entryPoints: entries,
    bundle: true,
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    outdir: outDir,
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    target: 'node20',
    // Packages stay in node_modules: `outDir` lies inside the checkout, so they are found.
    packages: 'external',
    sourcemap: 'linked',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.css': 'empty' },
    logLevel: 'warning',
    plugins: [unitSuitePlugin(unit)],
  };
}

/**
 * Builds suites and harness programs, or with `tests: false` only the latter.
 *
 * @param {{ outDir: string, tests: boolean }} options
 */
export async function buildTests(options) {
  await build(testBuild(options));
}

/** @param {ProductOptions & { outDir: string, tests: boolean }} options */
async function watch(options) {
  const results = new Map();
  // Once: what authors import changes seldom.
  const lib = await buildPatchbayLib({ root, requireBanner: REQUIRE_BANNER.js, ...options });
  const builds = productBuilds(options);
  const productCount = builds.length;
  if (options.tests) builds.push(testBuild(options));
  for (const [index, one] of builds.entries()) {
    const plugin = {
      name: 'report',
      /** @param {import('esbuild').PluginBuild} pluginBuild */
      setup(pluginBuild) {
        // The problem matcher of .vscode/tasks.json waits for these two lines.
        pluginBuild.onStart(() => console.log('[watch] build started'));
        pluginBuild.onEnd(async (result) => {
          if (result.errors.length === 0 && index < productCount) {
            results.set(index, result);
            if (results.size === productCount) {
              await finishProduct(options, [...results.values()], lib);
            }
          }
          console.log('[watch] build finished');
        });
      },
    };
    const ctx = await context({ ...one, plugins: [...(one.plugins ?? []), plugin] });
    await ctx.watch();
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      production: { type: 'boolean', default: false },
      tests: { type: 'boolean', default: false },
      programs: { type: 'boolean', default: false },
      'no-product': { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
      dist: { type: 'string', default: path.join(root, 'dist') },
      out: { type: 'string', default: path.join(root, 'out') },
    },
  });
  const options = {
    distDir: path.resolve(values.dist),
    outDir: path.resolve(values.out),
    metaFile: path.resolve(values.out, 'meta.json'),
    production: values.production,
    tests: values.tests,
    programs: values.programs,
  };
  if (values.watch) return watch(options);
  // Side by side, so that a fault in one does not keep the other from being built.
  const all = await Promise.allSettled([
    values['no-product'] ? undefined : buildProduct(options),
    options.tests || options.programs ? buildTests(options) : undefined,
  ]);
  for (const one of all) if (one.status === 'rejected') throw one.reason;
}

if (
  process.argv[1] !== undefined &&
  path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)
) {
  main().catch((/** @type {unknown} */ error) => {
    // esbuild has already printed its own messages.
    if (!(error instanceof Error && 'errors' in error)) console.error(error);
    process.exitCode = 1;
  });
}
