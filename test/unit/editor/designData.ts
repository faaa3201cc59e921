import type { FileProblems } from '../../../src/editor/formatDiagnostics';
import type { OutlineEntry, SymbolPlace } from '../../../src/editor/formatSymbols';
import type { Problem, Severity } from '../../../src/editor/problem';

/** A path of 45 characters. */
export const TSX_PATH = 'src/components/checkout/OrderSummaryPanel.tsx';

interface Fault {
  readonly severity: Severity;
  readonly message: string;
  readonly source: string;
  readonly code: string;
}

/** Six messages of 31 to 130 characters: four from ts, two from eslint. */
export const FAULTS: readonly Fault[] = [
  fault('error', "Cannot find name 'orderTotals'.", 'ts', '2304'),
  fault(
    'error',
    "Type 'string | undefined' is not assignable to type 'string'. Type 'undefined' is no string.",
    'ts',
    '2322',
  ),
  fault(
    'error',
    "Argument of type '{ id: string; amount: number; }' is not assignable to parameter of type 'OrderLine'. Property 'code' is missing.",
    'ts',
    '2345',
  ),
  fault('hint', "'formatCurrency' is declared but its value is never read.", 'ts', '6133'),
  fault(
    'warning',
    "React Hook useMemo has a missing dependency: 'currency'. Include it or remove the array.",
    'eslint',
    'react-hooks/exhaustive-deps',
  ),
  fault('warning', 'Unexpected any. Specify a different type.', 'eslint', 'no-explicit-any'),
];

/** Data D: 50 problems of one file, the six messages in turn: 26 errors, 16 warnings, 8 hints. */
export function dataD(): FileProblems {
  const problems = Array.from({ length: 50 }, (_, index) => problemAt(index, FAULTS[index % 6]!));
  return { path: TSX_PATH, nearness: 0, hasTab: true, problems };
}

/** The same with a message of its own for each problem, of the same lengths. */
export function distinctD(): FileProblems {
  const { problems, ...file } = dataD();
  const mark = (message: string, index: number): string =>
    `${String(index).padStart(2, '0')}${message.slice(2)}`;
  return {
    ...file,
    problems: problems.map((one, index) => ({ ...one, message: mark(one.message, index) })),
  };
}

export function problemAt(index: number, given: Fault): Problem {
  return { line: 12 + 7 * index, column: 5 + (index % 30), ...given };
}

/** Data S: 300 names of 18 characters in 40 files, with containers. */
export function dataS(): readonly SymbolPlace[] {
  return Array.from({ length: 300 }, (_, index) => ({
    name: `computeOrder${String(index).padStart(6, '0')}`,
    kind: index % 3 === 0 ? 11 : 5,
    container: `OrderService${index % 40}`,
    path: `src/services/orders/orderService${String(index % 40).padStart(2, '0')}.ts`,
    line: 10 + index,
    column: 3,
    nearness: 3 + (index % 5),
  }));
}

/** An outline of 80 symbols: ten classes of seven members. */
export function outline80(): readonly OutlineEntry[] {
  return Array.from({ length: 80 }, (_, index) => ({
    name: index % 8 === 0 ? `OrderClass${index}` : `computeOrderLine${index}`,
    kind: index % 8 === 0 ? 4 : index % 2 === 0 ? 5 : 6,
    line: 1 + 9 * index,
    column: index % 8 === 0 ? 14 : 3,
    depth: index % 8 === 0 ? 0 : 1,
  }));
}

function fault(severity: Severity, message: string, source: string, code: string): Fault {
  return { severity, message, source, code };
}
