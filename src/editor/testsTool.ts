import * as l10n from '@vscode/l10n';
import { array, describe, enum as choice, int, object, optional, string, union } from 'zod/mini';
import * as vscode from 'vscode';
import { errorMessage } from '../base/errors';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import type { ToolContext } from '../mcp/toolContext';
import { boundedCall, pause } from './boundedCall';
import { tryRead } from './debugProtocol';
import { findServed, type FoundFile } from './findFile';
import { meant } from './meantWords';
import { tellNamed } from './namedFiles';
import { leftByRules, lookAtRules, type ReadGuard } from './readGuard';
import { oneLine } from './resultBudget';
import { isInWorkspace, shownPath } from './servedFiles';
import { tailLines, withoutSecretValues } from './terminalText';
import { formatFailures, tryReadFailures, tryReadOutput } from './testFailures';
import { TestTurns } from './testTurns';
import { answer, ToolProblem } from './toolProblem';
import { requireTrust } from './trust';
import { waitMs } from './waitSeconds';
import { refuseSeveral } from './writeTarget';

export interface TestsDeps {
  readonly readGuard?: ReadGuard;
}

/** Run, not debug or coverage, in the editor's own numbers. */
const RUN_GROUP = 2;
const ASK_MS = 10_000;
const DEFAULT_WAIT_S = 60;
const WAIT_MOST_S = 600;
const CALL_MS = (WAIT_MOST_S + 60) * 1_000;
/** The editor's own tools that tell failures; the second is of the Copilot extension, before 1.110 or so. */
const FAILURE_TOOLS = ['testFailure', 'copilot_testFailure'];

/** What the editor says where it knows of no run. */
const NO_RUN = 'No test failures were found yet';
const NO_RUN_YET = 'no run of tests is known in this window. action run makes one';
const NO_RUN_BEGUN =
  'no run has begun: the test view may tell the person why. Run the test script with tasks instead';
/** An extension may fail before it begins a run, and the last one is told then. */
const SAME = '(the same as before this run: it may not have begun)';
const UNREADABLE =
  "The results cannot be read in this version of the editor: they are in the person's test view. Run the test script with tasks to read them";
const OUTPUT_LIMIT = 2_500;

const idsSchema = array(union([string(), array(string())]));

export function createTestsTool(deps: TestsDeps): ToolDefinition {
  const turns = new TestTurns();
  return defineTool({
    name: 'tests',
    title: l10n.t('Tests'),
    description:
      "Runs tests of the test view, all or a file's, and gives the failures. results: those of the last run.",
    input: object({
      action: choice(['run', 'results']),
      path: optional(string()),
      name: optional(string().check(describe('part of its name; needs path'))),
      wait: optional(int().check(describe('seconds'))),
    }),
    searchHint: 'run unit tests of the test explorer',
    timeout: CALL_MS,
    run: ({ action, wait, ...given }, ctx) =>
      answer(async () => {
        requireTrust('Running tests');
        const path = meant(given.path);
        const name = meant(given.name);
        if (action === 'results') return readResults(deps, NO_RUN_YET, ctx);
        if (path !== undefined) await refuseSeveral(path);
        const file = path === undefined ? undefined : await findServed(path, deps.readGuard);
        await requireTests(ctx.signal);
        if (file === undefined && name !== undefined) {
          throw new ToolProblem('name needs path: the file that the test is in');
        }
        const ms = waitMs(wait, DEFAULT_WAIT_S, WAIT_MOST_S);
        const deadline = Date.now() + ms;
        const give = await turns.take(ms, ctx.signal);
        let goesOn: PromiseLike<unknown> = Promise.resolve();
        try {
          const before = await askFailures(ctx.signal).catch(() => undefined);
          if (ctx.signal.aborted) throw new ToolProblem('Stopped; no test was run');
          const run = await startTests(file, name, ctx.signal);
          if (!(await over(run, Math.max(0, deadline - Date.now()), ctx.signal))) {
            goesOn = run.end;
            return 'the tests are still running. action results reads what they give later';
          }
          return await readResults(deps, NO_RUN_BEGUN, ctx, before);
        } finally {
          give(goesOn);
        }
      }),
  });
}

/** @throws ToolProblem where no extension has found tests: running would only show the person a message */
async function requireTests(signal: AbortSignal): Promise<void> {
  const known = await command('vscode.testing.getControllersWithTests', [], signal);
  if (!Array.isArray(known) || known.length > 0) return;
  if (vscode.workspace.workspaceFolders === undefined) {
    throw new ToolProblem('No folder is open: there are no tests to run');
  }
  throw new ToolProblem(
    'No test extension has found tests in this workspace. Run the test script with tasks instead',
  );
}

/** In an object: awaiting the promise itself would await the run. */
interface StartedTests {
  readonly end: PromiseLike<unknown>;
}

async function startTests(
  file: FoundFile | undefined,
  name: string | undefined,
  signal: AbortSignal,
): Promise<StartedTests> {
  if (file === undefined) return { end: vscode.commands.executeCommand('testing.runAll') };
  const found = await command('vscode.testing.getTestsInFile', [file.uri], signal);
  const ids = (tryRead(idsSchema, found) ?? []).map((id) =>
    typeof id === 'string' ? id.split('\0') : id,
  );
  const words = name?.toLowerCase() ?? '';
  const meant = ids.filter((id) => (id.at(-1) ?? '').toLowerCase().includes(words));
  if (meant.length === 0) {
    const labels = ids.slice(0, 5).map((id) => `"${oneLine(id.at(-1) ?? '', 30)}"`);
    const there =
      labels.length > 0 ? `There are: ${labels.join(', ')}` : 'The editor knows none there';
    throw new ToolProblem(
      `No test ${name === undefined ? '' : `"${oneLine(name, 40)}" `}in ${file.path}. ${there}`,
    );
  }
  const all = outermost(meant.map((id) => id.join('\0')));
  return { end: vscode.commands.executeCommand('vscode.runTestsById', RUN_GROUP, ...all) };
}

/** Some extensions would run once more what is in a suite that is run as well. */
function outermost(ids: readonly string[]): readonly string[] {
  return ids.filter((id) => !ids.some((other) => id.startsWith(`${other}\0`)));
}

async function over({ end }: StartedTests, ms: number, signal: AbortSignal): Promise<boolean> {
  const done = new AbortController();
  const ended = Promise.resolve(end).then(
    () => true,
    (error: unknown): boolean => {
      throw new ToolProblem(`The tests could not be run: ${errorMessage(error)}`);
    },
  );
  const late = pause(ms, AbortSignal.any([signal, done.signal])).then(() => false);
  try {
    return await Promise.race([ended, late]);
  } finally {
    done.abort();
    ended.catch(() => undefined);
  }
}

/** @param before what was told before this run */
async function readResults(
  deps: TestsDeps,
  noRun: string,
  ctx: ToolContext,
  before?: string,
): Promise<string> {
  const text = await askFailures(ctx.signal);
  const failures = tryReadFailures(text, (file) => isInWorkspace(vscode.Uri.file(file)));
  if (failures === undefined) {
    if (text.startsWith(NO_RUN)) return noRun;
    // Which files it names is not known, and so not whether it may be given.
    throw new ToolProblem(UNREADABLE);
  }
  const uris = failures.flatMap(({ place }) => (place ? [vscode.Uri.file(place.file)] : []));
  const denied = await lookAtRules(deps.readGuard, uris);
  const given = failures.filter(
    ({ place }) => place === undefined || denied(vscode.Uri.file(place.file)) === undefined,
  );
  const left = failures.length - given.length;
  const shown = formatFailures(given, (file) => shownPath(vscode.Uri.file(file)), left);
  const told = withoutSecretValues([shown, ...leftByRules(left)].join('\n'));
  const output = failures.length > 0 ? [] : tailLines(tryReadOutput(text) ?? '', OUTPUT_LIMIT);
  return tellNamed(
    [told, ...(failures.length > 0 && text === before ? [SAME] : []), ...output].join('\n'),
    uris.map((uri) => shownPath(uri)),
    ctx,
  );
}

/** @throws ToolProblem where the editor has no way to read results */
async function askFailures(signal: AbortSignal): Promise<string> {
  const known = vscode.lm.tools.map(({ name }) => name);
  const name = FAILURE_TOOLS.find((each) => known.includes(each)) ?? FAILURE_TOOLS[0] ?? '';
  const options = { input: {}, toolInvocationToken: undefined };
  try {
    const result = await boundedCall(() => vscode.lm.invokeTool(name, options), {
      timeoutMs: ASK_MS,
      signal,
      who: 'The editor',
    });
    const texts = result.content.map((part) =>
      part instanceof vscode.LanguageModelTextPart ? part.value : undefined,
    );
    // One of another kind is no text that is empty.
    if (texts.includes(undefined)) throw new ToolProblem(UNREADABLE);
    return texts.join('');
  } catch (cause) {
    throw new ToolProblem(UNREADABLE, { cause });
  }
}

async function command(
  name: string,
  args: readonly unknown[],
  signal: AbortSignal,
): Promise<unknown> {
  try {
    return await boundedCall<unknown>(() => vscode.commands.executeCommand(name, ...args), {
      timeoutMs: ASK_MS,
      signal,
      who: 'The test view',
    });
  } catch (error) {
    // Older versions have no such command.
    if (signal.aborted || !(error instanceof ToolProblem)) throw error;
    return undefined;
  }
}
