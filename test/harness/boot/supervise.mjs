// Starts a program as a process group of its own and ends the whole group when stdin closes, which
// the system does for us even when whoever started it was killed.
// Usage: node supervise.mjs COMMAND [ARGS]
// @ts-check
import { spawn, spawnSync } from 'node:child_process';

const GRACE_MS = 3000;
const [command, ...args] = process.argv.slice(2);
if (command === undefined) throw new Error('supervise.mjs: no command');

const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
child.once('error', (error) => {
  console.error(error.message);
  process.exit(127);
});
// Its helpers (file watcher, agent host) would outlive it.
child.once('exit', (code) => endGroup(code ?? 1));

// Our own SIGTERM to the group reaches us as well; only the SIGKILL below is meant for us.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
process.stdin.resume();
process.stdin.once('end', end).once('close', end).once('error', end);

let ending = false;
function end() {
  if (ending) return;
  ending = true;
  if (process.platform === 'win32') endGroup(1);
  else {
    process.kill(0, 'SIGTERM');
    setTimeout(() => endGroup(1), GRACE_MS);
  }
}

/** @param {number} code */
function endGroup(code) {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
    process.exit(code);
  }
  process.kill(0, 'SIGKILL');
}
