// npm run soak: the suites again and again beside a busy process, to find what holds only on a
// quiet machine. Not part of npm test.
// Usage: node test/harness/soak.mjs [--times 20] [--at-once 1] [--only unit,architecture,integration,host]
// @ts-check
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { run } from './boot/run.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    'at-once': { type: 'string', default: '1' },
    only: { type: 'string', default: 'unit,architecture,integration,host' },
  },
});
const times = wholeNumber('--times', values.times);
const atOnce = wholeNumber('--at-once', values['at-once']);

const beside = atOnce === 1 ? '' : `${values['at-once']} at once, `;
console.log(`Soak: ${values.only}, ${values.times} times, ${beside}beside a busy process`);
// A program of its own, so that it competes for a core as another person's build would.
const busy = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
process.once('exit', () => busy.kill('SIGKILL'));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

let begun = 0;
let failed = 0;
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    while (begun < times) {
      begun += 1;
      await once(begun);
    }
  }),
);
console.log(`${String(times - failed)} passed, ${String(failed)} failed`);
process.exit(failed === 0 ? 0 : 1);

/** @param {number} n */
async function once(n) {
  let output = '';
  const args = [path.join(root, 'test/harness/test.mjs'), '--only', values.only];
  const { code } = await run(process.execPath, args, {
    cwd: root,
    // Tests that take what a report says in real time do so.
    env: { ...process.env, PATCHBAY_SOAK: '1' },
    onOutput: (text) => (output += text),
  });
  const lines = output.trimEnd().split('\n');
  console.log(`${String(n).padStart(3)}: ${lines.at(-1) ?? 'no output'}`);
  if (code === 0) return;
  failed += 1;
  for (const line of lines.filter((each) => each.includes('✗') || each.includes('see '))) {
    console.log(`     ${line.trim()}`);
    const log = /see (test\/\S+\.log)/.exec(line)?.[1];
    if (log !== undefined) keep(n, path.join(root, log));
  }
}

/** Later runs remove the folders of earlier ones. @param {number} n @param {string} log */
function keep(n, log) {
  const folder = path.join(root, 'test/.artifacts/soak');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${String(n)}-${path.basename(log)}`);
  if (existsSync(log)) copyFileSync(log, file);
  console.log(`     kept as ${path.relative(root, file)}`);
}

/** @param {string} name @param {string} text */
function wholeNumber(name, text) {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`${name} wants a whole number from 1`);
  return number;
}
