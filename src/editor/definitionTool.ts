import * as l10n from '@vscode/l10n';
import { enum as choice, int, object, optional, string } from 'zod/mini';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import type { ToolContext } from '../mcp/toolContext';
import { askHover } from './askHover';
import { askLocations, type LocationCommand } from './askLocations';
import { createLineReader } from './codeLines';
import { formatReferences, listReferences, placeAt } from './formatReferences';
import { tellNamed } from './namedFiles';
import { findPlace, type Place } from './place';
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
        const found = await findPlace(given, deps, ctx);
        if (found.kind === 'choice') return tellNamed(found.text, found.paths, ctx);
        return describePlaces(found, kind, deps, ctx);
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
  const bounds = { timeoutMs: deps.answerMs ?? 10_000, signal: ctx.signal };
  const [found, hover] = await Promise.all([
    askLocations(COMMANDS[kind], document, position, bounds),
    askHover(document, position, bounds),
  ]);
  if (found.length === 0) throw nothingFound(place, kind);
  const { files, outside, left } = await servePlaces(found, deps.readGuard);
  // Doc and signature are words of the file that is not to be given out.
  const told = left.denied > 0 ? [] : hover;
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
  const readLine = createLineReader((path) => uris.get(path));
  const { text, paths } = await formatReferences(list, 0, readLine, { notes });
  return tellNamed(text, paths, ctx);
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
