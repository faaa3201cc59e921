import {
  type DocumentPasteEditProvider,
  languages,
  type Range,
  type TextDocument,
  type Uri,
} from 'vscode';
import type { Disposable } from '../base/disposable';
import { mentionText } from '../chat/mentions';
import { isSameCode, MAX_PASTED_CODE, mayBeCode } from '../chat/pasteProtocol';
import { findOpen } from '../editor/openFile';
import { lookAtRules, type ReadGuard } from '../editor/readGuard';
import { mentionPath } from './mentionPath';

interface Copied {
  readonly uri: Uri;
  readonly range: Range;
  readonly text: string;
}

/**
 * The last code that was copied in an editor of this window: what is pasted then has a place. Fact: the
 * clipboard has no path, but a paste provider is told of each copy. In another window it is plain text.
 */
export class CopiedCode implements Disposable, DocumentPasteEditProvider {
  readonly #guard: ReadGuard | undefined;
  readonly #registered: Disposable;
  #last: Copied | undefined;

  constructor(guard: ReadGuard | undefined) {
    this.#guard = guard;
    this.#registered = languages.registerDocumentPasteEditProvider({ scheme: 'file' }, this, {
      providedPasteEditKinds: [],
    });
  }

  dispose(): void {
    this.#registered.dispose();
    this.#last = undefined;
  }

  /** Called by the editor with each copy and cut. */
  prepareDocumentPaste(document: TextDocument, ranges: readonly Range[]): void {
    const [range] = ranges;
    this.#last = undefined;
    if (range === undefined || ranges.length > 1) return;
    // A range may be larger than what anyone pastes: its text is not made for nothing.
    if (document.offsetAt(range.end) - document.offsetAt(range.start) > MAX_PASTED_CODE) return;
    this.#last = { uri: document.uri, range, text: document.getText(range) };
  }

  /**
   * The mention of the lines that the text was copied from. Undefined where it was copied elsewhere,
   * where the lines are not open any more or say something else by now, and for what is kept back.
   */
  async mentionOf(text: string, folder: string | undefined): Promise<string | undefined> {
    const copied = this.#last;
    if (copied === undefined || !mayBeCode(text) || !isSameCode(text, copied.text))
      return undefined;
    const { uri, range } = copied;
    const document = findOpen(uri);
    if (document === undefined || !isSameCode(document.getText(range), text)) return undefined;
    if ((await lookAtRules(this.#guard, [uri]))(uri) !== undefined) return undefined;
    const from = range.start.line + 1;
    // The break behind the last line belongs to it.
    const to = range.end.character === 0 ? range.end.line : range.end.line + 1;
    return mentionText(
      `${mentionPath(uri.fsPath, folder)}:${from === to ? from : `${from}-${to}`}`,
    );
  }
}
