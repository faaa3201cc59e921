// Plays an extension host that has agents running: starts what the JSON in argv[2] names, says so on
// stdout, takes orders on stdin and stays until it is killed.
import { createInterface } from 'node:readline';
import type { Logger } from '../../../src/base/logger';
import { launchArguments } from '../../../src/cli/launchArguments';
import { startServerProcess } from '../../../src/cli/serverProcess';
import { spawnCli } from '../../../src/cli/spawnCli';
import { useWatchdog, watchdogPid } from '../../../src/cli/watchdog';
import type { HostOrder, HostReport } from './startHost';

// The test writes it in this shape.
const order = JSON.parse(process.argv[2] ?? '') as HostOrder;
const lines: string[] = [];
const keep = (message: string): unknown => lines.push(message);
const log: Logger = { trace: keep, debug: keep, info: keep, warn: keep, error: keep };
const running: { readonly pid: number | undefined; close(): Promise<unknown> }[] = [];

function report(): void {
  const said: HostReport = {
    clis: running.map(({ pid }) => pid ?? 0),
    watchdog: watchdogPid(),
    log: lines,
  };
  process.stdout.write(`${JSON.stringify(said)}\n`);
}

async function start(): Promise<void> {
  for (const cli of order.clis) {
    const args = cli.args ?? launchArguments({ trusted: true });
    if (cli.serves === true) {
      const server = startServerProcess({ ...cli, args });
      running.push({ pid: server.child.pid, close: () => server.end() });
      continue;
    }
    const transport = await spawnCli({ ...cli, args, log });
    // Nobody would start to read.
    transport.onDidReceiveLine(() => undefined);
    if (cli.prompt !== undefined) {
      const content = cli.prompt;
      const message = { role: 'user', content } as const;
      await transport.write({
        type: 'user',
        message,
        parent_tool_use_id: null,
        session_id: '',
        uuid: '',
      });
    }
    running.push(transport);
  }
  report();
}

useWatchdog({ file: order.watchdog, log, lingerMs: 50 });
createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'start') void start();
  if (line === 'report') report();
  if (line === 'close') {
    void Promise.all(running.splice(0).map((transport) => transport.close())).then(report);
  }
});
setInterval(() => undefined, 60_000);
