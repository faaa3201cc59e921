import type { ToolContext } from '../mcp/toolContext';

/** Tells of those of the files that the result names, and gives the result back. */
export function tellNamed(
  text: string,
  paths: Iterable<string>,
  { tellFile }: Pick<ToolContext, 'tellFile'>,
): string {
  for (const path of new Set(paths)) if (isNamed(text, path)) tellFile(path);
  return text;
}

/** As a whole: `a.ts` is not named by `src/a.ts` or `a.tsx`. */
function isNamed(text: string, path: string): boolean {
  if (path === '') return false;
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    const isWhole = !isOfPath(text[at - 1]) && !isOfPath(text[at + path.length]);
    if (isWhole) return true;
  }
  return false;
}

function isOfPath(letter: string | undefined): boolean {
  return letter !== undefined && /[\p{L}\p{N}_/\\-]/u.test(letter);
}
