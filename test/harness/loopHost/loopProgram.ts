// Plays an extension host that has tool files loaded; told by the JSON in argv[2]. Says on stdout, one
// JSON a line, what was found looped, which files are ready, and what a call answered.
import { createInterface } from 'node:readline';
import { ServerRegistry } from '../../../src/mcp/registry';
import { createToolContext } from '../../../src/mcp/toolContext';
import { LoopWatch } from '../../../src/workspaceTools/loopWatch';
import { compileSource } from '../../../src/workspaceTools/sourceCompiler';
import { createWorkspaceTools } from '../../../src/workspaceTools/workspaceTools';
import type { LoopOrder, LoopReport } from './startLoopHost';

// The test writes it in this shape.
const { folder, storage, approvals, loops, watchFile } = JSON.parse(
  process.argv[2] ?? '',
) as LoopOrder;
const lines: string[] = [];
const keep = (message: string): unknown => lines.push(message);
const log = { trace: keep, debug: keep, info: keep, warn: keep, error: keep };
const watch = new LoopWatch({
  watchFile,
  folder: loops,
  workspace: approvals,
  log,
  stillMs: 400,
  beatMs: 50,
});
const registry = new ServerRegistry();
let questions = 0;

const tools = createWorkspaceTools({
  log,
  registry,
  folders: () => [{ name: 'work', path: folder }],
  isTrusted: () => true,
  isEnabled: () => true,
  storageFolder: storage,
  approvalsFolder: approvals,
  // What asks again stays unanswered, so that it can be seen.
  ask: () => {
    questions += 1;
    return Promise.resolve(questions === 1 && looped.length === 0 ? 'approve' : undefined);
  },
  vscode: {},
  workspaceFolder: () => ({}),
  isAllowed: () => false,
  compiler: {
    version: () => Promise.resolve('test'),
    load: () => compileSource,
    keep: () => Promise.resolve(),
  },
  limits: () => ({ timeout: 60_000, maxResultChars: 50_000 }),
  running: (file) => watch.running(file),
});

const looped = watch.takeLooped((file) => file.startsWith(folder));

function report(answer?: string): void {
  const said: LoopReport = {
    looped: looped.flatMap(({ files }) => files),
    standing: looped.filter(({ isRunning }) => isRunning).map(({ pid }) => pid),
    stack: looped.flatMap(({ stack }) => stack),
    states: Object.fromEntries(
      tools
        .folders()
        .flatMap(({ files }) => files)
        .map((file) => [
          file.relativePath,
          [file.state.kind, ...file.faults.map(({ kind }) => kind)],
        ]),
    ),
    isWatching: watch.isRunning,
    log: lines,
    answer,
  };
  process.stdout.write(`${JSON.stringify(said)}\n`);
}

await Promise.all(looped.flatMap(({ files }) => files).map((file) => tools.looped(file)));
await tools.refresh();
await tools.settled();
report();

createInterface({ input: process.stdin }).on('line', (line) => {
  // The test writes the name of a tool, and its input.
  const [name, input] = JSON.parse(line) as [string, unknown];
  if (name === 'end what stands') {
    for (const { pid, isRunning } of looped) if (isRunning) watch.endStanding(pid);
    return;
  }
  void registry
    .get('workspace')
    ?.execute(name, input, createToolContext())
    .then((result) => {
      report(JSON.stringify(result.content));
    });
});
