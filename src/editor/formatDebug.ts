import { ellipsize } from '../base/cutText';
import { count, linesWithRest, oneLine, RESULT_LIMIT } from './resultBudget';

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
  readonly threads: readonly ShownThread[];
  /** Empty where only the place is told. */
  readonly frames: readonly ShownFrame[];
  readonly totalFrames: number;
  readonly variables: readonly string[];
  readonly output: readonly string[];
  readonly notes: readonly string[];
}

const FRAMES = 20;
/** Room for all but variables. */
const MORE_VARIABLES = '… more variables: name one with variable';
const FRAME_ROOM = 1_600;

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
    ...(threads.length > 1 ? ['threads:', ...threads.map(threadLine)] : []),
    ...frameLines(frames, stop.totalFrames),
  ];
  const tail = [...output, ...notes];
  const used = [...head, ...tail].join('\n').length;
  return [
    ...head,
    ...linesWithRest(stop.variables, RESULT_LIMIT - FRAME_ROOM / 4 - used, MORE_VARIABLES),
    ...tail,
  ].join('\n');
}

function describeStop({ session, type, reason, frame }: ShownStop): string {
  const where = frame ? ` at ${frame.place} in ${frame.name}` : '';
  return `stopped (${oneLine(reason, 60)})${where} [session "${oneLine(session, 80)}", ${type}]`;
}

function frameLines(frames: readonly ShownFrame[], total: number): readonly string[] {
  if (frames.length === 0) return [];
  const own = frames.filter(({ isInternal }) => !isInternal);
  // A stack of internal frames only is told all the same.
  const shown = (own.length > 0 ? own : frames).slice(0, FRAMES);
  const left = Math.max(total, frames.length) - shown.length;
  const rest = left > 0 ? ` (${left} internal or deeper ones not listed)` : '';
  return [
    `stack, ${count(Math.max(total, frames.length), 'frame')}${rest}:`,
    ...shown.map(({ index, name, place }) => ` ${index} ${name} ${place}`),
  ];
}

function threadLine({ number, name, stopped }: ShownThread): string {
  const state = stopped === undefined ? 'running' : `stopped (${oneLine(stopped, 60)})`;
  return ` ${number} ${oneLine(name, 80)}: ${state}`;
}

function lineOf(place: string): string {
  return /:(\d+)(?::\d+)?$/u.exec(place)?.[1] ?? '';
}
