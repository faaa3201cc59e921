// A real process that plays the CLI on the wire, scripted by a JSON file (FAKE_CLI_SCRIPT). What it
// was given and what it read goes, one JSON object a line, to FAKE_CLI_RECORD.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { FakeScript } from './fakeCliScript';
import { createFakeControl } from './fakeControl';
import { LIFE_MS } from './fakeSteps';
import { createFakeTurns } from './fakeTurns';
import { createFakeWire } from './fakeWire';

// The tests write it in this shape.
const script = JSON.parse(readFileSync(process.env.FAKE_CLI_SCRIPT ?? '', 'utf8')) as FakeScript;
const argv = process.argv.slice(2);
const wire = createFakeWire(process.env.FAKE_CLI_RECORD);

function answerInformation(): void {
  if (argv.includes('--version')) {
    wire.record({ kind: 'version' });
    process.stdout.write(`${script.version ?? '2.1.332 (Claude Code)'}\n`);
    process.exit(0);
  }
  if (argv.includes('--help')) {
    process.stdout.write(script.help ?? 'Usage: claude [options]\n\n  --verbose\n');
    process.exit(0);
  }
  if (argv[0] === 'auth') {
    wire.record({ kind: 'auth', argv });
    process.exit(script.authStatus ?? 0);
  }
  const refused = argv
    .map((arg) => arg.split('=')[0] ?? '')
    .find((flag) => (script.rejectFlags ?? []).includes(flag));
  if (refused !== undefined) {
    process.stderr.write(`${script.rejectText ?? `error: unknown option '${refused}'`}\n`);
    process.exit(1);
  }
}

function run(): void {
  const env = Object.fromEntries(
    Object.entries(process.env).map(([name, value]) => [name, value ?? '']),
  );
  wire.record({ kind: 'start', pid: process.pid, argv, cwd: process.cwd(), env });
  if (script.ignoreSigterm === true) {
    process.on('SIGTERM', () => wire.record({ kind: 'sigterm' }));
  }
  const turns = createFakeTurns(script, wire);
  const control = createFakeControl({ script, argv, wire, turns });
  const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
  lines.on('line', (line) => {
    if (line === '') return;
    if (script.record !== false) wire.record({ kind: 'line', line });
    try {
      control.receive(JSON.parse(line));
    } catch (error) {
      // As the CLI does: whatever it cannot read ends it.
      process.stderr.write(`Error parsing streaming input line: ${String(error)}\n`);
      process.exit(1);
    }
  });
  lines.on('close', () => {
    wire.record({ kind: 'stdinClosed' });
    if (script.ignoreStdinClose === true) setTimeout(() => process.exit(1), LIFE_MS);
    else {
      void turns.idle().then(() => {
        process.exit(script.exitCode ?? (turns.lastResultWasError() ? 1 : 0));
      });
    }
  });
  control.start();
  void turns.play(script.atStart ?? [], '');
}

answerInformation();
run();
