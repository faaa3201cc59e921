import type { ChangeProblem } from './changeEntry';
import { mergeTexts } from './mergeTexts';
import {
  bytesOf,
  isSameFile,
  markedBytes,
  markOf,
  modeOf,
  type SeenFile,
  type SeenText,
} from './seenFile';

/** What changes files for the person. All of it rejects where it fails, and then nothing is changed. */
export interface FileHand {
  see(file: string): Promise<SeenFile>;
  /**
   * Makes its text another one, by the changes between the two, as one undo step. It is saved where
   * it was. False where it has another text than `now` by then.
   * @param exact the whole content to end with, where it is a content that was there before
   */
  rewrite(file: string, now: SeenText, text: string, exact?: SeenText): Promise<boolean>;
  /** Makes the file, or all of what is in it. @param mode who may read, write and run it */
  put(file: string, bytes: Uint8Array, mode?: number): Promise<void>;
  trash(file: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
  /** Takes a folder away in which nothing is; false where that is not so. */
  clear(folder: string): Promise<boolean>;
}

/** What is to be taken back: the change from `base` to `after`, and of the place. */
export interface Change {
  readonly path: string;
  readonly from?: string | undefined;
  readonly base: SeenFile;
  readonly after: SeenFile;
}

export type Reverted =
  /** `opposite` takes the taking back itself back; undefined where there was nothing to do. */
  | { readonly ok: true; readonly opposite: Change | undefined }
  | { readonly ok: false; readonly problem: ChangeProblem };

/** The person may be typing in the same file. */
const TRIES = 3;

/**
 * Takes a change back, and leaves what others have made of the file since.
 * @param isSamePlace for the disk it has the name that it had before, such as with another case
 */
export async function revertChange(
  change: Change,
  hand: FileHand,
  isSamePlace = false,
): Promise<Reverted> {
  const { path, from, base, after } = change;
  const needsPlace = from !== undefined && !isSamePlace && base.kind !== 'none';
  if (needsPlace && !(await isFree(from, change, hand))) {
    // Of a folder in which nothing is left, and whose place another one has, nothing can be brought back.
    const isAnother = base.kind === 'folder' && (await hand.see(from)).kind === 'folder';
    if (isAnother && (await hand.clear(path))) return { ok: true, opposite: undefined };
    return failed({ kind: 'placeTaken', detail: from });
  }
  // What stands there by now is another file.
  const isElsewhere = from !== undefined && after.kind === 'none';
  for (let round = 0; round < TRIES; round += 1) {
    const now: SeenFile = isElsewhere ? after : await hand.see(path);
    const wanted = resultOf(change, now);
    if ('problem' in wanted) return failed(wanted.problem);
    const { result } = wanted;
    if (result === now && from === undefined) return { ok: true, opposite: undefined };
    const place = from ?? path;
    // What is not there is made where it belongs, and what goes has no way.
    const isThere = now.kind !== 'none';
    if (!(await apply(isThere ? path : place, now, result, base, hand))) continue;
    if (from !== undefined && isThere && result.kind !== 'none') await hand.move(path, from);
    // What stands at its place by now is another file, where it went itself.
    const left = result.kind === 'none' ? result : await hand.see(place);
    const moved = from === undefined ? {} : { from: path };
    return { ok: true, opposite: { path: place, ...moved, base: now, after: left } };
  }
  return failed({ kind: 'changing' });
}

/** Why the content could not be taken back as it is now; undefined where it could. */
export async function refusal(change: Change, hand: FileHand): Promise<ChangeProblem | undefined> {
  const wanted = resultOf(change, await hand.see(change.path));
  return 'problem' in wanted ? wanted.problem : undefined;
}

/** Of what was made in a folder that is gone by now, the folder may be left. */
async function isFree(place: string, { base }: Change, hand: FileHand): Promise<boolean> {
  const { kind } = await hand.see(place);
  return kind === 'none' || (kind === 'folder' && base.kind === 'folder' && hand.clear(place));
}

/** The file without the change, or why there is no such one. */
function resultOf(
  { base, after }: Change,
  now: SeenFile,
): { readonly result: SeenFile } | { readonly problem: ChangeProblem } {
  const isMoveOnly = isSameFile(base, after);
  if (isMoveOnly) return now.kind === 'none' ? { problem: { kind: 'gone' } } : { result: now };
  for (const one of [base, after, now]) {
    if (one.kind === 'opaque') return { problem: { kind: one.why } };
  }
  if (isSameFile(now, after)) return { result: base };
  if (now.kind === 'none') {
    return base.kind === 'none' ? { result: now } : { problem: { kind: 'gone' } };
  }
  if (after.kind === 'none') return { problem: { kind: 'exists' } };
  if (base.kind === 'none') return { problem: { kind: 'changedNew' } };
  if (base.kind !== 'text' || after.kind !== 'text' || now.kind !== 'text') {
    return { problem: { kind: 'changed' } };
  }
  const merged = mergeTexts(after.text, now.text, base.text);
  if (!merged.ok) return { problem: { kind: 'overlap', detail: String(merged.line) } };
  // Only its line ends may have been changed.
  const crlf = now.crlf === after.crlf ? base.crlf : now.crlf;
  return { result: withMark({ kind: 'text', text: merged.text, crlf }, { base, after, now }) };
}

/** With the byte-order mark, and so the encoding, that the change took from the file. */
function withMark(
  result: SeenText,
  { base, after, now }: Readonly<Record<'base' | 'after' | 'now', SeenText>>,
): SeenText {
  const mark = markOf(base);
  const isTaken = markOf(after) === undefined && markOf(now) === undefined;
  if (mark === undefined || !isTaken || now.bytes === undefined) return result;
  return { ...result, bytes: markedBytes(result, mark) };
}

/** False where the file is another one by then. */
async function apply(
  file: string,
  now: SeenFile,
  result: SeenFile,
  base: SeenFile,
  hand: FileHand,
): Promise<boolean> {
  if (result === now) return true;
  if (result.kind === 'none') {
    await hand.trash(file);
    return true;
  }
  if (now.kind === 'text' && result.kind === 'text') {
    const isExact = result === base || now.crlf !== result.crlf || result.bytes !== undefined;
    const exact = isExact ? result : undefined;
    return hand.rewrite(file, now, result.text, exact);
  }
  const bytes = bytesOf(result);
  if (bytes !== undefined) await hand.put(file, bytes, modeOf(result));
  return true;
}

function failed(problem: ChangeProblem): Reverted {
  return { ok: false, problem };
}
