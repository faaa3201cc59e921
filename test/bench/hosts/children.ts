import { readdirSync, readFileSync } from 'node:fs';

/** How many processes have this one as their parent; undefined where there is no `/proc`. */
export function childCount(): number | undefined {
  let entries: string[];
  try {
    entries = readdirSync('/proc');
  } catch {
    return undefined;
  }
  return entries.filter((name) => /^\d+$/.test(name) && parentOf(name) === process.pid).length;
}

function parentOf(pid: string): number | undefined {
  try {
    // The name in parentheses may hold anything; state and parent follow it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // Ended meanwhile.
    return undefined;
  }
}
