import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { runLive } from '../live/liveRun';
import { root } from '../paths';

/** `[--yes] [--cli FILE] [--model NAME]`. Ends with 0 when all was seen, 1 when not, 2 when nothing was asked. */
const { values } = parseArgs({
  options: {
    yes: { type: 'boolean', default: false },
    cli: { type: 'string', default: '' },
    model: { type: 'string', default: 'haiku' },
  },
});

const outcome = await runLive({
  cliPath: values.cli,
  model: values.model,
  environment: process.env,
  developmentRoot: root,
  say: (line) => {
    console.log(line);
  },
  confirm: () => (values.yes ? Promise.resolve(true) : ask()),
});
// What the CLI left in this process must not hold it.
process.exit({ passed: 0, failed: 1, refused: 2 }[outcome]);

/** Without a terminal nobody can answer, and that is a no. */
async function ask(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.log('Nobody can be asked here; --yes answers beforehand.');
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question('Go on? (y/N) ')).trim());
  } finally {
    terminal.close();
  }
}
