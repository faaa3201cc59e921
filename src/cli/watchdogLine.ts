import type { FamilyHead } from './family';

/** What the extension host tells its watchdog: a family that it has, or one that has ended. */
export type WatchdogLine = { readonly watch: FamilyHead } | { readonly forget: string };

export function watchdogLine(told: WatchdogLine): string {
  return `${JSON.stringify(told)}\n`;
}

/** By hand: the watchdog is to stay small. A line that was cut off by the host's end is none. */
export function tryParseWatchdogLine(line: string): WatchdogLine | undefined {
  let told: unknown;
  try {
    told = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof told !== 'object' || told === null) return undefined;
  if ('forget' in told && typeof told.forget === 'string') return { forget: told.forget };
  if (!('watch' in told) || typeof told.watch !== 'object' || told.watch === null) return undefined;
  const { watch } = told;
  if (!('pid' in watch) || !('mark' in watch)) return undefined;
  const { pid, mark } = watch;
  if (typeof pid !== 'number' || typeof mark !== 'string') return undefined;
  const started =
    'started' in watch && typeof watch.started === 'string' ? watch.started : undefined;
  return { watch: { pid, mark, started } };
}
