import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { inRoot } from './paths';

/** What, what is allowed, what is reached; as a line of a table has them. */
export type DocRow = readonly [what: string, allowed: string | number, reached: string | number];

/**
 * Compares rows of a table of a page with what they are now. `PATCHBAY_WRITE_DOCS=1` writes them.
 * @param name of the part, which stands between two comments of that name
 */
export async function holdDocRows(
  page: string,
  name: string,
  rows: readonly DocRow[],
): Promise<void> {
  const file = inRoot(page);
  const text = await readFile(file, 'utf8');
  const begin = `<!-- measured: ${name} -->\n`;
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf('<!-- /measured -->', from);
  assert.ok(from >= begin.length && to >= from, `${page} has a place for ${name}`);
  const head: DocRow[] = [
    ['what', 'allowed', 'reached'],
    ['---', '---', '---'],
  ];
  const table = [...head, ...rows].map((row) => `| ${row.map(shown).join(' | ')} |\n`).join('');
  const fresh = `${text.slice(0, from)}\n${table}\n${text.slice(to)}`;
  if (process.env.PATCHBAY_WRITE_DOCS === '1') {
    if (fresh !== text) await writeFile(file, fresh);
  } else assert.equal(text, fresh, 'PATCHBAY_WRITE_DOCS=1 writes the figures anew');
}

function shown(value: string | number): string {
  return typeof value === 'number' ? value.toLocaleString('en') : value;
}
