// Rows 22 to 24: the editor's tools inside VS Code's extension host, which calls `run`.
import { writeFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as vscode from 'vscode';
import type { EditorRoom } from '../../host/editorRoom';
import { leastOfCrowd } from './crowdFloor';
import { crowdCall, type EditorCall, sampleCalls } from './editorCalls';
import { type Asked, EditorClock } from './editorClock';
import type { CallReport, EditorReport } from './editorReport';
import { HeapCollections } from './heapCollections';
import { openRoom } from './measuredRoom';

const CALLS = 20;
const CROWD_CALLS = 5;
/** As in the other rows; the histogram counts this time in. */
const RESOLUTION_MS = 5;
const LISTS = 1_000;
/** What starts with a window, its language servers among it, is not what a call costs. */
const SETTLE_MS = 15_000;

export async function run(): Promise<void> {
  const clock = new EditorClock();
  const room = await openRoom(clock);
  const measure = async (
    call: EditorCall,
    times: number,
    least?: () => Promise<unknown>,
  ): Promise<CallReport> => {
    console.log(`${call.tool} ${JSON.stringify(call.input)}`);
    return measureCall({ room, clock, call, times, least });
  };
  const sample: CallReport[] = [];
  const calls = await sampleCalls(room);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  for (const call of calls) sample.push(await measure(call, CALLS));
  const report: EditorReport = {
    sample,
    crowd: await measure(await crowdCall(), CROWD_CALLS, leastOfCrowd),
    // Last: it leaves the engine in another state than it has by itself.
    collectionMs: HeapCollections.longestNow(),
    schemasAgain: schemasAgain(room),
    tools: room.servers.flatMap((server) => server.tools()).length,
    vscodeVersion: vscode.version,
  };
  room.dispose();
  await writeFile(process.env.BENCH_REPORT ?? '', JSON.stringify(report));
}

interface Measured {
  readonly room: EditorRoom;
  readonly clock: EditorClock;
  readonly call: EditorCall;
  /** Calls in one round. */
  readonly times: number;
  /** The least that can be done with the same answer of the editor. */
  readonly least: (() => Promise<unknown>) | undefined;
}

/** In each round so many calls, and as often the same questions to the editor without us. */
async function measureCall({ room, clock, call, times, least }: Measured): Promise<CallReport> {
  // In front of the clock: what is woken and compiled by a first call is so for all that follow.
  const answer = await answerTo(room, call);
  const rounds: Round[] = [];
  for (let round = 0; round < Number(process.env.BENCH_ROUNDS); round += 1) {
    const shareMs: number[] = [];
    const wholeMs: number[] = [];
    const ownStallMs: number[] = [];
    let asked: readonly Asked[] = [];
    const ours = async (): Promise<void> => {
      const ownStall = await clock.longestOwnStall(async () => {
        const measured = await clock.measure(() => answerTo(room, call));
        shareMs.push(measured.shareMs);
        wholeMs.push(measured.wholeMs);
        asked = measured.asked;
      });
      ownStallMs.push(ownStall);
    };
    const loopMs = await longestStall(ours, times);
    const bareLoopMs = await longestStall(() => clock.repeat(asked), times);
    const leastMs: number[] = [];
    const leastStallMs: number[] = [];
    for (let at = 0; least !== undefined && at < times; at += 1) {
      const ownStall = await clock.longestOwnStall(async () => {
        leastMs.push((await clock.measure(least)).shareMs);
      });
      leastStallMs.push(ownStall);
    }
    rounds.push({ shareMs, wholeMs, leastMs, leastStallMs, loopMs, ownStallMs, bareLoopMs });
  }
  return {
    tool: call.tool,
    answer,
    shareMs: rounds.map(({ shareMs }) => shareMs),
    wholeMs: rounds.map(({ wholeMs }) => wholeMs),
    leastMs: rounds.map(({ leastMs }) => leastMs),
    loopMs: rounds.map(({ loopMs }) => loopMs),
    ownStallMs: rounds.map(({ ownStallMs }) => Math.max(...ownStallMs)),
    leastStallMs: rounds.flatMap(({ leastStallMs }) => leastStallMs),
    bareLoopMs: rounds.map(({ bareLoopMs }) => bareLoopMs),
  };
}

interface Round {
  readonly shareMs: readonly number[];
  readonly wholeMs: readonly number[];
  readonly leastMs: readonly number[];
  readonly leastStallMs: readonly number[];
  readonly loopMs: number;
  readonly ownStallMs: readonly number[];
  readonly bareLoopMs: number;
}

/** In a conversation of its own, in which nothing was told before. */
async function answerTo(room: EditorRoom, { tool, input }: EditorCall): Promise<string> {
  room.newConversation();
  const { text, isError } = await room.call(tool, input);
  if (isError) throw new Error(`${tool}: ${text}`);
  return text;
}

/** How long the event loop stood still at most, in milliseconds. */
async function longestStall(work: () => Promise<void>, times: number): Promise<number> {
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  loop.enable();
  for (let index = 0; index < times; index += 1) await work();
  // A stall is noted by the timer behind it.
  await new Promise((resolve) => setTimeout(resolve, 4 * RESOLUTION_MS));
  loop.disable();
  return Math.max(0, loop.max / 1e6 - RESOLUTION_MS);
}

/** How many input schemas are not the same object in each of many lists. */
function schemasAgain({ servers }: EditorRoom): number {
  const list = (): readonly object[] =>
    servers.flatMap((server) => server.tools().map(({ inputSchema }) => inputSchema));
  const first = list();
  let made = 0;
  for (let index = 0; index < LISTS; index += 1) {
    made += list().filter((schema, at) => schema !== first[at]).length;
  }
  return made;
}
