import * as l10n from '@vscode/l10n';
import { describe, int, minimum, object, optional, string } from 'zod/mini';
import { ellipsize } from '../base/cutText';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import type { ToolContext } from '../mcp/toolContext';
import { holdDocuments } from './applyChange';
import { applyRefactoring, type Refactored, unclearByNow } from './applyRefactoring';
import { askRename, PROSE, type RenameAnswer } from './askRename';
import { declaredPlace } from './declaredPlace';
import { formatChange } from './formatWritten';
import { tellNamed } from './namedFiles';
import { NamedWrites } from './namedWrites';
import { type Choice, findPlace, type Place } from './place';
import { count } from './resultBudget';
import { answer, ToolProblem } from './toolProblem';
import { writtenPaths, writtenUris } from './workspaceEditParts';
import { diskPath, findTarget, refuseSeveral } from './writeTarget';
import type { LanguageDeps } from './toolDeps';

const input = object({
  path: optional(string().check(describe('a file in which the name occurs'))),
  symbol: optional(string().check(describe('present name'))),
  line: optional(int().check(minimum(1), describe('where the name stands, if it is ambiguous'))),
  to: string().check(describe('new name')),
});
interface RenameInput {
  readonly path?: string;
  readonly symbol?: string;
  readonly line?: number;
  readonly to: string;
}

/** The language server, saving, and its problems afterwards. */
const TIMEOUT_MS = 180_000;
/** For saying beforehand which files would be changed. */
const NAMING_MS = 8_000;

export function createRenameTool(deps: LanguageDeps): ToolDefinition {
  const named = new NamedWrites();
  return defineTool({
    name: 'rename',
    title: l10n.t('Rename symbol'),
    description:
      'Renames a symbol and all its uses by the language server: exact, in all files, one undo step. Answers with counts by file and new problems.',
    input,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    alwaysLoad: true,
    timeout: TIMEOUT_MS,
    edits: async (given) => named.name(given, await nameFiles(given, deps)),
    run: (given, ctx) =>
      answer(async () => {
        if (given.path !== undefined) await refuseSeveral(given.path);
        const first = await findRename(given, deps, ctx.signal);
        if (first.kind === 'choice') return tellNamed(first.text, first.paths, ctx);
        // The files are known by the answer only; it is asked anew once nobody else writes them.
        return holdDocuments(writtenUris(first.parts), ctx.signal, () =>
          rename(first, given, deps, named, ctx),
        );
      }),
  });
}

type Planned = RenameAnswer & { readonly kind: 'rename'; readonly place: Place };

async function findRename(
  given: RenameInput,
  deps: LanguageDeps,
  signal: AbortSignal,
): Promise<Choice | Planned> {
  const found = await findPlace(given, deps, { signal });
  if (found.kind === 'choice') return found;
  checkNames(found, given.to);
  const bounds = { timeoutMs: deps.answerMs ?? 10_000, signal };
  const place = await declaredPlace(found, bounds);
  return { kind: 'rename', place, ...(await askRename(place, given.to, bounds)) };
}

async function rename(
  first: Planned,
  given: RenameInput,
  deps: LanguageDeps,
  named: NamedWrites,
  ctx: ToolContext,
): Promise<string> {
  const again = async (): Promise<Planned> => {
    const planned = await findRename(given, deps, ctx.signal);
    if (planned.kind === 'choice') throw unclearByNow();
    named.check(given, writtenPaths(planned.parts));
    return planned;
  };
  const done = await applyRefactoring(first, again, deps, ctx.signal);
  const old = first.old ?? first.place.name ?? 'the symbol';
  const title = `renamed ${ellipsize(old, 120)} to ${ellipsize(first.to, 120)}`;
  const paths = [...done.files.map(({ path }) => path), ...done.problems.paths];
  return tellNamed(describeRename(title, done, first.place.notes), paths, ctx);
}

function describeRename(title: string, done: Refactored, notes: readonly string[]): string {
  const { files, places, operations, problems } = done;
  const counted = `${title}: ${count(places, 'place')} in ${count(files.length, 'file')}`;
  return formatChange([counted, ...notes, ...operations], files, problems.lines);
}

/** What would be written, a path once for each place. Never refuses: the call itself says what is wrong. */
async function nameFiles(given: RenameInput, deps: LanguageDeps): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(NAMING_MS);
  try {
    const planned = await findRename(given, deps, signal);
    return planned.kind === 'choice' ? await onDisk(planned.paths) : writtenPaths(planned.parts);
  } catch (error) {
    if (!(error instanceof ToolProblem) || signal.aborted) throw error;
    return given.path === undefined ? [] : onDisk([given.path]);
  }
}

async function onDisk(shown: readonly string[]): Promise<readonly string[]> {
  const targets = await Promise.all(shown.map(findTarget));
  return targets.flatMap((target) => diskPath(target) ?? []);
}

const NAME = /^[\p{L}\p{M}\p{Pc}\p{Sc}#@-][\p{L}\p{M}\p{N}\p{Pc}\p{Sc}#@-]*$/u;

/** A class of a stylesheet has a dot before it. */
function isName(text: string): boolean {
  return NAME.test(text.replace(/^\./u, ''));
}

/** @throws ToolProblem for a new name that is none, or the present one */
function checkNames({ name = '', document: { languageId } }: Place, to: string): void {
  if (to === name) throw new ToolProblem(`It is already called ${name}`);
  const mayBeAny = PROSE.has(languageId) || !isName(name);
  if (/\S/u.test(to) && !/[\r\n]/u.test(to) && (mayBeAny || isName(to))) return;
  throw new ToolProblem(`'${to.slice(0, 60)}' is no name; give a plain one in to`);
}
