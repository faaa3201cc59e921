import type { BenchRow } from './benchRow';

const HEAD = ['#', 'workload', 'metric', 'ours', 'floor', 'SDK', '÷ floor', 'SDK ÷', 'goal', ''];

/** The rows as a table in Markdown, which can be read as it is. */
export function printRows(rows: readonly BenchRow[]): string {
  const cells = rows.map((row) => [
    row.id,
    row.workload,
    row.metric,
    figure(row.ours),
    figure(row.floor ?? row.yardstick),
    figure(row.peer),
    figure(row.ratioFloor),
    figure(row.ratioPeer),
    row.goal,
    verdict(row),
  ]);
  const widths = HEAD.map((title, column) =>
    Math.max(title.length, ...cells.map((one) => one[column]?.length ?? 0)),
  );
  const line = (one: readonly string[]): string =>
    `| ${one.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(HEAD), rule, ...cells.map(line)].join('\n');
}

function verdict({ state, yardstick, peer }: BenchRow): string {
  if (state !== 'void') return state;
  if (peer === null) return 'void: the yardstick is over the goal';
  return yardstick === null ? 'void' : `void: SDK ÷ floor ${figure(yardstick)}`;
}

function figure(value: number | null): string {
  if (value === null || Number.isNaN(value)) return '';
  if (Number.isInteger(value)) return value.toLocaleString('en');
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
