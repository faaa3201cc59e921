import { describe, it } from 'node:test';
import {
  type FileProblems,
  formatProblems,
  listProblems,
} from '../../../src/editor/formatDiagnostics';
import { formatSymbols, listOutline, listSymbols } from '../../../src/editor/formatSymbols';
import { compareProblems, formatChanges } from '../../../src/editor/problemChanges';
import { ToolProblem } from '../../../src/editor/toolProblem';
import { holdDocRows } from '../../harness/docTable';
import { dataD, dataS, distinctD, FAULTS, outline80, problemAt, TSX_PATH } from './designData';
import { dataR, pages } from './referenceData';

const cursor = (offset: number): string => `d1.${offset}`;
const page = { from: 0, full: false, cursor };

/** 5,000 problems in 100 files. */
const many = Array.from({ length: 100 }, (_, file): FileProblems => ({
  ...{ path: `src/${'deep/'.repeat(12)}file${file}.ts`, nearness: file, hasTab: true },
  problems: Array.from({ length: 50 }, (_problem, index) =>
    problemAt(index, { ...FAULTS[index % 3]!, message: `${file}-${index} ${'word '.repeat(30)}` }),
  ),
}));

function problems(files: readonly FileProblems[], full = false): number {
  return formatProblems(listProblems(files, 'warning'), { ...page, full }).length;
}

function changes(now: FileProblems): number {
  const list = listProblems([now], 'warning');
  const told = compareProblems(listProblems([dataD()], 'warning'), list);
  return formatChanges(told, list, page).length;
}

/** The longest answer with one new problem and two fixed ones. */
function oneNew(): number {
  const before = dataD();
  const faults = FAULTS.filter(({ severity }) => severity !== 'hint');
  const texts = faults.map((fault) => {
    const fresh = { ...problemAt(60, fault), message: `X${fault.message.slice(1)}` };
    return changes({ ...before, problems: [...before.problems.slice(2), fresh] });
  });
  return Math.max(...texts);
}

describe('the table of budgets in docs/editor-tools.md', () => {
  it('has for the results what they take', async () => {
    const references = await pages(dataR());
    await holdDocRows('docs/editor-tools.md', 'results', [
      ['B4 any result: 5,000 problems', 6_000, problems(many)],
      ['B4 the same with `full`', 16_000, problems(many, true)],
      ['B5 50 distinct problems of one file, the 30 worst listed', 3_400, problems([distinctD()])],
      ['B5 50 problems of which equal ones merge', 1_100, problems([dataD()])],
      [
        'B6 200 references in 30 files, a page',
        5_200,
        Math.max(...references.map((t) => t.length)),
      ],
      ['B6 further calls until all 200 are told', 4, references.length - 1],
      [
        'B7 300 symbols, the first 30',
        3_000,
        formatSymbols(listSymbols(dataS(), 'computeOrder'), 0, cursor).length,
      ],
      [
        'B8 an outline of 80 symbols',
        3_800,
        formatSymbols(listOutline(TSX_PATH, outline80()), 0, cursor).length,
      ],
      ['B9 the second `diagnostics`, nothing changed', 100, changes(dataD())],
      ['B9 the same, one new and two fixed', 240, oneNew()],
      [
        'B10 an error, however long its cause',
        240,
        new ToolProblem('long '.repeat(999)).message.length,
      ],
    ]);
  });
});
