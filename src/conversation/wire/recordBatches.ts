import type { WireFrame, WireNoise, WireRecord } from './wireFile';

/** What can be played together: lines of the CLI that come one after the other, or one other thing. */
export type RecordBatch = readonly (WireFrame | WireNoise)[] | Exclude<WireRecord, WireNoise>;

/** Lines that are handed to the framer at once. */
const MAX_TOGETHER = 500;

/** In order. */
export function* recordBatches(records: readonly WireRecord[]): Generator<RecordBatch> {
  let lines: (WireFrame | WireNoise)[] = [];
  for (const record of records) {
    const isLine = record.what === 'frame' || record.what === 'noise';
    if (isLine && record.dir === 'in') lines.push(record);
    if (lines.length > 0 && (!isLine || record.dir === 'out' || lines.length >= MAX_TOGETHER)) {
      yield lines;
      lines = [];
    }
    if (record.what !== 'noise' && (!isLine || record.dir === 'out')) yield record;
  }
  if (lines.length > 0) yield lines;
}
