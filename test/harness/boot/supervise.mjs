// Starts a program in a process group of its own and ends that whole group when our stdin closes,
// which the system does even when whoever started us was killed. Exits with the program's code.
// Usage: node supervise.mjs GRACE_MS COMMAND [ARGS]
// @ts-check
import { spawn, spawnSync } from 'node:child_process';

const [grace, command, ...args] = process.argv.slice(2);
if (command === undefined) throw new Error('supervise.mjs: no command');

const child = spawn(command, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
let ending = false;

child.once('error', (error) => {
  console.error(error.message);
  process.exit(127);
});
child.once('exit', (code) => {
  // Its helpers (file watcher, agent host) would outlive it.
  signalGroup('SIGKILL');
  process.exit(code ?? 128);
});
// Ctrl+C reaches us, but not the program's group: whoever started us decides what it means.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
process.stdin.resume();
process.stdin.once('end', end).once('close', end).once('error', end);

function end() {
  if (ending) return;
  ending = true;
  signalGroup('SIGTERM');
  setTimeout(() => signalGroup('SIGKILL'), Number(grace));
}

/** @param {'SIGTERM' | 'SIGKILL'} signal */
function signalGroup(signal) {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Nobody is left in the group.
  }
}
