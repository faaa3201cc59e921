import { isRecord } from '../mcp/wire';
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
  /** The path in it, where that is another file. */
  readonly relatedPath?: string;
}

/**
 * The part of `vscode.Diagnostic` that is read; ranges are 0-based. Any extension may have made it,
 * and VS Code checks little of it: nothing is certain.
 */
export interface RawProblem {
  readonly severity?: unknown;
  readonly message?: unknown;
  readonly range?: unknown;
  readonly source?: unknown;
  readonly code?: unknown;
  readonly relatedInformation?: unknown;
}

/** Another place that a problem is about; `uri` is one, or something else. 0-based. */
export interface RelatedPlace {
  readonly uri: unknown;
  readonly line: number;
  readonly character: number;
  readonly message: string;
}

/** How a file is named that a problem is also about: empty for its own, undefined to keep it back. */
export type NameRelated = (uri: unknown) => string | undefined;

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
  raw: RawProblem | null | undefined,
  size?: DocumentSize,
  nameRelated: NameRelated = () => undefined,
): Problem {
  const { range, message, source, code: given } = raw ?? {};
  const start = startOf(range);
  const line = Math.max(0, size ? Math.min(start.line, size.lineCount - 1) : start.line);
  const moved = line !== start.line;
  const width = size ? size.lineLength(line) : start.character;
  const character = moved ? 0 : Math.min(start.character, width);
  const code = wordOf(isRecord(given) ? given.value : given);
  return {
    line: line + 1,
    column: character + 1,
    severity: severityOf(raw),
    message: oneLine(messageOf(message)),
    ...(typeof source === 'string' && source !== '' ? { source: oneLine(source, 40) } : {}),
    ...(code === undefined || code === '' ? {} : { code: oneLine(code, 60) }),
    ...(moved ? { reportedLine: start.line + 1 } : {}),
    ...relatedOf(raw, nameRelated),
  };
}

/** Without one, or with one that there is not, it is an error. */
export function severityOf(raw: RawProblem | null | undefined): Severity {
  const severity = raw?.severity;
  return (typeof severity === 'number' ? SEVERITIES[severity] : undefined) ?? 'error';
}

/** What a problem is also about, as far as that can be read. */
export function relatedPlaces(raw: RawProblem | null | undefined): readonly RelatedPlace[] {
  const all = raw?.relatedInformation;
  if (!Array.isArray(all)) return [];
  return all.flatMap((one: unknown): readonly RelatedPlace[] => {
    if (!isRecord(one) || !isRecord(one.location)) return [];
    const { uri, range } = one.location;
    return [{ uri, ...startOf(range), message: messageOf(one.message) }];
  });
}

/** The first one that may be named; more of them are counted. */
function relatedOf(
  raw: RawProblem | null | undefined,
  nameRelated: NameRelated,
): Pick<Problem, 'related' | 'relatedPath'> {
  const named = relatedPlaces(raw).flatMap(({ uri, line, character, message }) => {
    const path = nameRelated(uri);
    if (path === undefined) return [];
    return [{ path, place: `${line + 1}:${character + 1} ${oneLine(message, 60)}` }];
  });
  const [first] = named;
  if (first === undefined) return {};
  const { path, place } = first;
  const related = `${path === '' ? '' : `${path} `}${place}`;
  return {
    related: named.length > 1 ? `${related} +${named.length - 1}` : related,
    ...(path === '' ? {} : { relatedPath: path }),
  };
}

/** The start of a range; that of the document where there is none. */
function startOf(range: unknown): { readonly line: number; readonly character: number } {
  const start = isRecord(range) && isRecord(range.start) ? range.start : {};
  return { line: indexOf(start.line), character: indexOf(start.character) };
}

function indexOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.trunc(value)) : 0;
}

/** Text, or markdown as an object; a problem stays one without it. */
function messageOf(message: unknown): string {
  return wordOf(isRecord(message) ? message.value : message) ?? '(no message)';
}

function wordOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;
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
