// npm run tools: what the built-in servers tell the model of themselves, and what that costs.
// Usage: npm run tools [-- --json]
// @ts-check
import { runBundled } from './boot/bundled.mjs';
import { inertEditor } from './tools/inertEditor.mjs';

/** @typedef {{ runTools(args: readonly string[], say: (text: string) => void): number }} Program */

await runBundled(
  'test/harness/tools/toolsProgram.ts',
  { plugins: [inertEditor] },
  (/** @type {Program} */ program) =>
    program.runTools(process.argv.slice(2), (text) => console.log(text)),
);
