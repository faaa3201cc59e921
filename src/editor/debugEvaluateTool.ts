import * as l10n from '@vscode/l10n';
import { int, object, optional, string } from 'zod/mini';
import { ellipsize } from '../base/cutText';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import { agentOf } from './debugAgent';
import { readFrames, tryReadResult } from './debugProtocol';
import { isKeptBack, ruledUri } from './debugReport';
import { pause } from './boundedCall';
import { answerOrStop } from './debugRequest';
import type { LiveRun } from './debugSessions';
import { allThreads, askOf, type DebugDeps, pickThread, probeUntracked } from './debugThreads';
import { openValue } from './debugVariables';
import { formatValue } from './formatDebug';
import { lookAtRules } from './readGuard';
import { withoutSecretValues } from './terminalText';
import { answer, ToolProblem } from './toolProblem';

const VALUE_LIMIT = 2_000;
/** How long the answer may come behind a stop. */
const GRACE_MS = 1_000;
const STOPPED_INSIDE =
  'Not evaluated to its end: the program stopped meanwhile, perhaps inside of it. See state; step with action continue goes on';
const CHILDREN = { depth: 1, each: 30, from: 0 };

export function createDebugEvaluateTool(deps: DebugDeps): ToolDefinition {
  return defineTool({
    name: 'evaluate',
    title: l10n.t('Evaluate in the debugger'),
    description:
      'Runs an expression in a stopped frame; may change the program. The person is always asked: to look, use state.',
    input: object({
      expression: string(),
      session: optional(string()),
      frame: optional(int()),
    }),
    searchHint: 'debugger console: run an expression',
    requiresUserInteraction: true,
    run: ({ expression, session, frame = 0 }, ctx) =>
      answer(async () => {
        const live = deps.sessions.pickToMove(session, agentOf(ctx));
        await probeUntracked(live, ctx.signal);
        const place = await placeOf(deps, live, frame, ctx.signal);
        const ask = askOf(deps, live, place.sessionId, ctx.signal);
        const { frameId } = place;
        const at = frameId === undefined ? {} : { frameId };
        const asked = ask('evaluate', { expression, context: 'repl', ...at });
        const bounds = { run: live.run, after: live.run.stopCount, signal: ctx.signal };
        const body = await answerOrStop(asked, bounds, stoppedInside);
        const result = tryReadResult(body);
        if (result === undefined)
          throw new ToolProblem('The debugger gave no result that can be read');
        const { result: value = '', type } = result;
        const lines = await openValue(ask, { ...result, name: 'result', value: '' }, CHILDREN);
        const where =
          frameId === undefined ? ' (the program runs: evaluated outside of any frame)' : '';
        const title = `${ellipsize(value === '' ? (type ?? 'no value') : value, VALUE_LIMIT)}${where}`;
        // The first is the value itself, which stands in the title.
        return withoutSecretValues(formatValue(title, lines.slice(1)));
      }),
  });
}

/** Some stop at a breakpoint inside of what is evaluated, and answer once the program has gone on. */
async function stoppedInside(signal: AbortSignal): Promise<never> {
  // It may be another thread, or the end of it that is told as a stop.
  await pause(GRACE_MS, signal);
  throw new ToolProblem(STOPPED_INSIDE);
}

/** The frame that is meant; none while the program runs, which some debuggers can do as well. */
async function placeOf(
  deps: DebugDeps,
  live: LiveRun,
  frame: number,
  signal: AbortSignal,
): Promise<{ readonly sessionId: string; readonly frameId?: number }> {
  if (live.run.stops.length === 0) {
    // Some list threads only while they stand.
    const [only] = await allThreads(deps, live, signal).catch(() => []);
    return { sessionId: only?.sessionId ?? live.run.root.id };
  }
  const { sessionId, threadId } = await pickThread(deps, live, undefined, signal);
  const ask = askOf(deps, live, sessionId, signal);
  const frames = readFrames(
    await ask('stackTrace', { threadId, startFrame: 0, levels: frame + 1 }),
  );
  const found = frames[Math.max(0, frame)];
  if (found === undefined)
    throw new ToolProblem(`No frame ${frame}: the thread has ${frames.length}`);
  const uri = ruledUri(found.source, live.sessions.get(sessionId));
  const denied = await lookAtRules(deps.readGuard, uri ? [uri] : []);
  if (isKeptBack(uri, denied)) {
    throw new ToolProblem(
      `Not evaluated: the file of frame ${frame} is kept back by a rule or setting. Give another frame`,
    );
  }
  return { sessionId, frameId: found.id };
}
