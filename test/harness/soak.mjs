// npm run soak: the suites again and again beside a busy process, to find what holds only on a
// quiet machine. Not part of npm test.
// Usage: node test/harness/soak.mjs [--times 20] [--only unit,architecture,integration,host]
// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    only: { type: 'string', default: 'unit,architecture,integration,host' },
  },
});
const times = Number(values.times);
if (!Number.isInteger(times) || times < 1) throw new Error('--times wants a whole number from 1');

console.log(`Soak: ${values.only}, ${values.times} times, beside a busy process`);
// A program of its own, so that it competes for a core as another person's build would.
const busy = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
process.once('exit', () => busy.kill('SIGKILL'));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

let failed = 0;
for (let n = 1; n <= times; n += 1) {
  const args = [path.join(root, 'test/harness/test.mjs'), '--only', values.only];
  const run = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  const lines = run.stdout.trimEnd().split('\n');
  console.log(`${String(n).padStart(3)}: ${lines.at(-1) ?? 'no output'}`);
  if (run.status === 0) continue;
  failed += 1;
  for (const line of lines.filter((each) => each.includes('✗') || each.includes('see '))) {
    console.log(`     ${line.trim()}`);
  }
}
console.log(`${String(times - failed)} passed, ${String(failed)} failed`);
process.exitCode = failed === 0 ? 0 : 1;
