import * as vscode from 'vscode';
import { nearestNames, type PathWorld } from './pathDisplay';
import { lookAtRules, type ReadGuard } from './readGuard';
import { shownPath } from './servedFiles';
import { ERROR_LIMIT, ToolProblem } from './toolProblem';

const LISTED_FILES = 3_000;
const LISTING_MS = 1_500;
const NAMED = 3;
/** So many are looked at by the rules; where these are all kept back none is named. */
const LOOKED_AT = 12;

/** Names the files that are most like it, and none that is kept from the model. */
export async function unknownPath(
  text: string,
  world: PathWorld,
  guard: ReadGuard | undefined,
): Promise<ToolProblem> {
  if (world.folders.length === 0) {
    return new ToolProblem(
      `No such file: ${text.slice(0, 80)}. No folder is open: there are only the documents that open_editors lists`,
    );
  }
  const { known, isWhole } = await knownFiles(world);
  const near = nearestNames(text, [...known.keys()], LOOKED_AT);
  const denied = await lookAtRules(
    guard,
    near.flatMap((name) => known.get(name) ?? []),
  );
  const names = near.filter((name) => {
    const uri = known.get(name);
    return uri !== undefined && denied(uri) === undefined;
  });
  const head = `No such file: ${text.slice(0, 80)}.`;
  if (known.size === 0 && isWhole) return new ToolProblem(`${head} The workspace has no files`);
  const named = wholeNames(names.slice(0, NAMED), ERROR_LIMIT - `${head} Nearest: `.length);
  return new ToolProblem(named === '' ? head : `${head} Nearest: ${named}`);
}

/** One at least, and no further one in part: it would not be found by that. */
function wholeNames(names: readonly string[], room: number): string {
  const [first = '', ...more] = names;
  let named = first;
  for (const name of more) if (`${named}, ${name}`.length <= room) named += `, ${name}`;
  return named;
}

interface KnownFiles {
  /** By the path that is shown. */
  readonly known: ReadonlyMap<string, vscode.Uri>;
  /** Not where the search took too long, and gave fewer or none. */
  readonly isWhole: boolean;
}

async function knownFiles(world: PathWorld): Promise<KnownFiles> {
  const source = new vscode.CancellationTokenSource();
  const timer = setTimeout(() => source.cancel(), LISTING_MS);
  try {
    const files = await vscode.workspace.findFiles(
      '**/*',
      '**/{node_modules,.git}/**',
      LISTED_FILES,
      source.token,
    );
    return {
      known: new Map(files.map((uri) => [shownPath(uri, world), uri])),
      isWhole: !source.token.isCancellationRequested,
    };
  } finally {
    clearTimeout(timer);
    source.dispose();
  }
}
