// Runs one tool file apart from the extension host; see `workerHost.ts`.
import * as l10n from '@vscode/l10n';
import { parentPort } from 'node:worker_threads';
import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import type { FromWorker, ToWorker } from './workerMessages';
import { loadInWorker } from './workerLoad';
import { WorkerServing } from './workerServing';

const port = parentPort;
if (port === null) throw new Error('This program runs as a worker');

function post(message: FromWorker): void {
  port?.postMessage(message);
}

function write(level: 'debug' | 'info' | 'warning' | 'error'): (text: string) => void {
  return (data) => {
    post({ kind: 'log', level, data });
  };
}

const log: Logger = {
  trace: write('debug'),
  debug: write('debug'),
  info: write('info'),
  warn: write('warning'),
  error: write('error'),
};

// As in the extension host: a promise that nobody looked at is a line in the log, and no end of others.
process.on('unhandledRejection', (reason) => {
  log.error(`A promise was rejected and nobody noticed: ${stackOf(reason)}`);
});

let serving: WorkerServing | undefined;
port.on('message', (message: ToWorker) => {
  if (message.kind === 'load') void load(message);
  else serving?.take(message);
});

async function load(request: Extract<ToWorker, { kind: 'load' }>): Promise<void> {
  l10n.config({ contents: request.words });
  const { definitions, message } = await loadInWorker(request, log);
  serving = new WorkerServing(definitions, post);
  post(message);
}

function stackOf(reason: unknown): string {
  return reason instanceof Error ? (reason.stack ?? reason.message) : errorMessage(reason);
}
