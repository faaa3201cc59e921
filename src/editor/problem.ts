import type * as vscode from 'vscode';
import { oneLine } from './resultBudget';

/** Worst first; the index is VS Code's `DiagnosticSeverity`, where an error is 0. */
export const SEVERITIES = ['error', 'warning', 'info', 'hint'] as const;
export type Severity = (typeof SEVERITIES)[number];
export type SeverityCounts = Readonly<Record<Severity, number>>;

/** One problem as plain data. Line and column are 1-based and lie inside the document. */
export interface Problem {
  readonly line: number;
  readonly column: number;
  readonly severity: Severity;
  /** One line, at most 200 characters. */
  readonly message: string;
  readonly source?: string;
  readonly code?: string;
  /** The 1-based line that was reported, where it was past the end of the document. */
  readonly reportedLine?: number;
  /** The place that the problem is also about: `[path ]line:col message`. */
  readonly related?: string;
}

/** The part of `vscode.Diagnostic` that is read; ranges are 0-based. */
export interface RawProblem {
  readonly severity?: number;
  readonly message: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
  readonly source?: string;
  readonly code?: string | number | { readonly value: string | number };
  readonly relatedInformation?: readonly RawRelated[];
}

interface RawRelated {
  readonly message: string;
  readonly location: {
    readonly uri: vscode.Uri;
    readonly range: { readonly start: { readonly line: number; readonly character: number } };
  };
}

/** How a file is named that a problem is also about: empty for its own, undefined to keep it back. */
export type NameRelated = (uri: vscode.Uri) => string | undefined;

/** How long a document is: the part of `vscode.TextDocument` that clamping needs. */
export interface DocumentSize {
  readonly lineCount: number;
  /** Length of a line by 0-based index, without its line end. */
  lineLength(line: number): number;
}

/**
 * Reads a diagnostic. A range past the end is moved into the document and keeps the reported line,
 * because servers publish old ranges for documents that have become shorter.
 * @param size undefined where the document is not loaded: nothing is clamped then
 */
export function toProblem(
  raw: RawProblem,
  size?: DocumentSize,
  nameRelated: NameRelated = () => undefined,
): Problem {
  const start = raw.range.start;
  const line = Math.max(0, size ? Math.min(start.line, size.lineCount - 1) : start.line);
  const moved = line !== start.line;
  const width = size ? size.lineLength(line) : start.character;
  const character = moved ? 0 : Math.max(0, Math.min(start.character, width));
  const code = typeof raw.code === 'object' ? raw.code.value : raw.code;
  return {
    line: line + 1,
    column: character + 1,
    severity: SEVERITIES[raw.severity ?? 0] ?? 'error',
    message: oneLine(raw.message),
    ...(raw.source ? { source: oneLine(raw.source, 40) } : {}),
    ...(code === undefined || code === '' ? {} : { code: oneLine(String(code), 60) }),
    ...(moved ? { reportedLine: start.line + 1 } : {}),
    ...relatedOf(raw, nameRelated),
  };
}

/** The first one that may be named; more of them are counted. */
function relatedOf(raw: RawProblem, nameRelated: NameRelated): { readonly related?: string } {
  const named = (raw.relatedInformation ?? []).flatMap(({ location, message }) => {
    const name = nameRelated(location.uri);
    if (name === undefined) return [];
    const { line, character } = location.range.start;
    const path = name === '' ? '' : `${name} `;
    return [`${path}${line + 1}:${character + 1} ${oneLine(message, 60)}`];
  });
  const [first] = named;
  if (first === undefined) return {};
  return { related: named.length > 1 ? `${first} +${named.length - 1}` : first };
}

/** 0 for an error, 3 for a hint. */
export function severityRank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

export function countSeverities(problems: Iterable<{ severity: Severity }>): SeverityCounts {
  const counts = { error: 0, warning: 0, info: 0, hint: 0 };
  for (const problem of problems) counts[problem.severity] += 1;
  return counts;
}

/** `2 errors, 1 warning, 8 hints`; the kinds that do not occur are left out, none at all: `0 problems`. */
export function describeCounts(counts: SeverityCounts): string {
  const words: Record<Severity, string> = {
    error: 'error',
    warning: 'warning',
    info: 'info',
    hint: 'hint',
  };
  const parts = SEVERITIES.filter((severity) => counts[severity] > 0).map(
    (severity) => `${counts[severity]} ${words[severity]}${counts[severity] === 1 ? '' : 's'}`,
  );
  return parts.length === 0 ? '0 problems' : parts.join(', ');
}
