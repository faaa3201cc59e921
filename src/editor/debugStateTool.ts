import * as l10n from '@vscode/l10n';
import { describe, int, object, optional, string } from 'zod/mini';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import { agentOf } from './debugAgent';
import { reportEnd, reportRun } from './debugReport';
import type { DebugRun } from './debugRun';
import type { DebugDeps } from './debugThreads';
import { meant } from './meantWords';
import { oneLine } from './resultBudget';
import { answer } from './toolProblem';

const input = object({
  session: optional(string().check(describe('default: the one begun by start'))),
  thread: optional(int()),
  frame: optional(int()),
  variable: optional(string().check(describe('to open, as order.items[3]'))),
  depth: optional(int()),
  from: optional(int()),
});

const EACH = 30;
const DEEPEST = 4;

export function createDebugStateTool(deps: DebugDeps): ToolDefinition {
  return defineTool({
    name: 'state',
    title: l10n.t('Debugger state'),
    description: 'Where the program stands: threads, stack, variables of a frame, new output.',
    input,
    annotations: { readOnlyHint: true },
    searchHint: 'debugger stack trace, variables, threads',
    run: ({ thread, frame, depth = 1, from = 0, ...given }, ctx) =>
      answer(async () => {
        const session = meant(given.session);
        const agent = agentOf(ctx);
        const last = deps.sessions.lastEnded(agent);
        const alive = deps.sessions.alive();
        // The end of what was just debugged is a state too.
        if (session === undefined && alive.length === 0 && last) return reportEnd(last, ctx);
        const ended = session === undefined ? undefined : deps.sessions.endedOf(session.trim());
        const othersOf = (run?: DebugRun): readonly string[] => {
          const names = alive.filter((one) => one.run !== run).map(({ name }) => `"${name}"`);
          return names.length > 0 ? [`also debugged: ${oneLine(names.join(', '))}`] : [];
        };
        if (ended) return [reportEnd(ended, ctx), ...othersOf()].join('\n');
        const live = deps.sessions.pick(session, agent);
        const text = await reportRun(
          deps,
          live.run,
          {
            thread,
            frame: frame === undefined ? undefined : Math.max(0, frame),
            variable: meant(given.variable),
            limits: {
              depth: Math.min(Math.max(1, depth), DEEPEST),
              each: EACH,
              from: Math.max(0, from),
            },
            full: true,
          },
          ctx,
        );
        return [text, ...othersOf(live.run)].join('\n');
      }),
  });
}
