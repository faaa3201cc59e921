import * as l10n from '@vscode/l10n';
import { enum as choice, int, object, optional, string } from 'zod/mini';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import type { ToolContext } from '../mcp/toolContext';
import { askHover } from './askHover';
import { askLocations, type LocationCommand } from './askLocations';
import { LineReader } from './codeLines';
import { formatReferences, listReferences, placeAt } from './formatReferences';
import { tellNamed } from './namedFiles';
import { findPlace, type Place } from './place';
import { forOneCall, type ReadGuard } from './readGuard';
import { pagesOf, type ToldPage } from './referencesTool';
import { count } from './resultBudget';
import { shownPath } from './servedFiles';
import type { PlacesOfFile } from './placesByFile';
import { describeLeft, servePlaces } from './servedPlaces';
import { answer, ToolProblem } from './toolProblem';
import { whySilent } from './whySilent';
import type { LanguageDeps } from './toolDeps';

const KINDS = ['definition', 'type', 'implementation', 'declaration'] as const;
type Kind = (typeof KINDS)[number];

const COMMANDS: Readonly<Record<Kind, LocationCommand>> = {
  definition: 'vscode.executeDefinitionProvider',
  type: 'vscode.executeTypeDefinitionProvider',
  implementation: 'vscode.executeImplementationProvider',
  declaration: 'vscode.executeDeclarationProvider',
};
const WORDS: Readonly<Record<Kind, string>> = {
  definition: 'definition',
  type: 'type definition',
  implementation: 'implementation',
  declaration: 'declaration',
};

const input = object({
  symbol: optional(string()),
  path: optional(string()),
  line: optional(int()),
  kind: optional(choice(KINDS)),
});

export function createDefinitionTool(deps: LanguageDeps): ToolDefinition {
  return defineTool({
    name: 'definition',
    title: l10n.t('Definition'),
    description: 'Where a symbol is defined, with signature and doc.',
    input,
    annotations: { readOnlyHint: true },
    searchHint: 'go to definition, type, implementations; signature, doc',
    run: ({ kind = 'definition', ...given }, ctx) =>
      answer(async () => {
        const here = forOneCall(deps);
        const found = await findPlace(given, here, ctx);
        if (found.kind === 'choice') return tellNamed(found.text, found.paths, ctx);
        return describePlaces(found, kind, here, ctx);
      }),
  });
}

async function describePlaces(
  place: Place,
  kind: Kind,
  deps: LanguageDeps,
  ctx: ToolContext,
): Promise<string> {
  const { document, position, name = '' } = place;
  const { edits } = deps.freshness;
  const bounds = { timeoutMs: deps.answerMs ?? 10_000, signal: ctx.signal };
  const ask = (which: Kind): Promise<readonly PlacesOfFile[]> =>
    askLocations(COMMANDS[which], document, position, bounds);
  const [found, hover, defined] = await Promise.all([
    ask(kind),
    askHover(document, position, bounds),
    kind === 'definition' ? undefined : orNone(ask('definition')),
  ]);
  if (found.length === 0) throw nothingFound(place, kind);
  const { files, outside, left } = await servePlaces(found, deps.readGuard);
  const own = defined === undefined ? hover : await giveHover(hover, defined, deps.readGuard);
  // Doc and signature are words of the file that is not to be given out.
  const told = left.denied > 0 ? [] : own;
  const nearness = deps.context.nearness();
  const list = listReferences(
    files.map(({ uri, path, starts }) => ({
      path,
      nearness: nearness(uri),
      size: starts.size,
      hasDeclaration: false,
      at: (index) => placeAt(starts, index),
    })),
    WORDS[kind],
    name,
  );
  const uris = new Map(files.map(({ path, uri }) => [path, uri]));
  const inWorkspace = describeLeft({ ...left, outside: 0 });
  const notes = [...place.notes, ...told, ...outsidePlaces(outside, left.outside), ...inWorkspace];
  const readLine = new LineReader().byPath((path) => uris.get(path));
  const page: ToldPage = { list, uris, edits };
  const cursor = (offset: number): string => pagesOf(ctx).issue(page, offset);
  const { text, paths } = await formatReferences(list, 0, readLine, {
    ...{ notes, cursor, taker: 'references' },
  });
  return tellNamed(text, paths, ctx);
}

/**
 * Whatever was asked about a name, doc and signature are words of the files that define it: none of
 * them may be kept back, and they must be known.
 */
async function giveHover(
  hover: readonly string[],
  defined: readonly PlacesOfFile[],
  guard: ReadGuard | undefined,
): Promise<readonly string[]> {
  const { left } = await servePlaces(defined, guard);
  if (left.denied > 0) return ['(no signature and doc: the definition is kept back)'];
  return defined.length === 0 ? [] : hover;
}

/** One that fails or is late is not what was asked for. */
async function orNone(asked: Promise<readonly PlacesOfFile[]>): Promise<readonly PlacesOfFile[]> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ToolProblem) return [];
    throw error;
  }
}

/** Libraries: where, but nothing of what stands there. Three at most. */
function outsidePlaces(outside: readonly PlacesOfFile[], all: number): readonly string[] {
  const places = outside.flatMap(({ uri, starts }) =>
    Array.from({ length: Math.min(starts.size, 3) }, (_, index) => {
      const { line, column } = placeAt(starts, index);
      return `outside the workspace: ${shownPath(uri)} ${line}:${column}`;
    }),
  );
  const lines = places.slice(0, 3);
  const more = all - lines.length;
  return more > 0 ? [...lines, `outside the workspace: ${count(more, 'more place')}`] : lines;
}

function nothingFound({ file, document, position, name }: Place, kind: Kind): ToolProblem {
  const at = `${file.path.slice(-80)}:${position.line + 1}:${position.character + 1}`;
  const next = kind === 'definition' ? 'Try symbols, or Grep' : 'Try kind=definition';
  return new ToolProblem(
    `No ${WORDS[kind]} of '${(name ?? '').slice(0, 40)}' at ${at}: ${whySilent(document.languageId)}. ${next}`,
  );
}
