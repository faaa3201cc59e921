// The least that a host can do: cut at newlines, JSON.parse, one table, no checks of anything.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { SERVER, TOOL } from '../workload';
import { Frame } from './frame';
import { readOrder, report, Sink, sinceStart, startMeter, type Meter } from './meter';
import { watchPipes } from './pipeProbe';

/** Whatever the CLI sends: the floor believes all of it. */
interface Line {
  readonly type: string;
  readonly request_id: string;
  readonly request: { readonly subtype: string; readonly message: Rpc };
  readonly event: { readonly type: string; readonly delta: { readonly text?: string } };
  readonly message: { readonly content: readonly { readonly content?: string }[] };
  readonly total_cost_usd: number;
}

interface Rpc {
  readonly id?: number;
  readonly method: string;
  readonly params: { readonly name: string; readonly arguments: { readonly i: number } };
}

const { workload, command, cwd, startOnly } = readOrder();
const isSequence = workload.kind === 'calls' && !workload.atOnce;
watchPipes({ replies: isSequence });
const sink = new Sink(workload.kind === 'deltas' || workload.kind === 'real');
const frame = new Frame((message) => sink.post(message));

const args = ['--output-format', 'stream-json', '--input-format', 'stream-json', '--verbose'];
args.push('--include-partial-messages', '--permission-prompt-tool', 'stdio');
const child = spawn(command, args, { cwd, stdio: ['pipe', 'pipe', 'inherit'] });

const send = (message: object): void => {
  child.stdin.write(`${JSON.stringify(message)}\n`);
};

const methods: Record<string, (rpc: Rpc) => object> = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: SERVER, version: '1.0.0' },
  }),
  'notifications/initialized': () => ({}),
  'tools/list': () => ({
    tools: [{ name: TOOL, description: 'Answers.', inputSchema: { type: 'object' } }],
  }),
  'tools/call': ({ params }) => ({
    content: [{ type: 'text', text: `pong ${params.arguments.i}` }],
  }),
};

let meter: Meter | undefined;
let turns = 0;
let startMs = 0;

const table: Record<string, (line: Line) => void> = {
  stream_event: ({ event }) => {
    if (event.type !== 'content_block_delta') return;
    if (event.delta.text !== undefined) frame.text(event.delta.text);
  },
  // As much of a result as Patchbay keeps for its card.
  user: ({ message }) => frame.add(message.content[0]?.content?.slice(0, 20_000)),
  control_request: ({ request_id: id, request }) => {
    const { message } = request;
    const result = methods[message.method]?.(message);
    const response = { mcp_response: { jsonrpc: '2.0', id: message.id ?? 0, result } };
    send({
      type: 'control_response',
      response: { subtype: 'success', request_id: id, response },
    });
  },
  control_response: () => initialized(),
  result: ({ total_cost_usd: cost }) => {
    frame.result({ cost });
    turns += 1;
    if (workload.kind === 'turns' && turns < workload.count) prompt();
    else frame.onResult = finish;
  },
};

/** Pieces of a line that is not whole yet: joined once, or a long line would be read again and again. */
let pieces: string[] = [];
child.stdout.setEncoding('utf8');
child.stdout.on('data', (chunk: string) => {
  let from = 0;
  for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', from)) {
    let text = chunk.slice(from, at);
    if (pieces.length > 0) {
      pieces.push(text);
      text = pieces.join('');
      pieces = [];
    }
    // Believed.
    const line = JSON.parse(text) as Line;
    table[line.type]?.(line);
    from = at + 1;
  }
  if (from < chunk.length) pieces.push(chunk.slice(from));
});

send({
  type: 'control_request',
  request_id: 'init',
  request: { subtype: 'initialize', sdkMcpServers: [SERVER] },
});

function initialized(): void {
  startMs = sinceStart();
  if (startOnly === true) {
    report({ startMs });
    end();
    return;
  }
  // What the start left to be collected is not the turn's.
  setTimeout(() => {
    meter = startMeter(startMs);
    prompt();
  }, 50);
}

function prompt(): void {
  send({
    type: 'user',
    message: { role: 'user', content: 'go' },
    parent_tool_use_id: null,
    session_id: '',
    uuid: randomUUID(),
  });
}

function finish(): void {
  if (meter !== undefined) report(meter.stop(sink, () => frame.posted));
  end();
}

function end(): void {
  child.once('exit', () => process.exit(0));
  child.stdin.end();
}
