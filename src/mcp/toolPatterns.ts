import { wireName } from './names';

/**
 * Whether a pattern names a tool: its whole name, `mcp__server` for all of a server, `*` for any
 * characters. As permission rules have it.
 */
export function matchesTool(pattern: string, wire: string): boolean {
  if (pattern.includes('*')) return fits(pattern, wire);
  return pattern === wire || wire.startsWith(`${pattern}__`);
}

/** Whether a tool of this server could be named by the pattern, whatever tools it has. */
export function mayNameToolOf(pattern: string, server: string): boolean {
  const prefix = wireName(server, '');
  const star = pattern.indexOf('*');
  if (star === -1) return pattern.startsWith(prefix) || `${pattern}__` === prefix;
  const fixed = pattern.slice(0, star);
  return fixed.startsWith(prefix) || prefix.startsWith(fixed);
}

/** `*` stands for any characters. In steps of one, since a regular expression could be made to take for ever. */
function fits(pattern: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let from = 0;
  let place = 0;
  while (place < name.length) {
    if (pattern[at] === '*') {
      star = at;
      at += 1;
      from = place;
    } else if (pattern[at] === name[place]) {
      at += 1;
      place += 1;
    } else if (star !== -1) {
      // The last star takes one more.
      at = star + 1;
      from += 1;
      place = from;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
