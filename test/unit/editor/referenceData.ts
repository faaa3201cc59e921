import {
  formatReferences,
  listReferences,
  type ReadLine,
  type ReferenceList,
  type ReferencePlace,
} from '../../../src/editor/formatReferences';

export interface FileData {
  readonly path: string;
  readonly nearness: number;
  readonly places: readonly ReferencePlace[];
}

export function listOf(files: readonly FileData[], name: string): ReferenceList {
  const given = files.map(({ path, nearness, places }) => ({
    path,
    nearness,
    size: places.length,
    hasDeclaration: places.some(({ isDeclaration }) => isDeclaration),
    at: (index: number) => places[index]!,
  }));
  return listReferences(given, 'reference', name);
}

/** Data R: 200 places in 30 files, about 7 a file, source lines of 77 characters. */
export function dataR(): readonly FileData[] {
  return Array.from({ length: 30 }, (_, file) => ({
    path: `src/components/checkout/orderSummaryRow${String(file).padStart(2, '0')}.tsx`,
    nearness: 1 + (file % 4),
    places: Array.from({ length: file < 20 ? 7 : 6 }, (_, index) => ({
      line: 11 + 23 * index,
      column: 5 + index,
      isDeclaration: file === 7 && index === 0,
    })),
  }));
}

export const LINE =
  `    const orderTotals = computeOrderTotals(order.lines, { currency, locale, a });`.slice(0, 77);
export const readLine: ReadLine = () => Promise.resolve({ text: `    ${LINE}`, lineCount: 900 });
export const cursor = (offset: number): string => `r1.${offset}`;

/** All pages, by the cursors that the texts end with. */
export async function pages(files: readonly FileData[]): Promise<readonly string[]> {
  const list = listOf(files, 'computeOrderTotals');
  const texts: string[] = [];
  for (let from: number | undefined = 0; from !== undefined;) {
    const { text } = await formatReferences(list, from, readLine, { cursor });
    texts.push(text);
    const next: string | undefined = /\nnext: cursor=r1\.(\d+)$/.exec(text)?.[1];
    from = next === undefined ? undefined : Number(next);
  }
  return texts;
}
