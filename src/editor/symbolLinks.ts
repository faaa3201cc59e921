import * as vscode from 'vscode';
import { boundedCall } from './boundedCall';
import { isSymbolInformation } from './documentOutline';
import { lookAtRules, type ReadGuard } from './readGuard';
import { excludedFiles, isInWorkspace, pathWorld } from './servedFiles';
import { queryFor, symbolsMeant } from './symbolMeant';

/** How long the language servers may take for one name: nobody waits for it. */
const ANSWER_MS = 5_000;
/** Of more than these a name says too little to be a link. */
const FEW = 9;
/** Names that are looked up beside each other. */
const AT_ONCE = 4;

/**
 * Definitions of names that a conversation cites, for links: in files of the workspace, and in none
 * that is kept back from the agent, since it cannot have read that.
 */
export class SymbolLinks {
  readonly #guard: ReadGuard;

  constructor(guard: ReadGuard) {
    this.#guard = guard;
  }

  /** How many each name has; 0 where it would be no link. Never rejects. */
  async count(names: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    const left = [...new Set(names)];
    const work = async (): Promise<void> => {
      for (let name = left.shift(); name !== undefined; name = left.shift()) {
        const found = signal.aborted ? [] : await this.find(name, signal);
        counts.set(name, found.length > FEW ? 0 : found.length);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return counts;
  }

  /** Never rejects: a server that does not answer knows none. */
  async find(name: string, signal: AbortSignal): Promise<readonly vscode.SymbolInformation[]> {
    const query = queryFor(name);
    if (query === '') return [];
    try {
      const answer = await boundedCall<unknown>(
        () => vscode.commands.executeCommand('vscode.executeWorkspaceSymbolProvider', query),
        { timeoutMs: ANSWER_MS, signal, who: 'The language server' },
      );
      const all = Array.isArray(answer) ? answer.filter(isSymbolInformation) : [];
      return await this.#served(distinct(symbolsMeant(name, all)));
    } catch {
      return [];
    }
  }

  async #served(
    found: readonly vscode.SymbolInformation[],
  ): Promise<readonly vscode.SymbolInformation[]> {
    const world = pathWorld();
    const isExcluded = excludedFiles(world);
    const inside = found.filter(
      ({ location: { uri } }) => isInWorkspace(uri, world) && !isExcluded(uri),
    );
    const uris = inside.map(({ location }) => location.uri);
    const deniedBy = await lookAtRules(this.#guard, uris);
    return inside.filter(({ location }) => deniedBy(location.uri) === undefined);
  }
}

/** Several servers may name the same place. */
function distinct(found: readonly vscode.SymbolInformation[]): vscode.SymbolInformation[] {
  const byPlace = new Map<string, vscode.SymbolInformation>();
  for (const symbol of found) {
    // A provider may name a file without a place in it.
    const { uri, range } = symbol.location as { uri: vscode.Uri; range?: vscode.Range };
    byPlace.set(`${uri.toString()}#${range?.start.line ?? 0}`, symbol);
  }
  return [...byPlace.values()];
}
