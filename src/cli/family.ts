import type { ProcessRow } from './processTable';

/** A CLI and all that it started, however far it went. */
export interface FamilyHead {
  /** Of the CLI, which leads a process group of its own. */
  readonly pid: number;
  /** As in {@link ProcessRow}; undefined where it could not be told. */
  readonly started: string | undefined;
  /** Unique to this start of the CLI. */
  readonly mark: string;
}

/**
 * Which of these processes belong to the CLI: itself, its process group, all that carry its mark,
 * all that descend from one of them, and the groups of those. A process that only has a number
 * which one of the family had before is a stranger. Pure.
 * `known`: what was found earlier, pid to start; it may have lost all that shows where it is from.
 */
export function findFamily(
  rows: readonly ProcessRow[],
  head: FamilyHead,
  known: ReadonlyMap<number, string> = new Map(),
): ProcessRow[] {
  const leader = rows.find(({ pid }) => pid === head.pid);
  const isHead = (row: ProcessRow): boolean =>
    row.pid === head.pid && (row.mark === head.mark || row.started === head.started);
  // As long as one is in the group no stranger is given its number.
  const groupIsOurs = leader === undefined || isHead(leader);
  const isSeed = (row: ProcessRow): boolean =>
    row.mark === head.mark ||
    isHead(row) ||
    known.get(row.pid) === row.started ||
    (groupIsOurs && row.group === head.pid);
  return withRelatives(rows, rows.filter(isSeed));
}

/** Adds children and groups until there are none to add. */
function withRelatives(rows: readonly ProcessRow[], seeds: readonly ProcessRow[]): ProcessRow[] {
  const found = new Set(seeds);
  for (let size = -1; size !== found.size;) {
    size = found.size;
    const pids = new Set([...found].map(({ pid }) => pid));
    const groups = new Set([...found].map(({ group }) => group));
    for (const row of rows) if (pids.has(row.parent) || groups.has(row.group)) found.add(row);
  }
  return [...found].filter(({ pid }) => pid > 1 && pid !== process.pid);
}
