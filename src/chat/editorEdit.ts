import { applyReplacements, type Hunk, placeHunks } from '../base/placeHunks';
import { isJsonObject } from '../protocol/lazySchema';

/** Our own tool that changes text through the editor. */
const EDITOR_EDIT = 'mcp__editor__edit';

/** The path of a call of the editor's `edit` that is about one file; undefined for any other call. */
export function editorEditPath(toolName: string, input: unknown): string | undefined {
  const edits = editsOf(toolName, input);
  const paths = new Set(edits.map((edit) => edit.path));
  const [path] = paths;
  return paths.size === 1 && typeof path === 'string' && !path.includes(':') ? path : undefined;
}

/**
 * What such a call would make of the file, by the tool's own placing; undefined where it will be
 * refused.
 * @param before with plain line ends
 */
export function editorEdited(toolName: string, input: unknown, before: string): string | undefined {
  const hunks = editsOf(toolName, input).map(readHunk);
  if (hunks.length === 0 || !hunks.every((hunk) => hunk !== undefined)) return undefined;
  const placed = placeHunks(before, hunks, '\n');
  return placed.ok ? applyReplacements(before, placed.replacements).text : undefined;
}

function editsOf(toolName: string, input: unknown): readonly Record<string, unknown>[] {
  if (toolName !== EDITOR_EDIT || !isJsonObject(input) || !Array.isArray(input.edits)) return [];
  return input.edits.filter(isJsonObject);
}

function readHunk(edit: Record<string, unknown>): Hunk | undefined {
  const { old, all } = edit;
  if (typeof old !== 'string' || typeof edit.new !== 'string') return undefined;
  return { old, new: edit.new, all: all === true };
}
