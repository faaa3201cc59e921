import { createReadStream } from 'node:fs';
import { ellipsize } from '../base/cutText';
import { LINE_LIMIT } from './formatLines';
import { markedEncoding, wideDecoder, zeroBytes } from './markedEncoding';
import { RESULT_LIMIT } from './resultBudget';
import { ToolProblem } from './toolProblem';

/** What is read at once: no longer than the event loop may be held for it. */
const PART_BYTES = 1_048_576;
/** A letter takes no more bytes than this. */
const LETTER_BYTES = 4;
const FRAME = 300;
const UTF8_MARK_BYTES = 3;
const NEWLINE = 0x0a;

interface LargeFile {
  readonly path: string;
  readonly file: string;
  readonly bytes: number;
}

/**
 * Lines of a file that is too large for the editor, from the disk, read up to the last line that is
 * shown. As UTF-8, or as its byte-order mark says, whatever `files.encoding` says.
 * @throws ToolProblem for a line past the end, and on Stop
 */
export async function readLargeFile(
  { path, file, bytes }: LargeFile,
  { from, to = Number.MAX_SAFE_INTEGER }: { readonly from: number; readonly to?: number },
  signal: AbortSignal,
): Promise<string> {
  const shown: string[] = [];
  let room = RESULT_LIMIT - FRAME;
  let isCut = false;
  let line = 0;
  for await (const text of linesOf(file, from, signal)) {
    line += 1;
    if (line < from) continue;
    const one = `${line}\t${ellipsize(text.replace(/\r$/u, ''), LINE_LIMIT)}`;
    isCut = shown.length > 0 && one.length + 1 > room;
    if (isCut) break;
    room -= one.length + 1;
    shown.push(one);
    if (line >= to) break;
  }
  if (signal.aborted) throw new ToolProblem('Stopped');
  if (shown.length === 0) {
    throw new ToolProblem(`${path} has ${line} lines; from=${from} is past the end`);
  }
  const last = from + shown.length - 1;
  const size = Math.round(bytes / 1024 / 1024);
  const title = `${path}: lines ${from}-${last} of a file of ${size} MB, from the disk: too large for the editor`;
  return [title, ...shown, ...(isCut ? [`next: from=${last + 1}`] : [])].join('\n');
}

/** All lines in their order; those before `from` are empty, and of a very long one only its start is kept. */
async function* linesOf(file: string, from: number, signal: AbortSignal): AsyncGenerator<string> {
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let line = 1;
  const keep = (part: Buffer): void => {
    const wanted = line < from ? 0 : LINE_LIMIT * LETTER_BYTES - keptBytes;
    if (wanted <= 0) return;
    // A copy: the whole part would be held by a piece of it.
    const piece = Buffer.from(part.subarray(0, wanted));
    kept.push(piece);
    keptBytes += piece.length;
  };
  for await (const part of utf8Of(partsOf(file, signal))) {
    let start = 0;
    for (let end = part.indexOf(NEWLINE); end >= 0; end = part.indexOf(NEWLINE, start)) {
      keep(part.subarray(start, end));
      yield Buffer.concat(kept).toString('utf8');
      kept = [];
      keptBytes = 0;
      line += 1;
      start = end + 1;
    }
    keep(part.subarray(start));
  }
  yield Buffer.concat(kept).toString('utf8');
}

/** Without the byte-order mark; UTF-16, which that mark tells, made UTF-8. */
async function* utf8Of(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true;
  let wide: ReturnType<typeof wideDecoder>;
  for await (const part of parts) {
    const marked = isFirst ? markedEncoding(part) : undefined;
    if (isFirst) wide = wideDecoder(marked ?? zeroBytes(part));
    isFirst = false;
    if (wide) yield Buffer.from(wide.decode(part, { stream: true }));
    else yield marked === undefined ? part : part.subarray(UTF8_MARK_BYTES);
  }
}

/** Ends early on Stop. */
async function* partsOf(file: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const stream = createReadStream(file, { highWaterMark: PART_BYTES });
  try {
    for await (const part of stream) {
      if (signal.aborted) return;
      // Without an encoding a stream gives bytes.
      yield part as Buffer;
    }
  } finally {
    stream.destroy();
  }
}
