// npm run replay: plays a file that the wire inspector saved, without a CLI and without VS Code.
// Usage: npm run replay -- FILE [--chunks SEED] [--json]
// @ts-check
import { runBundled } from './boot/bundled.mjs';

/** @typedef {{ runReplay(args: readonly string[], say: (line: string) => void): Promise<number> }} Program */

process.setSourceMapsEnabled(true);
await runBundled(
  'test/harness/replay/replayProgram.ts',
  { sourcemap: 'inline' },
  (/** @type {Program} */ program) =>
    program.runReplay(process.argv.slice(2), (line) => console.log(line)),
);
