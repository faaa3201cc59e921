import { createDeferred } from '../../../src/base/deferred';
import { Emitter } from '../../../src/base/event';
import type { CliExit, LineTransport, TransportFault } from '../../../src/cli/lineTransport';

/** A transport in memory: the test says the lines, and when it ends. */
export function createMemoryTransport() {
  const lines = new Emitter<string>();
  const exited = createDeferred<CliExit>();
  const faults = new Emitter<TransportFault>();
  const transport: LineTransport = {
    pid: undefined,
    write: () => Promise.resolve(),
    onDidReceiveLine: lines.event,
    onDidFault: faults.event,
    onDidExit: new Emitter<CliExit>().event,
    exited: exited.promise,
    strays: () => Promise.resolve(0),
    close: () => exited.promise,
  };
  const line = (text: string): void => lines.fire(text);
  const say = (text: string): void => {
    line(JSON.stringify({ type: 'system', subtype: 'notification', text }));
  };
  return { transport, say, line, exited, faults };
}
