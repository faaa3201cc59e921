// The peer: the official agent SDK with an in-process server of its own making.
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { createDeferred } from '../../../src/base/deferred';
import { SERVER, TOOL } from '../workload';
import { Frame } from './frame';
import { readOrder, report, Sink, sinceStart, startMeter } from './meter';
import { watchPipes } from './pipeProbe';

const { workload, command, cwd, startOnly } = readOrder();
watchPipes({ replies: workload.kind === 'calls' && !workload.atOnce });
const sink = new Sink(workload.kind === 'deltas' || workload.kind === 'real');
const frame = new Frame((message) => sink.post(message));
let next = createDeferred<boolean>();

async function* prompts() {
  for (;;) {
    const goesOn = await next.promise;
    if (!goesOn) return;
    next = createDeferred<boolean>();
    yield {
      type: 'user' as const,
      message: { role: 'user' as const, content: 'go' },
      parent_tool_use_id: null,
      session_id: '',
      uuid: randomUUID(),
    };
  }
}

const ping = tool(TOOL, 'Answers.', { i: z.number() }, ({ i }) =>
  Promise.resolve({ content: [{ type: 'text' as const, text: `pong ${i}` }] }),
);
const running = query({
  prompt: prompts(),
  options: {
    pathToClaudeCodeExecutable: command,
    cwd,
    env: process.env,
    includePartialMessages: true,
    settingSources: [],
    mcpServers: { [SERVER]: createSdkMcpServer({ name: SERVER, tools: [ping] }) },
  },
});
await running.initializationResult();
const startMs = sinceStart();
if (startOnly === true) {
  report({ startMs });
  process.exit(0);
}
await new Promise((resolve) => setTimeout(resolve, 50));
const meter = startMeter(startMs);
next.resolve(true);
let turns = 0;
for await (const message of running) {
  if (message.type === 'stream_event') {
    const { event } = message;
    if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') {
      frame.text(event.delta.text);
    }
  } else if (message.type === 'user') {
    const part: unknown = message.message.content[0];
    frame.add(JSON.stringify(part).slice(0, 20_000));
  } else if (message.type === 'result') {
    frame.result({ cost: message.total_cost_usd });
    turns += 1;
    if (workload.kind === 'turns' && turns < workload.count) next.resolve(true);
    else frame.onResult = finish;
  }
}

function finish(): void {
  report(meter.stop(sink, () => frame.posted));
  next.resolve(false);
}
