import * as l10n from '@vscode/l10n';
import { object, string } from 'zod/mini';
import * as vscode from 'vscode';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import { boundedCall } from './boundedCall';
import { agentOf } from './debugAgent';
import { reportEnd } from './debugReport';
import type { DebugDeps } from './debugThreads';
import { answer, ToolProblem } from './toolProblem';

const END_MS = 15_000;

export function createDebugStopTool(deps: DebugDeps): ToolDefinition {
  return defineTool({
    name: 'stop',
    title: l10n.t('Stop debugging'),
    description: 'Ends a session and its program; one that you began, unless the person asked.',
    // Required, so that the person reads on the card which one would end.
    input: object({ session: string() }),
    searchHint: 'end a debug session',
    run: ({ session }, ctx) =>
      answer(async () => {
        const wanted = session.trim() === '' ? '?' : session;
        const { run, sessions, name } = deps.sessions.pick(wanted, agentOf(ctx));
        const root = sessions.get(run.root.id);
        if (root === undefined) throw new ToolProblem(`"${name}" has no session that can be ended`);
        await boundedCall(() => vscode.debug.stopDebugging(root), {
          timeoutMs: END_MS,
          signal: ctx.signal,
          who: 'The debugger',
        });
        const end = await run.waitForEnd(END_MS, ctx.signal);
        if (end !== 'ended') {
          throw new ToolProblem(`"${name}" did not end yet: its program may ignore it. See state`);
        }
        return reportEnd(run, ctx);
      }),
  });
}
