import type * as vscode from 'vscode';
import type { AskBounds } from './documentOutline';
import type { ChoicePlace } from './formatChoice';
import { kindWord, rankSymbols, type SymbolPlace } from './formatSymbols';
import { nearestNames } from './pathDisplay';
import { leftByRules, type ReadGuard } from './readGuard';
import { bareName, liesIn, type SymbolName } from './symbolName';
import { findSymbols } from './symbolSource';
import { ToolProblem } from './toolProblem';

export interface DeclaredPlaces {
  /** One at least, the nearest first. */
  readonly places: readonly ChoicePlace[];
  readonly notes: readonly string[];
}

/**
 * Where a name is declared in the workspace, as far as the language servers have read it.
 * @throws ToolProblem where it is not, with the nearest names
 */
export async function findDeclared(
  readings: readonly SymbolName[],
  nearness: (uri: vscode.Uri) => number,
  bounds: AskBounds,
  { readGuard }: { readonly readGuard?: ReadGuard },
): Promise<DeclaredPlaces> {
  // The last reading has the shortest name; a search for it finds what the others mean as well.
  const wanted = readings.at(-1);
  if (wanted === undefined) throw new ToolProblem('Give symbol (a name), or path and line');
  const { name } = wanted;
  const { symbols, outside, denied } = await findSymbols(name, nearness, bounds, readGuard);
  for (const reading of readings) {
    const named = symbols.filter((symbol) => bareName(symbol.name) === reading.name);
    const inside = named.filter(({ container }) =>
      liesIn(reading.containers, container ? [container] : []),
    );
    if (inside.length > 0) {
      return { places: rankSymbols(inside, name).map(placeOf), notes: leftByRules(denied) };
    }
    // Some servers tell no container: then the name alone has to do.
    if (named.length === 1 && named[0]?.container === undefined) {
      return { places: named.map(placeOf), notes: leftByRules(denied) };
    }
  }
  throw unknownName(readings, symbols, { outside, denied });
}

function placeOf({ path, line, column, kind, name, container }: SymbolPlace): ChoicePlace {
  const holder = container ? ` (${container})` : '';
  return { path, line, column, text: `${kindWord(kind)} ${name}${holder}` };
}

function unknownName(
  readings: readonly SymbolName[],
  symbols: readonly SymbolPlace[],
  { outside, denied }: { readonly outside: number; readonly denied: number },
): ToolProblem {
  const [whole] = readings;
  const name = whole?.name ?? '';
  const known = symbols.map(({ name: known, container }) => {
    const bare = bareName(known);
    return readings.length > 1 && container ? `${container}.${bare}` : bare;
  });
  const names = nearestNames(name, [...new Set(known)]);
  const hint = names.length > 0 ? ` Nearest: ${names.join(', ')}.` : '';
  const onlyLibraries = symbols.length === 0 && outside > 0;
  const left = onlyLibraries ? ' Only libraries have it.' : denied > 0 ? ' A rule hides some.' : '';
  return new ToolProblem(
    `No '${name.slice(0, 60)}' is declared in the workspace.${left}${hint} Give path of a file where it occurs, or Grep`,
  );
}
