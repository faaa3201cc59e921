// Patchbay itself without the editor: the conversation, the router, the model of the chat and the
// pump that brings it to a view, put together as the product does.
import { applyPatch, type Patch } from '../../../src/chat/patchProtocol';
import type { HostMessage } from '../../../src/chat/viewProtocol';
import type { ViewState } from '../../../src/chat/viewStateProtocol';
import type { Conversation } from '../../../src/conversation/conversationPorts';
import { createConversation } from '../../../src/conversation/createConversation';
import { ViewPump } from '../../../src/conversation/viewPump';
import { pumpClock } from '../../../src/host/pumpClock';
import type { OfferedServer } from '../../../src/mcp/registry';
import { readOrder, report, Sink, sinceStart, startMeter, type Meter } from './meter';
import { ourPorts } from './ourPorts';
import { watchPipes } from './pipeProbe';

/** Prompts that wait at a time, so that no turn has to wait for the next frame. */
const WAITING = 40;

const { workload, command, cwd, startOnly } = readOrder();
const count = workload.kind === 'turns' ? workload.count : 1;
let startMs = 0;
watchPipes({
  replies: workload.kind === 'calls' && !workload.atOnce,
  onOutput: startOnly === true ? noteAnswer : undefined,
});

const sink = new Sink(workload.kind === 'deltas' || workload.kind === 'real');
const pump = new ViewPump({
  clock: pumpClock,
  draft: () => '',
  l10n: () => undefined,
  onError: (error) => {
    throw error;
  },
});
let meter: Meter | undefined;
let before: ViewState | undefined;
let isReady = false;
let submitted = 0;
let waiting = 0;

let conversation: Conversation;

/** Runs the order with these servers, and ends the process. */
export function runOurs(servers: readonly OfferedServer[]): void {
  conversation = createConversation(ourPorts({ command, cwd, servers }));
  const view = pump.attach({ post: take }, true);
  pump.setSource(conversation);
  view.ready();
  conversation.prewarm();
}

/** The frame comes up to 16 ms later, and a start is counted to the answer. */
function noteAnswer(chunk: Buffer): void {
  if (chunk.includes('control_response')) setImmediate(() => (startMs = sinceStart()));
}

function take(message: HostMessage): Promise<boolean> {
  if (meter !== undefined) sink.post(message);
  if (message.type === 'patches') for (const patch of message.patches) see(patch);
  if (message.type === 'snapshot' && message.state.models.length > 0) ready();
  return Promise.resolve(true);
}

function see(patch: Patch): void {
  if (patch.op !== 'set') return;
  const { models, queue, status } = patch.fields;
  if (models !== undefined) ready();
  if (meter === undefined) return;
  if (queue !== undefined) {
    waiting = queue.length;
    fill();
  }
  if (status?.kind === 'idle' && submitted === count && waiting === 0) finish(meter);
}

function ready(): void {
  if (isReady) return;
  isReady = true;
  if (startOnly === true) {
    report({ startMs });
    void conversation.dispose().then(() => process.exit(0));
    return;
  }
  // What the start left to be collected is not the turn's.
  setTimeout(() => {
    before = conversation.snapshot();
    meter = startMeter(startMs);
    fill();
  }, 50);
}

function fill(): void {
  for (; waiting < WAITING && submitted < count; waiting += 1) {
    submitted += 1;
    conversation.submit(`prompt-${submitted}`, 'go');
  }
  // The only one does not wait.
  if (count === 1) waiting = 0;
}

function finish(measuring: Meter): void {
  report(measuring.stop(sink, () => postedText()));
  meter = undefined;
  void conversation.dispose().then(() => process.exit(0));
}

/** The text as the view has it: rebuilt from what was posted. */
function postedText(): string {
  if (before === undefined) return '';
  for (const text of sink.kept) {
    // Written by the sink.
    const message = JSON.parse(text) as HostMessage;
    if (message.type === 'patches') for (const patch of message.patches) applyPatch(before, patch);
  }
  return before.items
    .flatMap((item) => (item.kind === 'assistant' ? item.blocks : []))
    .map((block) => (block.kind === 'text' ? block.text : ''))
    .join('');
}
