import { isJsonObject } from '../protocol/lazySchema';
import { cellEdit } from './cellEdit';
import { editorEdited, editorEditPath } from './editorEdit';
import { diffTexts, normalizeLineEnds } from './fileDiff';
import { displayPath } from './displayPath';
import type { FileDiff } from './viewStateProtocol';

/** A file, or a cell of a notebook, before and after what a tool call proposes. `path` as the call gives it. */
export interface ProposedEdit {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** `MultiEdit` is gone from present versions of the CLI; older ones have it. */
const EDITING_TOOLS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);

/** The path that an editing tool of the CLI would write; undefined for any other call. */
export function editedPath(toolName: string, input: unknown): string | undefined {
  if (!isJsonObject(input)) return undefined;
  const key = toolName === 'NotebookEdit' ? 'notebook_path' : 'file_path';
  if (!EDITING_TOOLS.has(toolName)) return undefined;
  const path = input[key];
  return typeof path === 'string' ? path : undefined;
}

/** The same of a call of one of our own tools as well, where it is about one file. */
export function changedPath(toolName: string, input: unknown): string | undefined {
  return editedPath(toolName, input) ?? editorEditPath(toolName, input);
}

/**
 * What an editing call would make of a file; undefined when that cannot be foreseen: another
 * tool, or text that the call replaces is not there (the CLI then refuses it by itself).
 * @param currentText the file as it is now; undefined when it does not exist
 */
export function proposedEdit(
  toolName: string,
  input: unknown,
  currentText: string | undefined,
): ProposedEdit | undefined {
  const path = changedPath(toolName, input);
  if (path === undefined || !isJsonObject(input)) return undefined;
  if (toolName === 'NotebookEdit') {
    const cell = cellEdit(input, currentText ?? '');
    return cell && { path, ...cell };
  }
  const before = normalizeLineEnds(currentText ?? '');
  const isOurs = editorEditPath(toolName, input) !== undefined;
  const own = isOurs ? editorEdited(toolName, input, before) : undefined;
  const after = isOurs ? own : toolName === 'Write' ? written(input) : edited(input, before);
  return after === undefined ? undefined : { path, before, after };
}

/**
 * The diff of a proposed call for its permission card.
 * @param currentText null when it was not looked up: then an Edit shows the replaced stretch alone,
 *   at line 0 (its place is not known), and a Write shows nothing
 */
export function proposedDiff(
  toolName: string,
  input: unknown,
  currentText: string | undefined | null,
  folder: string | undefined,
): FileDiff | undefined {
  if (currentText === null) return stretchDiff(toolName, input, folder);
  const edit = proposedEdit(toolName, input, currentText);
  return edit && diffTexts(displayPath(edit.path, folder), edit.before, edit.after);
}

function written(input: Record<string, unknown>): string | undefined {
  const { content } = input;
  return typeof content === 'string' ? normalizeLineEnds(content) : undefined;
}

function edited(input: Record<string, unknown>, before: string): string | undefined {
  const oldText = input.old_string;
  const newText = input.new_string;
  if (typeof oldText !== 'string' || typeof newText !== 'string') return undefined;
  // An empty `old_string` is how the tool creates a file.
  if (oldText === '') return before === '' ? newText : undefined;
  const wanted = normalizeLineEnds(oldText);
  const replacement = normalizeLineEnds(newText);
  if (!before.includes(wanted)) return undefined;
  // A function, because `$&` in a replacement text is a pattern.
  return input.replace_all === true
    ? before.replaceAll(wanted, () => replacement)
    : before.replace(wanted, () => replacement);
}

function stretchDiff(
  toolName: string,
  input: unknown,
  folder: string | undefined,
): FileDiff | undefined {
  const path = editedPath(toolName, input);
  if (path === undefined || toolName !== 'Edit' || !isJsonObject(input)) return undefined;
  const oldText = input.old_string;
  const newText = input.new_string;
  if (typeof oldText !== 'string' || typeof newText !== 'string') return undefined;
  const diff = diffTexts(displayPath(path, folder), oldText, newText);
  return { ...diff, hunks: diff.hunks.map((hunk) => ({ ...hunk, oldStart: 0, newStart: 0 })) };
}
