import { withPlainEnds } from '../base/lineEnds';
/** What commands write into the input or send. The model reads it, so it is not localized. */

export interface SelectionQuote {
  /** As shown: relative to the workspace where it lies inside. */
  readonly path: string;
  /** First and last line, from 1. */
  readonly from: number;
  readonly to: number;
  /** For the fence; may be empty. */
  readonly language: string;
  readonly text: string;
}

/** A place and its text as a fenced block, followed by an empty line for the question. */
export function quoteSelection(quote: SelectionQuote): string {
  const place = quote.from === quote.to ? `${quote.from}` : `${quote.from}-${quote.to}`;
  const fence = '`'.repeat(Math.max(3, longestRun(quote.text) + 1));
  const text = withPlainEnds(quote.text).replace(/\n$/, '');
  return `${quote.path}:${place}\n${fence}${quote.language}\n${text}\n${fence}\n\n`;
}

// A fence must be longer than any in the text, or the quote would end inside it.
function longestRun(text: string): number {
  return [...text.matchAll(/`+/g)].reduce((most, match) => Math.max(most, match[0].length), 0);
}

export interface FileProblem {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  /** One line, already cut. */
  readonly message: string;
  readonly source?: string;
}

/** How many problems stand in the prompt; the agent can ask for the rest. */
export const MAX_PROBLEMS = 30;
const RANK: Readonly<Record<FileProblem['severity'], number>> = {
  error: 0,
  warning: 1,
  info: 2,
  hint: 3,
};

/** Asks for the problems of one file to be fixed, worst first. */
export function fixProblemsPrompt(path: string, problems: readonly FileProblem[]): string {
  const sorted = [...problems].sort(
    (a, b) => RANK[a.severity] - RANK[b.severity] || a.line - b.line || a.column - b.column,
  );
  const lines = sorted.slice(0, MAX_PROBLEMS).map((problem) => {
    const source = problem.source === undefined ? '' : ` [${problem.source}]`;
    return `${problem.line}:${problem.column} ${problem.severity} ${problem.message}${source}`;
  });
  const rest = sorted.length - lines.length;
  if (rest > 0) lines.push(`… and ${rest} more`);
  const count = sorted.length === 1 ? 'this problem' : `these ${sorted.length} problems`;
  return `Fix ${count} in ${path}:\n\n${lines.join('\n')}`;
}
