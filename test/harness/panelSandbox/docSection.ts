import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from '../paths';

/**
 * Checks that a generated part of a page in docs/ is what it should be, or writes it with
 * PATCHBAY_WRITE_DOCS=1. It stands between `<!-- name -->` and `<!-- /name -->`.
 */
export function checkSection(file: string, name: string, wanted: string): void {
  const path = inRoot(file);
  const text = readFileSync(path, 'utf8');
  const between = new RegExp(`(?<=<!-- ${name} -->\\n)[^]*(?=<!-- /${name} -->)`, 'u');
  assert.match(text, between, `${file} has the marks of ${name}`);
  const whole = text.replace(between, () => `\n${wanted}\n`);
  if (process.env.PATCHBAY_WRITE_DOCS === '1') writeFileSync(path, whole);
  else assert.equal(text, whole, `${file} is written by PATCHBAY_WRITE_DOCS=1`);
}

/** A table of markdown, its columns as wide as the formatter makes them. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, at) => Math.max(3, ...cells.map((row) => (row[at] ?? '').length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - cell.length)).join(' | ')} |`;
  const [first = [], ...others] = cells;
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)]
    .map((one) => `${one}\n`)
    .join('');
}
