// Row 13: from the prompt to the first streamed event, with a CLI that is started by the prompt or
// was started before it, and how many processes are left where no panel is open.
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { createConversation } from '../../../src/conversation/createConversation';
import { readOrder } from './meter';
import { childCount } from './children';
import { ourPorts, probeServer } from './ourPorts';
import { watchPipes } from './pipeProbe';

export interface PrewarmReport {
  readonly firstEventMs: number;
  /** Processes before anything was asked for, and after the conversation was closed. */
  readonly unopened: number | undefined;
  readonly closed: number | undefined;
}

const { command, cwd, prewarm } = readOrder();
let submittedAt = 0;
let firstEventMs = 0;
watchPipes({
  replies: false,
  onOutput: (chunk) => {
    if (firstEventMs !== 0 || submittedAt === 0 || !chunk.includes('"stream_event"')) return;
    firstEventMs = performance.now() - submittedAt;
  },
});
const conversation = createConversation(ourPorts({ command, cwd, servers: [probeServer()] }));
const unopened = childCount();
if (prewarm === true) {
  conversation.prewarm();
  await until(() => conversation.snapshot().models.length > 0);
}
submittedAt = performance.now();
conversation.submit(randomUUID(), 'go');
await until(() => firstEventMs > 0);
await until(() => conversation.snapshot().status.kind === 'idle');
await conversation.dispose();
const result: PrewarmReport = { firstEventMs, unopened, closed: childCount() };
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);

function until(condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      // Whoever listens has to take: the next event comes only after that.
      conversation.takePatches();
      if (!condition()) return;
      clearInterval(timer);
      resolve();
    };
    const timer = setInterval(check, 5);
  });
}
