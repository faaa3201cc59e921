import * as l10n from '@vscode/l10n';
import { commands, Range, type SymbolInformation, window, workspace } from 'vscode';
import { UserFacingError } from '../base/errors';
import type { SymbolLinks } from '../editor/symbolLinks';

/** Opens the definition of a name; where there are a few the person chooses. */
export async function openSymbol(links: SymbolLinks | undefined, name: string): Promise<void> {
  const found = (await links?.find(name, new AbortController().signal)) ?? [];
  const symbol = found.length > 1 ? await choose(name, found) : found[0];
  if (symbol) await show(symbol);
  else if (found.length === 0) {
    throw new UserFacingError(l10n.t('{0} is not defined in this workspace any more.', name));
  }
}

async function choose(
  name: string,
  found: readonly SymbolInformation[],
): Promise<SymbolInformation | undefined> {
  const rows = found.map((symbol) => ({
    label: symbol.name,
    description: symbol.containerName,
    detail: placeOf(symbol),
    symbol,
  }));
  const placeHolder = l10n.t('Which {0} do you mean?', name);
  return (await window.showQuickPick(rows, { placeHolder, matchOnDetail: true }))?.symbol;
}

function placeOf({ location }: SymbolInformation): string {
  return `${workspace.asRelativePath(location.uri)}:${rangeOf(location).start.line + 1}`;
}

async function show({ location }: SymbolInformation): Promise<void> {
  const { start } = rangeOf(location);
  const selection = new Range(start, start);
  await commands.executeCommand('vscode.open', location.uri, { selection, preview: true });
}

/** A provider may name a file without a place in it. */
function rangeOf(location: SymbolInformation['location']): Range {
  const { range } = location as { range?: Range };
  return range ?? new Range(0, 0, 0, 0);
}
