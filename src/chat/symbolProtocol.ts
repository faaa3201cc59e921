/** How many definitions the workspace has of a name that a text cites; 0 for none that may be shown. */
export interface FoundSymbol {
  readonly name: string;
  readonly count: number;
}

/** So many names are asked for at once. */
export const MAX_SYMBOL_NAMES = 40;
export const MAX_SYMBOL_NAME = 120;

const NAME = /^[\p{L}_$][\p{L}\p{M}\p{N}_$]*(?:(?:\.|::|->|#)[\p{L}_$][\p{L}\p{M}\p{N}_$]*){0,4}/u;

/** Whether code in a text may be the name of something: `orderTotal`, `Cart.total()`, `cart::add`. */
export function isSymbolName(code: string): boolean {
  if (code.length < 3 || code.length > MAX_SYMBOL_NAME) return false;
  const rest = code.slice(NAME.exec(code)?.[0].length ?? 0);
  return rest !== code && /^(?:\([^()\n]*\))?$/u.test(rest);
}
