import assert from 'node:assert/strict';
import { test } from 'node:test';
import { object, string } from 'zod/mini';
import { defineTool } from '../../src/mcp/defineTool';
import { createServer } from '../../src/mcp/mcpServer';
import { ServerRegistry } from '../../src/mcp/registry';
import { message, say, toolUse } from '../harness/model/script';
import { createBench, isIdle, saidIn, toolsOf } from './conversationBench';

test('a tool is told which sub-agent of the real CLI calls it, two of them side by side', async () => {
  const seen = new Map<string, string | undefined>();
  const note = defineTool({
    name: 'note',
    description: 'Notes who calls.',
    input: object({ who: string() }),
    annotations: { readOnlyHint: true },
    alwaysLoad: true,
    run: ({ who }, { agent }) => {
      seen.set(who, agent);
      return 'noted';
    },
  });
  const server = createServer({ name: 'probe' });
  server.registerTool(note);
  const registry = new ServerRegistry();
  registry.add(server);
  const call = (who: string) => toolUse('mcp__probe__note', { who });
  const helper = (prompt: string, isInBackground: boolean) =>
    toolUse('Agent', {
      ...{ description: prompt, prompt, subagent_type: 'general-purpose' },
      run_in_background: isInBackground,
    });
  const made = await createBench({
    registry,
    mode: 'bypassPermissions',
    model: {
      script: ({ prompt, step }) => {
        if (prompt === 'first' || prompt === 'second') {
          return step === 0 ? message([call(prompt)]) : say(`${prompt} is done.`);
        }
        if (step === 0) return message([call('main')]);
        if (step === 1) return message([helper('first', false), helper('second', true)]);
        return say('All is done.');
      },
    },
  });
  try {
    await made.prompt('Go');
    await made.until('all have called', (view) => {
      return isIdle(view) && seen.size === 3 && saidIn(view).includes('All is done.');
    });
    const agents = toolsOf(made.view).filter(({ name }) => name === 'Agent');
    const idOf = (about: string) => agents.find(({ summary }) => summary.includes(about))?.id;
    assert.ok(idOf('first') !== undefined && idOf('second') !== undefined);
    assert.deepEqual(Object.fromEntries(seen), {
      main: undefined,
      first: idOf('first'),
      second: idOf('second'),
    });
  } finally {
    await made.dispose();
  }
});
