import { exportMarkdown } from '../../chat/conversationExport';
import type { TranscriptItem } from '../../chat/viewStateProtocol';
import { type AnswerCount, AnswerCheck } from './answerCheck';
import { createChunker } from './chunks';
import { pairRecords, type RecordPairs, requestName } from './pairRecords';
import { recordBatches } from './recordBatches';
import { refuseRedacted } from './refuseRedacted';
import { ReplayedWire } from './replayedWire';
import type { WireRecord, WireRecording } from './wireFile';

export interface ReplayOptions {
  /** Cuts the bytes as a pipe might, always the same for a seed. */
  readonly chunkSeed?: number | undefined;
}

/** What a file became when it was played. */
export interface ReplayReport {
  readonly frames: number;
  readonly cli: string | undefined;
  /** The conversation as markdown. */
  readonly transcript: string;
  readonly tools: readonly { readonly name: string; readonly state: string }[];
  /** Requests that somebody still waits for at the end of the file. */
  readonly unanswered: readonly string[];
  readonly answers: AnswerCount;
  readonly noise: number;
  readonly lost: number;
  /** Frames that a room could not take, and what else should not be. */
  readonly errors: readonly string[];
}

/** Whether the code does with the file what it did then. */
export function isAsRecorded({ answers, errors }: ReplayReport): boolean {
  return answers.different.length === 0 && errors.length === 0;
}

/**
 * Plays a file against framing, control channel, router and reducer, without a CLI.
 * @throws RedactedFileError where something that is played was left out of it
 */
export async function replay(
  recording: WireRecording,
  { chunkSeed }: ReplayOptions = {},
): Promise<ReplayReport> {
  const { records, header } = recording;
  refuseRedacted(records);
  const pairs = pairRecords(records);
  const check = new AnswerCheck();
  const wire = new ReplayedWire({
    pairs,
    check,
    folder: folderOf(records),
    chunk: chunkSeed === undefined ? (bytes) => [bytes] : createChunker(chunkSeed),
  });
  for (const batch of recordBatches(records)) await wire.play(batch);
  await wire.end();
  check.finish(pairs);
  const { items } = wire.view;
  return {
    frames: records.length,
    cli: header?.cli,
    transcript: exportMarkdown(items),
    tools: toolsOf(items),
    unanswered: unansweredOf(pairs),
    answers: check.count,
    noise: wire.noise,
    lost: records.filter(({ what }) => what === 'lost').length,
    errors: wire.errors,
  };
}

/** Paths are shown as they were in the panel: relative to the folder of the conversation. */
function folderOf(records: readonly WireRecord[]): string | undefined {
  for (const record of records) {
    if (record.what !== 'frame' || record.frame.subtype !== 'init') continue;
    if (typeof record.frame.cwd === 'string') return record.frame.cwd;
  }
  return undefined;
}

function toolsOf(items: readonly TranscriptItem[]): ReplayReport['tools'] {
  return items
    .flatMap((item) => (item.kind === 'assistant' ? item.blocks : []))
    .flatMap((block) => (block.kind === 'tool' ? [{ name: block.name, state: block.state }] : []));
}

function unansweredOf({ requests }: RecordPairs): string[] {
  return requests
    .filter(({ answer, isOver }) => answer === undefined && !isOver)
    .map(({ request, id }) => {
      const whose = request.dir === 'in' ? 'of the CLI' : 'of ours';
      return `line ${request.line}: ${requestName(request)} ${whose}, request ${id}`;
    });
}
