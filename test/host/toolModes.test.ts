import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { silentLogger } from '../../src/base/logger';
import {
  createDiagnosticsFreshness,
  type DiagnosticsFreshness,
} from '../../src/editor/diagnosticsFreshness';
import { createUserChanges, type UserChanges } from '../../src/editor/userChanges';
import { type EditorWatch, watchEditor } from '../../src/host/editorWatch';
import { createToolServers } from '../../src/host/toolServers';
import type { ToolDefinition } from '../../src/mcp/defineTool';
import { createServer } from '../../src/mcp/mcpServer';
import { wireName } from '../../src/mcp/names';
import { ServerRegistry } from '../../src/mcp/registry';
import { isRecord } from '../../src/mcp/wire';
import type { PermissionMode } from '../../src/rules/modes';
import { message, say, toolUse } from '../harness/model/script';
import { type ConversationBench, createBench } from '../integration/conversationBench';
import { anyMode, outcomesOf } from '../integration/modeBench';
import { type CallName, MODE_MATRIX, matrixModes } from '../integration/modeMatrix';
import {
  closeAll,
  layPlanted,
  createEditorRoom,
  type EditorRoom,
  plantedFile,
  plantedPath,
  restorePlanted,
  wakeTypeScript,
  workspaceRoot,
} from './editorRoom';

interface Call {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  /** The row of the table that it has to follow. */
  readonly row: CallName;
}

/** Its blanks give a formatter something to do. */
const HELPER = 'export function plantedHelper():   number {\n  return   1;\n}\n';
/** Formatted it would be another file. */
const CROOKED = 'src/plantedCrooked.ts';

const edit = (file: string): Record<string, unknown> => ({
  edits: [{ path: file, old: 'a', new: 'b' }],
});

/**
 * Each built-in tool as it is, its hints, its schema and what it says that it would write; only its
 * work is left out: that is tested elsewhere, and here it must not change the next mode's files.
 */
describe('the built-in tools in each permission mode, with the real CLI', () => {
  let room: EditorRoom;
  let builtIn: ServerRegistry;
  let userChanges: UserChanges;
  let watch: EditorWatch;
  let freshness: DiagnosticsFreshness;
  let registry: ServerRegistry;
  let calls: readonly Call[] = [];

  before(async () => {
    await closeAll();
    await layPlanted();
    room = createEditorRoom();
    await wakeTypeScript(room);
    await mkdir(plantedFile('.patchbay/lib'), { recursive: true });
    await writeFile(plantedFile('.patchbay/lib/plantedHelper.ts'), HELPER);
    await writeFile(plantedFile(CROOKED), 'export const plantedCrooked   = 1;\n');
    await symlink(path.join(homedir(), 'outside.txt'), plantedFile('leads out.txt'));
    registry = new ServerRegistry();
    watch = watchEditor(silentLogger);
    userChanges = createUserChanges();
    freshness = createDiagnosticsFreshness();
    const { context } = room;
    builtIn = createToolServers({ context, freshness, userChanges, ...(await watch.load()) });
    for (const server of builtIn.list()) {
      const tools = server.tools().map((tool) => idle(tool));
      registry.add(createServer({ name: server.name, tools }));
    }
    calls = [...(await everyTool()), ...special()];
  });

  after(async () => {
    for (const one of [builtIn, userChanges, watch, freshness, room]) one.dispose();
    await restorePlanted();
  });

  function idle(tool: ToolDefinition): ToolDefinition {
    const hasEdits = tool.edits !== undefined;
    return {
      ...tool,
      alwaysLoad: true,
      ...(hasEdits ? { edits: (input: unknown) => tool.edits?.(input) ?? [] } : {}),
      ...(tool.reads ? { reads: (input: unknown) => tool.reads?.(input) === true } : {}),
      run: () => 'ran',
    };
  }

  /** One call of each. */
  async function everyTool(): Promise<readonly Call[]> {
    const place = { path: plantedPath('src/plantedTotals.ts') };
    const given: Record<string, Record<string, unknown>> = {
      edit: edit(place.path),
      save: place,
      rename: { ...place, symbol: 'plantedTotal', to: 'plantedSum' },
      move: { from: place.path, to: plantedPath('src/plantedMoved.ts') },
      actions: { path: plantedPath(CROOKED), apply: 'format' },
    };
    const all = builtIn
      .list()
      .flatMap((server) => server.tools().map((tool) => ({ server, tool })));
    return Promise.all(
      all.map(async ({ server, tool }): Promise<Call> => {
        const input = given[tool.name] ?? leastInput(tool.inputSchema);
        const row = await rowOf(tool, input);
        return { tool: wireName(server.name, tool.name), input, row };
      }),
    );
  }

  /** Where it matters what is written. */
  function special(): readonly Call[] {
    const from = plantedPath('src/plantedTotals.ts');
    const guarded = 'our tool that edits, protected';
    const helper = plantedPath('.patchbay/lib/plantedHelper.ts');
    const code = 'our tool that edits .patchbay, allowed by a rule';
    return [
      { tool: 'mcp__editor__edit', input: edit(plantedPath('.vscode/tasks.json')), row: guarded },
      { tool: 'mcp__editor__edit', input: edit(helper), row: code },
      { tool: 'mcp__editor__edit', input: edit(plantedPath('.patchbay/tools/a.ts')), row: code },
      { tool: 'mcp__editor__save', input: { path: helper }, row: code },
      { tool: 'mcp__code__move', input: { from, to: plantedPath('.patchbay/b.ts') }, row: code },
      { tool: 'mcp__code__move', input: { from: helper, to: plantedPath('c.ts') }, row: code },
      {
        tool: 'mcp__code__rename',
        input: { path: helper, symbol: 'plantedHelper', to: 'other' },
        row: code,
      },
      { tool: 'mcp__code__actions', input: { path: helper, apply: 'format' }, row: code },
      { tool: 'mcp__editor__edit', input: edit(plantedPath('leads out.txt')), row: guarded },
      { tool: 'mcp__editor__edit', input: edit(path.join(homedir(), 'a.txt')), row: guarded },
      { tool: 'mcp__code__move', input: { from, to: plantedPath('.git/hooks/x') }, row: guarded },
      { tool: 'mcp__code__actions', input: { path: from, line: 2 }, row: 'our tool that reads' },
      {
        tool: 'mcp__debug__breakpoints',
        input: { action: 'set', path: from, line: 2 },
        row: 'our tool that runs something',
      },
    ];
  }

  for (const mode of matrixModes) {
    it(`run, ask or are refused in mode ${mode} as the table of docs/permissions.md says`, async () => {
      const made: ConversationBench = await createBench({
        ...anyMode,
        mode,
        registry,
        workspaceRoots: [workspaceRoot()],
        model: {
          script: ({ step }) =>
            step === 0 ? message(calls.map(({ tool, input }) => toolUse(tool, input))) : say('ok'),
        },
      });
      try {
        await made.prompt('go');
        const outcomes = await outcomesOf(made);
        const lines = (told: (call: Call, index: number) => string | undefined): string[] =>
          calls.map((call, index) => `${index} ${call.tool}: ${told(call, index)}`);
        const wanted = lines(({ row }) => MODE_MATRIX[row][mode satisfies PermissionMode]);
        assert.deepEqual(
          lines((_, index) => outcomes[index]),
          wanted,
        );
      } finally {
        await made.dispose();
      }
    });
  }

  it('are all there, those that write among them', () => {
    // Of several calls of one tool the first, which is that of its kind.
    const rows = new Map(calls.toReversed().map(({ tool, row }) => [tool, row]));
    for (const tool of ['editor__save', 'code__rename', 'code__actions']) {
      assert.equal(rows.get(`mcp__${tool}`), 'our tool that edits, inside', tool);
    }
    assert.equal(rows.get('mcp__debug__evaluate'), 'our tool that needs the person');
    assert.equal(rows.get('mcp__debug__start'), 'our tool that runs something');
    const tools = builtIn.list().flatMap((server) => server.tools());
    assert.equal(rows.size, tools.length);
  });
});

/** By what the tool says of itself and of this call. */
async function rowOf(tool: ToolDefinition, input: Record<string, unknown>): Promise<CallName> {
  if (tool.annotations?.readOnlyHint === true || tool.reads?.(input) === true) {
    return 'our tool that reads';
  }
  if (tool.requiresUserInteraction === true) return 'our tool that needs the person';
  if (tool.edits === undefined) return 'our tool that runs something';
  try {
    const paths = await tool.edits(input);
    return paths.length === 0 ? 'our tool that runs something' : 'our tool that edits, inside';
  } catch {
    return 'our tool that edits, outside';
  }
}

/** What the schema asks for and no more. */
function leastInput(schema: Record<string, unknown>): Record<string, unknown> {
  const { properties, required } = schema;
  if (!isRecord(properties) || !Array.isArray(required)) return {};
  return Object.fromEntries(
    required.map(String).map((name) => [name, leastValue(properties[name])]),
  );
}

function leastValue(schema: unknown): unknown {
  if (!isRecord(schema)) return 'x';
  if (Array.isArray(schema.enum)) return schema.enum[0];
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [leastValue(schema.items)];
    case 'object':
      return leastInput(schema);
    default:
      return plantedPath('src/plantedTotals.ts');
  }
}
