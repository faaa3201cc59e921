// A process of its own that outlives the extension host by a few seconds: when the host is killed,
// its end of our stdin closes, and what it had running is ended. Told on stdin, one JSON a line.
import { execFile } from 'node:child_process';
import { createInterface } from 'node:readline';
import { WATCHDOG_LIMITS } from './closeLimits';
import { Family } from './endFamily';
import { taskkill } from './processGroup';
import { tryParseWatchdogLine } from './watchdogLine';

const families = new Map<string, Family>();

function endOne(family: Family): Promise<unknown> {
  if (process.platform !== 'win32') return family.end(WATCHDOG_LIMITS);
  const { file, args } = taskkill(family.head.pid, 'SIGKILL');
  return new Promise((resolve) => execFile(file, args, resolve));
}

// Whoever ends the host may end its whole terminal; we are what is left to clean up.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const told = tryParseWatchdogLine(line);
    if (told === undefined) return;
    if ('forget' in told) families.delete(told.forget);
    else families.set(told.watch.mark, new Family(told.watch));
  })
  .on('close', () => {
    void Promise.all([...families.values()].map(endOne)).finally(() => process.exit(0));
  });
