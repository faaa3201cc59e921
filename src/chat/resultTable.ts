import { isJsonObject } from '../protocol/lazySchema';
import { oneLine } from './boundedText';
import type { ResultTable } from './toolPartsProtocol';
import { visibleText } from './visibleText';

/** Longer texts are not looked into: that costs more than a table is worth. */
const TEXT_LIMIT = 400_000;
const MAX_COLUMNS = 12;
const MAX_ROWS = 100;
const CELL_LIMIT = 160;

/** A text that is a JSON list of flat records, as a table; undefined for every other. */
export function resultTable(text: string): ResultTable | undefined {
  if (text.length > TEXT_LIMIT || !/^\s*\[\s*\{/.test(text)) return undefined;
  const list = tryParse(text);
  if (!Array.isArray(list)) return undefined;
  const records = list.filter(isJsonObject);
  if (records.length !== list.length) return undefined;
  const columns = columnsOf(records);
  if (columns === undefined) return undefined;
  const rows = records
    .slice(0, MAX_ROWS)
    .map((record) => columns.map((column) => cell(record[column])));
  const moreRows = records.length - rows.length;
  return { columns: columns.map(shown), rows, ...(moreRows > 0 ? { moreRows } : {}) };
}

/** Of records that are no rows (many fields, lists and records inside) undefined. */
function columnsOf(records: readonly Record<string, unknown>[]): readonly string[] | undefined {
  const columns = new Set<string>();
  for (const record of records) {
    for (const [key, value] of Object.entries(record)) {
      columns.add(key);
      if (columns.size > MAX_COLUMNS || (typeof value === 'object' && value !== null)) {
        return undefined;
      }
      // Such as an id of 64 bits, which is another one by now: the text has it as it came.
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) return undefined;
    }
  }
  return columns.size === 0 ? undefined : [...columns];
}

function cell(value: unknown): string {
  if (typeof value === 'string') return shown(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function shown(text: string): string {
  return visibleText(oneLine(text, CELL_LIMIT));
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
