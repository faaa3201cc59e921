import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { object, optional, string } from 'zod/mini';
import { defineTool } from '../../src/mcp/defineTool';
import { createServer } from '../../src/mcp/mcpServer';
import { ServerRegistry } from '../../src/mcp/registry';
import { message, say, toolUse, type Step } from '../harness/model/script';
import { type ConversationBench, createBench, toolsOf } from './conversationBench';
import { anyMode, outcomesOf } from './modeBench';
import { type CallName, MODE_MATRIX, matrixModes } from './modeMatrix';

const benches: ConversationBench[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

/** Nothing is really written: a tool's class is what it says of itself. */
function probeRegistry(): ServerRegistry {
  const input = object({ path: string(), more: optional(string()) });
  const common = { description: 'Of the matrix.', input, alwaysLoad: true };
  const run = ({ path: file }: { readonly path: string }): string => `ran ${file}`;
  const edits = ({ path: file, more }: { readonly path: string; more?: string }): string[] =>
    more === undefined ? [file] : [file, more];
  const server = createServer({
    name: 'probe',
    tools: [
      defineTool({ ...common, name: 'reads', annotations: { readOnlyHint: true }, run }),
      defineTool({ ...common, name: 'lists', edits, reads: () => true, run }),
      defineTool({ ...common, name: 'edits', edits, run }),
      defineTool({ ...common, name: 'edits_allowed', edits, run }),
      defineTool({ ...common, name: 'runs', run }),
      defineTool({ ...common, name: 'runs_allowed', run }),
      defineTool({ ...common, name: 'person', requiresUserInteraction: true, run }),
    ],
  });
  const registry = new ServerRegistry();
  registry.add(server);
  return registry;
}

function callsIn({ workspace, home }: ConversationBench['sandbox']): Record<CallName, Step> {
  const inside = (name: string): string => path.join(workspace, name);
  const outside = (name: string): string => path.join(home, name);
  const ours = (tool: string, file: string): Step => toolUse(`mcp__probe__${tool}`, { path: file });
  const write = (file: string): Step => toolUse('Write', { file_path: file, content: '1' });
  return {
    'our tool that reads': ours('reads', 'x'),
    'a call that only reads, of our tool that acts': ours('lists', 'src/b.ts'),
    'our tool that edits, inside': ours('edits', 'src/b.ts'),
    'our tool that edits, outside': ours('edits', outside('c.ts')),
    'our tool that edits, protected': ours('edits', inside('.vscode/tasks.json')),
    'the same, allowed by a rule': ours('edits_allowed', inside('.git/config')),
    'our tool that edits .patchbay, allowed by a rule': ours(
      'edits_allowed',
      '.patchbay/tools/b.tool.ts',
    ),
    'our tool that edits .patchbay and more': toolUse('mcp__probe__edits', {
      path: 'src/b.ts',
      more: inside('.patchbay/lib/c.ts'),
    }),
    'our tool that runs something': ours('runs', 'x'),
    'the same tool, allowed by a rule': ours('runs_allowed', 'x'),
    'our tool that needs the person': ours('person', 'x'),
    'Write inside': write(inside('src/written.ts')),
    'Write outside': write(outside('written.ts')),
    'Write to a protected path': write(inside('.vscode/settings.json')),
    'Write to .patchbay, allowed by a rule': write(inside('.patchbay/tools/a.tool.ts')),
    'Edit of a file of .patchbay': toolUse('Edit', {
      file_path: inside('.patchbay/old.ts'),
      old_string: 'old',
      new_string: 'new',
    }),
    'Bash that changes .patchbay, allowed by a rule': toolUse('Bash', {
      command: 'touch .patchbay/touched.ts',
    }),
    'Bash that changes files': toolUse('Bash', { command: 'touch src/touched.ts' }),
    'Read inside': toolUse('Read', { file_path: inside('src/a.ts') }),
  };
}

for (const mode of matrixModes) {
  test(`in mode ${mode} each kind of call runs, asks or is refused as the table says`, async () => {
    const names = Object.keys(MODE_MATRIX) as CallName[];
    const made: ConversationBench = await createBench({
      ...anyMode,
      mode,
      registry: probeRegistry(),
      settings: {
        ...anyMode.settings,
        allowedTools: [
          'mcp__probe__reads',
          'mcp__probe__edits_allowed',
          'mcp__probe__runs_allowed',
          'Edit(.patchbay/**)',
          'Bash(touch .patchbay/*)',
        ],
      },
      files: { '.patchbay/old.ts': 'old\n' },
      model: {
        script: (turn) => {
          const calls = callsIn(made.sandbox);
          // The CLI edits only what was read before.
          if (turn.step === 0) return message([toolUse('Read', { file_path: '.patchbay/old.ts' })]);
          return turn.step === 1 ? message(names.map((name) => calls[name])) : say('ok');
        },
      },
    });
    benches.push(made);
    await made.prompt('go');
    const [, ...outcomes] = await outcomesOf(made);
    const seen = Object.fromEntries(names.map((name, index) => [name, outcomes[index]]));
    const wanted = Object.fromEntries(names.map((name) => [name, MODE_MATRIX[name][mode]]));
    assert.deepEqual(seen, wanted);
    const failed = names.filter((_name, index) => {
      return outcomes[index] === 'asked' && toolsOf(made.view)[index + 1]?.state !== 'done';
    });
    // The CLI looks at its protected places by itself as well: in auto by its safety check, which
    // offline is not there. Anywhere else what the person allows runs.
    assert.deepEqual(failed, mode === 'auto' ? ['Write to a protected path'] : []);
    const isWritten = await access(path.join(made.sandbox.workspace, '.vscode/settings.json')).then(
      () => true,
      () => false,
    );
    const isAsked = MODE_MATRIX['Write to a protected path'][mode] === 'asked';
    assert.equal(isWritten, isAsked && mode !== 'auto');
    assert.equal(made.view.mode, mode);
  });
}
