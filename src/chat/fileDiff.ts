import { structuredPatch } from 'diff';
import { isJsonObject } from '../protocol/lazySchema';
import type { DiffHunk, FileDiff } from './viewStateProtocol';

/** How many lines of a diff the view gets; what is left out is counted in `omittedLines`. */
export const DIFF_LINE_LIMIT = 1000;

/** Lines of context around a change. */
const CONTEXT = 3;

/**
 * Above this the shortest edit is not looked for: its search grows with the square of the edits, and
 * a card waits for it (1000 take 0.2 s of a slow core, 4000 took 2 s).
 */
const MAX_EDITS = 1000;

/**
 * The difference between two texts of a file. Line ends are normalised first, as the CLI does in
 * what it reports: a file that only changes from CRLF to LF shows no change.
 * @param path as shown
 */
export function diffTexts(path: string, before: string, after: string): FileDiff {
  const oldText = normalizeLineEnds(before);
  const newText = normalizeLineEnds(after);
  const patch = structuredPatch('', '', oldText, newText, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: MAX_EDITS,
  });
  return boundDiff(path, patch?.hunks ?? [replaceMiddle(oldText, newText)]);
}

/**
 * The diff in a `tool_use_result` of Edit or Write (facts, section 3); undefined when there is
 * none. A new file has an empty patch and its whole `content`.
 */
export function diffFromToolResult(path: string, result: unknown): FileDiff | undefined {
  if (!isJsonObject(result) || !Array.isArray(result.structuredPatch)) return undefined;
  const hunks = result.structuredPatch.flatMap((hunk: unknown) => readHunk(hunk));
  if (hunks.length > 0) return boundDiff(path, hunks);
  const content = result.content;
  return result.type === 'create' && typeof content === 'string' && content !== ''
    ? diffTexts(path, '', content)
    : undefined;
}

export function normalizeLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function readHunk(value: unknown): DiffHunk[] {
  if (!isJsonObject(value) || !Array.isArray(value.lines)) return [];
  const { oldStart, newStart } = value;
  return [
    {
      oldStart: typeof oldStart === 'number' ? oldStart : 0,
      newStart: typeof newStart === 'number' ? newStart : 0,
      lines: value.lines.filter((line: unknown) => typeof line === 'string'),
    },
  ];
}

/** All between what both have at their beginning and at their end. */
function replaceMiddle(before: string, after: string): DiffHunk {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const most = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < most && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const from = Math.max(0, head - CONTEXT);
  const same = (lines: readonly string[]): string[] => lines.map((line) => ` ${line}`);
  return {
    oldStart: from + 1,
    newStart: from + 1,
    lines: [
      ...same(old.slice(from, head)),
      ...old.slice(head, old.length - tail).map((line) => `-${line}`),
      ...fresh.slice(head, fresh.length - tail).map((line) => `+${line}`),
      ...same(old.slice(old.length - tail, old.length - tail + CONTEXT)),
    ],
  };
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function boundDiff(path: string, source: readonly DiffHunk[]): FileDiff {
  const hunks: DiffHunk[] = [];
  let added = 0;
  let removed = 0;
  let room = DIFF_LINE_LIMIT;
  let omitted = 0;
  for (const hunk of source) {
    // `\ No newline at end of file` is a remark of the format, not a line of the file.
    const lines = hunk.lines.filter((line) => /^[ +-]/.test(line));
    for (const line of lines) {
      if (line.startsWith('+')) added += 1;
      else if (line.startsWith('-')) removed += 1;
    }
    const kept = lines.slice(0, room);
    if (kept.length > 0) {
      hunks.push({ oldStart: hunk.oldStart, newStart: hunk.newStart, lines: kept });
    }
    room -= kept.length;
    omitted += lines.length - kept.length;
  }
  return { path, hunks, added, removed, ...(omitted > 0 ? { omittedLines: omitted } : {}) };
}
