import { bareName, liesIn, readSymbolName } from './symbolName';

interface NamedSymbol {
  readonly name: string;
  /** What it lies in; empty where the language server does not tell. */
  readonly containerName: string;
}

/** What a language server is asked for, to find the symbol that a text means: the last part of its name. */
export function queryFor(text: string): string {
  return readSymbolName(text).at(-1)?.name ?? '';
}

/** Those of the symbols that have just this name, by its likeliest reading that any of them has. */
export function symbolsMeant<T extends NamedSymbol>(
  text: string,
  symbols: readonly T[],
): readonly T[] {
  for (const { name, containers } of readSymbolName(text)) {
    const found = symbols.filter(
      (symbol) =>
        bareName(symbol.name) === name &&
        (containers.length === 0 || liesIn(containers.slice(-1), [symbol.containerName])),
    );
    if (found.length > 0) return found;
  }
  return [];
}
