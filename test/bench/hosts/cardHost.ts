// Row 20: how long a permission request takes until its card is posted, by the clock of the machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import type { HostMessage } from '../../../src/chat/viewProtocol';
import { createConversation } from '../../../src/conversation/createConversation';
import { ViewPump } from '../../../src/conversation/viewPump';
import { pumpClock } from '../../../src/host/pumpClock';
import { worst } from '../statistics';
import { readOrder, Sink } from './meter';
import { ourPorts } from './ourPorts';

export interface CardReport {
  /** The longest from a request being written to the message that holds its card being posted. */
  readonly worstMs: number;
  /** The same for a bare reader that only parses the line: what pipe and machine take. */
  readonly plainMs: number;
  readonly cards: number;
}

const { command, cwd, workload } = readOrder();
const count = workload.kind === 'cards' ? workload.count : 0;
const now = (): number => performance.timeOrigin + performance.now();

const plainMs = worst(await readPlainly());
const times = await runOurs();
const report: CardReport = { worstMs: worst(times), plainMs, cards: times.length };
process.stdout.write(`${JSON.stringify(report)}\n`);
process.exit(0);

/** Answers each request as soon as its line is parsed. */
async function readPlainly(): Promise<number[]> {
  const child = spawn(command, [], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  const found: number[] = [];
  const send = (message: object): boolean => child.stdin.write(`${JSON.stringify(message)}\n`);
  send({ type: 'user', uuid: 'u', message: { role: 'user', content: 'go' } });
  for await (const line of createInterface({ input: child.stdout })) {
    // Written by the fake in this shape.
    const { type, request_id } = JSON.parse(line) as FakeLine;
    if (type === 'result') break;
    if (type !== 'control_request') continue;
    found.push(sinceWritten(request_id));
    send({
      type: 'control_response',
      response: { subtype: 'success', request_id, response: { behavior: 'deny', message: 'no' } },
    });
  }
  const closed = once(child, 'close');
  child.stdin.end();
  await closed;
  return found;
}

interface FakeLine {
  readonly type: string;
  readonly request_id?: string;
}

/** Milliseconds; the id of a request tells when it was written. */
function sinceWritten(id = ''): number {
  return now() - Number(id.split('@')[1]);
}

/** Each card is refused once it is posted, as by a person with no time at all. */
async function runOurs(): Promise<number[]> {
  const conversation = createConversation(ourPorts({ command, cwd, servers: [] }));
  const sink = new Sink(false);
  const seen = new Set<string>();
  const found: number[] = [];
  let finish: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (finish = resolve));
  const take = (message: HostMessage): Promise<boolean> => {
    sink.post(message);
    if (message.type === 'patches') {
      for (const patch of message.patches) {
        const cards = patch.op === 'set' ? (patch.fields.permissions ?? []) : [];
        for (const { id } of cards) see(id);
      }
    }
    return Promise.resolve(true);
  };
  const see = (id: string): void => {
    if (seen.has(id)) return;
    seen.add(id);
    found.push(sinceWritten(id));
    conversation.answerPermission(id, 'deny');
    if (seen.size === count) finish();
  };
  const pump = new ViewPump({
    ...{ clock: pumpClock, draft: () => '', l10n: () => undefined },
    onError: (error) => {
      throw error;
    },
  });
  const view = pump.attach({ post: take }, true);
  pump.setSource(conversation);
  view.ready();
  await conversation.submit('prompt', 'go');
  await all;
  await conversation.dispose();
  return found;
}
