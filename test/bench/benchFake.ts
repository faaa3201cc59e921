// The CLI of the bench: a real process on the wire whose turns are built before they are timed, so
// that the host is what is measured. The workload comes as JSON in BENCH_WORKLOAD.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import {
  assistantLine,
  callLine,
  cardLine,
  deltaLine,
  initLine,
  line,
  mcpLine,
  messageStart,
  messageStop,
  resultLine,
  toolResultLine,
} from './fakeLines';
import { DELTA_PERIOD, deltaText, paragraphText, wholeText, type Workload } from './workload';

interface HostLine {
  readonly type: string;
  readonly uuid?: string;
  readonly request_id?: string;
  readonly request?: { readonly subtype: string; readonly sdkMcpServerManifests?: object };
  readonly response?: { readonly request_id: string };
}

// Written by the runner in this shape.
const workload = JSON.parse(process.env.BENCH_WORKLOAD ?? '{"kind":"real"}') as Workload;
const waiting = new Map<string, () => void>();
/** When each call was written that waits for its answer, and how long the others took. */
const asked = new Map<string, number>();
const answerMs: number[] = [];
let handshake: Promise<unknown> = Promise.resolve();
/** Built on the first prompt's eve: what of a turn is the same each time. */
const parts = build();

if (process.argv.includes('--version')) {
  process.stdout.write('2.1.332 (Claude Code)\n');
  process.exit(0);
}

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk: string) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  for (const one of lines) receive(one);
});
process.stdin.on('end', () => process.exit(0));

function receive(text: string): void {
  // Nearly all that comes are answers to calls: found without parsing the whole.
  if (text.startsWith('{"type":"control_response"')) {
    const id = /"request_id":"([^"]+)"/.exec(text)?.[1] ?? '';
    const resume = waiting.get(id);
    waiting.delete(id);
    const began = asked.get(id);
    if (began !== undefined) answerMs.push(performance.now() - began);
    asked.delete(id);
    resume?.();
    return;
  }
  const message = JSON.parse(text) as HostLine;
  if (message.type === 'control_request') answer(message);
  else if (message.type === 'user') void handshake.then(() => turn(message.uuid));
}

function answer({ request_id: id, request }: HostLine): void {
  const manifests = request?.sdkMcpServerManifests;
  const body = {
    commands: [{ name: 'compact', description: 'Compact', argumentHint: '' }],
    agents: [],
    output_style: 'default',
    available_output_styles: ['default'],
    models: [{ value: 'default', displayName: 'Default', description: 'Scripted' }],
    account: { tokenSource: 'none', apiKeySource: 'ANTHROPIC_API_KEY' },
    pid: process.pid,
    claude_code_version: '2.1.332',
    current_permission_mode: 'default',
    ...(manifests === undefined ? {} : { sdk_mcp_manifests_parked: { probe: 'parked' } }),
  };
  const response = { subtype: 'success', request_id: id, response: body };
  process.stdout.write(line({ type: 'control_response', response }));
  if (request?.subtype === 'initialize' && manifests === undefined) handshake = shakeHands();
}

async function shakeHands(): Promise<void> {
  const clientInfo = { name: 'claude-code', version: '2.1.332' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  await ask('shake-0', mcpLine('shake-0', { jsonrpc: '2.0', id: 0, method: 'initialize', params }));
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
  await ask('shake-1', mcpLine('shake-1', initialized));
  await ask('shake-2', mcpLine('shake-2', { jsonrpc: '2.0', id: 1, method: 'tools/list' }));
}

function ask(id: string, text: string): Promise<void> {
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    if (id.startsWith('call-')) asked.set(id, performance.now());
    process.stdout.write(text);
  });
}

interface Parts {
  /** Each a list of lines. */
  readonly blocks: readonly (readonly Buffer[])[];
  readonly last: Buffer;
  readonly calls: readonly string[];
}

function build(): Parts {
  if (workload.kind === 'deltas') {
    const piece = workload.perSecond === undefined ? deltaText : paragraphText;
    const period = Array.from({ length: DELTA_PERIOD }, (_, i) => deltaLine('msg_1', piece(i)));
    const whole = period.map((one) => Buffer.from(one));
    const left = period.slice(0, workload.count % DELTA_PERIOD).join('');
    const count = Math.floor(workload.count / DELTA_PERIOD);
    const text = wholeText(workload.count, piece);
    const end =
      left + assistantLine('msg_1', { type: 'text', text }) + messageStop('msg_1') + resultLine();
    return {
      blocks: Array.from({ length: count }, () => whole),
      last: Buffer.from(end),
      calls: Array.from({ length: workload.calls ?? 0 }, (_, i) => callLine(i)),
    };
  }
  if (workload.kind === 'big') {
    const call = { type: 'tool_use', id: 'toolu_big', name: 'Read', input: { file_path: '/ws/a' } };
    const text = 'A line of a long file, "quoted".\n'.repeat(Math.ceil(workload.bytes / 36));
    const end = assistantLine('msg_1', call) + toolResultLine('toolu_big', text) + resultLine();
    return { blocks: [], last: Buffer.from(end), calls: [] };
  }
  const calls =
    workload.kind === 'calls' ? Array.from({ length: workload.count }, (_, i) => callLine(i)) : [];
  return { blocks: [], last: Buffer.from(resultLine()), calls };
}

let turns = 0;

async function turn(uuid: string | undefined): Promise<void> {
  turns += 1;
  if (workload.kind === 'turns') {
    process.stdout.write(shortTurn(`msg_${turns}`, uuid));
    return;
  }
  process.stdout.write(lifecycle(uuid, 'started') + initLine() + messageStart('msg_1'));
  if (workload.kind === 'calls') await playCalls(workload.atOnce);
  if (workload.kind === 'cards') await playCards(workload.count, workload.atOnce);
  // One by one, as the CLI writes them: of whole blocks a host would read full buffers only.
  const lines = parts.blocks.flat();
  const inStream = workload.kind === 'deltas' ? parts.calls : [];
  const between = Math.floor(lines.length / Math.max(1, inStream.length));
  const answered: Promise<void>[] = [];
  const start = performance.now();
  for (const [at, one] of lines.entries()) {
    if (workload.kind === 'deltas' && workload.perSecond !== undefined) {
      const early = start + (at * 1000) / workload.perSecond - performance.now();
      // A timer takes a millisecond or more: so some at once, and the rate stays.
      if (early > 5) await new Promise((resolve) => setTimeout(resolve, early));
    }
    const call = at % between === 0 ? inStream[at / between] : undefined;
    if (call !== undefined) answered.push(ask(`call-${at / between}`, call));
    if (!process.stdout.write(one)) {
      await new Promise<void>((resolve) => process.stdout.once('drain', resolve));
    }
  }
  await Promise.all(answered);
  tellAnswerTimes();
  process.stdout.write(parts.last);
  process.stdout.write(lifecycle(uuid, 'completed'));
}

/** Where the runner wants them: the host has no part in this. */
function tellAnswerTimes(): void {
  const file = process.env.BENCH_ANSWER_TIMES;
  if (file !== undefined) writeFileSync(file, JSON.stringify(answerMs));
}

async function playCalls(atOnce: boolean): Promise<void> {
  if (!atOnce) {
    for (const [i, text] of parts.calls.entries()) await ask(`call-${i}`, text);
    return;
  }
  const all = parts.calls.map(
    (_, i) => new Promise<void>((resolve) => waiting.set(`call-${i}`, resolve)),
  );
  process.stdout.write(parts.calls.join(''));
  await Promise.all(all);
}

/** Each built when it is written, since it tells when that is. */
async function playCards(count: number, atOnce: boolean): Promise<void> {
  const answered: Promise<void>[] = [];
  for (let i = 0; i < count; i += 1) {
    const id = `card-${i}@${performance.timeOrigin + performance.now()}`;
    const answer = ask(id, cardLine(i, id));
    if (atOnce) answered.push(answer);
    else await answer;
  }
  await Promise.all(answered);
}

/** Ten pieces of text, the whole message, the result. */
function shortTurn(id: string, uuid: string | undefined): string {
  const texts = Array.from({ length: 10 }, (_, i) => deltaText(i));
  return (
    lifecycle(uuid, 'queued') +
    lifecycle(uuid, 'started') +
    initLine() +
    messageStart(id) +
    texts.map((text) => deltaLine(id, text)).join('') +
    assistantLine(id, { type: 'text', text: texts.join('') }) +
    messageStop(id) +
    resultLine() +
    lifecycle(uuid, 'completed')
  );
}

function lifecycle(uuid: string | undefined, state: string): string {
  if (uuid === undefined) return '';
  const message = { type: 'command_lifecycle', command_uuid: uuid, state };
  return line({ ...message, uuid: randomUUID(), session_id: '' });
}
