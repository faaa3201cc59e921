import { appendFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import Mocha from 'mocha';

/** Only for what hangs: a busy machine is slow, and a wait costs nothing. */
const TEST_TIMEOUT_MS = 180_000;

/** What sets up so long is worth a look. */
const SLOW_HOOK_MS = 1_000;

/**
 * What VS Code calls inside its extension host: runs every `*.test` module beside this one.
 * `PATCHBAY_HOST_RESULTS` names the file that takes one JSON line per test, `PATCHBAY_HOST_GREP`
 * narrows to the tests whose title has it, `PATCHBAY_HOST_TITLES` to those of a JSON list of titles.
 * Rejects if a test failed.
 */
export async function run(): Promise<void> {
  // The bare reporter: the others format by `console.log('%s')`, which VS Code forwards unformatted.
  const reporter = Mocha.reporters.Base;
  const mocha = new Mocha({ ui: 'bdd', timeout: TEST_TIMEOUT_MS, color: false, reporter });
  const grep = process.env.PATCHBAY_HOST_GREP;
  if (grep !== undefined && grep !== '') mocha.fgrep(grep);
  const titles = process.env.PATCHBAY_HOST_TITLES;
  if (titles !== undefined) mocha.grep(anyOf(JSON.parse(titles) as string[]));
  // What `require` of a test file would do; the suites are ES modules, imported below.
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  for (const file of suiteFiles()) await import(pathToFileURL(file).href);
  const failures = await new Promise<number>((resolve) => {
    report(mocha.run(resolve));
  });
  if (failures > 0) throw new Error(`${failures} failed in the extension host`);
}

/** A hook that failed stands for the tests of its suite. */
function anyOf(titles: readonly string[]): RegExp {
  const parts = titles.map((title) => {
    const [, suite = title] = /^(.*) "(?:before|after) (?:all|each)" hook/.exec(title) ?? [];
    return suite.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^(?:${parts.join('|')})`);
}

function suiteFiles(): string[] {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const group = path.join(here, process.env.PATCHBAY_HOST_GROUP ?? '');
  return readdirSync(group)
    .filter((name) => /\.test\.m?js$/.test(name))
    .sort()
    .map((name) => path.join(group, name));
}

function report(runner: Mocha.Runner): void {
  const results = process.env.PATCHBAY_HOST_RESULTS;
  const write = (test: Mocha.Test | Mocha.Hook, ok: boolean, error?: Error): void => {
    const title = test.fullTitle();
    console.log(`${ok ? 'ok    ' : 'not ok'} ${title}${ok ? ` (${test.duration ?? 0} ms)` : ''}`);
    if (error !== undefined) console.log(error.stack ?? error.message);
    if (results === undefined) return;
    appendFileSync(results, `${JSON.stringify({ title, ok, error: error?.message })}\n`);
  };
  runner.on('pass', (test) => {
    write(test, true);
  });
  runner.on('fail', (test, error: Error) => {
    write(test, false, error);
  });
  runner.on('hook end', (hook: Mocha.Hook) => {
    const took = hook.duration ?? 0;
    if (took >= SLOW_HOOK_MS) console.log(`       ${hook.fullTitle()} (${took} ms)`);
  });
  // A skipped test proves nothing, so it does not count as passed.
  runner.on('pending', (test) => {
    write(test, false, new Error('skipped'));
  });
}
