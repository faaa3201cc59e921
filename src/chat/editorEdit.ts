import { isJsonObject } from '../protocol/lazySchema';
import { normalizeLineEnds } from './fileDiff';

/** Our own tool that changes text through the editor. */
const EDITOR_EDIT = 'mcp__editor__edit';

interface Hunk {
  readonly old: string;
  readonly new: string;
  readonly isAll: boolean;
}

/** The path of a call of the editor's `edit` that is about one file; undefined for any other call. */
export function editorEditPath(toolName: string, input: unknown): string | undefined {
  const edits = editsOf(toolName, input);
  const paths = new Set(edits.map((edit) => edit.path));
  const [path] = paths;
  return paths.size === 1 && typeof path === 'string' && !path.includes(':') ? path : undefined;
}

/**
 * What such a call would make of the file; undefined where it will be refused. All of its edits see
 * the text as it is before.
 * @param before with plain line ends
 */
export function editorEdited(toolName: string, input: unknown, before: string): string | undefined {
  const found = editsOf(toolName, input).map((edit) => {
    const hunk = readHunk(edit);
    return hunk && places(before, hunk);
  });
  if (found.length === 0 || found.some((one) => one === undefined)) return undefined;
  const all = found.flatMap((one) => one ?? []).sort((a, b) => a.start - b.start);
  let after = '';
  let at = 0;
  for (const { start, end, text } of all) {
    if (start < at) return undefined;
    after += before.slice(at, start) + text;
    at = end;
  }
  return after + before.slice(at);
}

interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function places(before: string, { old, new: text, isAll }: Hunk): readonly Stretch[] | undefined {
  if (old === '') return before === '' ? [{ start: 0, end: 0, text }] : undefined;
  const found: Stretch[] = [];
  for (let at = before.indexOf(old); at >= 0; at = before.indexOf(old, at + old.length)) {
    found.push({ start: at, end: at + old.length, text });
  }
  return found.length === 1 || (isAll && found.length > 0) ? found : undefined;
}

function editsOf(toolName: string, input: unknown): readonly Record<string, unknown>[] {
  if (toolName !== EDITOR_EDIT || !isJsonObject(input) || !Array.isArray(input.edits)) return [];
  return input.edits.filter(isJsonObject);
}

function readHunk(edit: Record<string, unknown>): Hunk | undefined {
  const { old, all } = edit;
  if (typeof old !== 'string' || typeof edit.new !== 'string') return undefined;
  return { old: normalizeLineEnds(old), new: normalizeLineEnds(edit.new), isAll: all === true };
}
