import { spawn } from 'node:child_process';
import path from 'node:path';
import type { HostOrder, Workload } from './workload';

/** Nothing here takes longer, however loaded the machine is. */
const LIMIT_MS = 240_000;

export interface HostRun {
  /** Where the bench was built: holds `hosts/NAME.mjs` and the fake CLI. */
  readonly folder: string;
  readonly host: string;
  readonly order: HostOrder;
  /** Added to the clean environment, which the CLI then inherits. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs one host to its end, in a process of its own with nothing of this one's environment, and
 * gives what it reports. Rejects with its stderr when there is no report.
 */
export async function runHost<Report>({ folder, host, order, env }: HostRun): Promise<Report> {
  const program = path.join(folder, `${host}.mjs`);
  const { output, errors } = await run([program, JSON.stringify(order)], {
    ...cleanEnvironment(order.cwd),
    BENCH_WORKLOAD: JSON.stringify(order.workload),
    ...env,
  });
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  try {
    // Each host writes the report that its row expects.
    return JSON.parse(last) as Report;
  } catch {
    throw new Error(
      `${host} (${describe(order.workload)}) reported nothing:\n${errors.slice(-2000)}`,
    );
  }
}

/** What Node needs, and no more. */
export function cleanEnvironment(home: string): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: home, LANG: 'C.UTF-8' };
}

/** Runs Node to its end; gives what it wrote, whatever its exit code. */
export function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly output: string; readonly errors: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      resolve({ output, errors });
    });
  });
}

function describe(workload: Workload): string {
  return JSON.stringify(workload);
}
