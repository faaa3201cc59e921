import { ellipsize } from '../base/cutText';
import { count, linesWithin, linesWithRest, oneLine, RESULT_LIMIT } from './resultBudget';

/** One frame of a stack; lines and columns are 1-based. */
export interface ShownFrame {
  readonly index: number;
  readonly name: string;
  /** `path:line:col`, or the name of a source that is no file. */
  readonly place: string;
  /** Of the runtime, not of the program. */
  readonly isInternal: boolean;
}

export interface ShownThread {
  readonly number: number;
  readonly name: string;
  /** Why it stands; undefined while it runs. */
  readonly stopped: string | undefined;
}

/** What is told of a run that stands still. */
export interface ShownStop {
  readonly session: string;
  readonly type: string;
  readonly reason: string;
  readonly text: string | undefined;
  readonly frame: ShownFrame | undefined;
  /** The source line, without its number. */
  readonly code: string | undefined;
  /** All there are. */
  readonly threads: readonly ShownThread[];
  /** Empty where only the place is told. */
  readonly frames: readonly ShownFrame[];
  readonly totalFrames: number;
  readonly variables: readonly string[];
  readonly output: readonly string[];
  readonly notes: readonly string[];
}

const LISTED = 20;
/** Characters for the lists of threads and of frames, so that room is left for variables. */
const THREAD_ROOM = 900;
const FRAME_ROOM = 1_500;
/** For all but what the tools say below it, and the line for what is left out. */
const ROOM = RESULT_LIMIT - 450;
const MORE_VARIABLES = '… more variables: name one with variable';
const MORE_INSIDE = '… more inside: evaluate a part of it';

/** The place first, then code, threads, stack, variables and output, as far as there is room. */
export function formatStop(stop: ShownStop): string {
  const { frame, code, threads, frames, output, notes } = stop;
  const text = stop.text === undefined ? [] : [` ${oneLine(stop.text, 400)}`];
  const head = [
    describeStop(stop),
    ...text,
    ...(frame && code !== undefined
      ? [` ${lineOf(frame.place)}\t${ellipsize(code.trim(), 160)}`]
      : []),
    ...threadLines(threads),
    ...frameLines(frames, stop.totalFrames),
  ];
  const tail = [...output, ...notes];
  const used = [...head, ...tail].join('\n').length;
  return [...head, ...linesWithRest(stop.variables, ROOM - used, MORE_VARIABLES), ...tail].join(
    '\n',
  );
}

/** A value as it is called, then what is in it, as far as there is room. */
export function formatValue(title: string, inside: readonly string[]): string {
  return [title, ...linesWithRest(inside, ROOM - title.length, MORE_INSIDE)].join('\n');
}

function describeStop({ session, type, reason, frame }: ShownStop): string {
  const place = frame === undefined || frame.place === '' ? '' : ` at ${frame.place}`;
  const where = frame ? `${place} in ${frame.name}` : '';
  return `stopped (${oneLine(reason, 60)})${where} [session "${oneLine(session, 80)}", ${type}]`;
}

function frameLines(frames: readonly ShownFrame[], total: number): readonly string[] {
  if (frames.length === 0) return [];
  const own = frames.filter(({ isInternal }) => !isInternal);
  // A stack of internal frames only is told all the same.
  const lines = (own.length > 0 ? own : frames)
    .slice(0, LISTED)
    .map(({ index, name, place }) => ` ${index} ${name} ${place}`.trimEnd());
  const shown = linesWithin(lines, FRAME_ROOM);
  const left = Math.max(total, frames.length) - shown.length;
  const rest = left > 0 ? ` (${left} internal or deeper ones not listed)` : '';
  return [`stack, ${count(Math.max(total, frames.length), 'frame')}${rest}:`, ...shown];
}

/** One alone needs no list. Those that stand still come first where not all are listed. */
function threadLines(threads: readonly ShownThread[]): readonly string[] {
  if (threads.length <= 1) return [];
  const all = linesWithin(threads.map(threadLine), THREAD_ROOM);
  if (all.length === threads.length && all.length <= LISTED) return ['threads:', ...all];
  const order = [...threads].sort(
    (a, b) => Number(a.stopped === undefined) - Number(b.stopped === undefined),
  );
  const shown = linesWithin(order.slice(0, LISTED).map(threadLine), THREAD_ROOM);
  return [`threads, ${shown.length} of ${threads.length}, stopped ones first:`, ...shown];
}

function threadLine({ number, name, stopped }: ShownThread): string {
  const state = stopped === undefined ? 'running' : `stopped (${oneLine(stopped, 60)})`;
  return ` ${number} ${oneLine(name, 80)}: ${state}`;
}

function lineOf(place: string): string {
  return /:(\d+)(?::\d+)?$/u.exec(place)?.[1] ?? '';
}
