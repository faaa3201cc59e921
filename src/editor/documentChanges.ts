import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import { pause } from './boundedCall';
import { isUnsaved } from './notebookFile';
import { type IsExpected, ownEdits } from './ownEdits';

/** A document that was changed while somebody looked. */
export interface ChangedDocument {
  readonly document: vscode.TextDocument;
  /** It had unsaved changes of somebody else's. */
  readonly wasDirty: boolean;
  readonly places: number;
}

const QUIET_MS = 600;
const LOOK_MS = 40;

/** Sees which documents are changed from its making on, by whomever. */
export class DocumentChanges implements Disposable {
  readonly #wasDirty = new Set(
    vscode.workspace.textDocuments.filter(isUnsaved).map(({ uri }) => uri.toString()),
  );
  readonly #places = new Map<vscode.TextDocument, number>();
  readonly #touched = new Set<vscode.TextDocument>();
  readonly #listener: vscode.Disposable;
  #lastAt = 0;

  /** @param counts says of a change whether it is one of those that are waited for */
  constructor(counts: IsExpected) {
    this.#listener = vscode.workspace.onDidChangeTextDocument((change) => {
      const { document, contentChanges } = change;
      if (contentChanges.length === 0 || !counts(change)) {
        if (contentChanges.length > 0) this.#touched.add(document);
        // The person may be typing where the next change is one that counts.
        ownEdits.willEdit([document.uri]);
        return;
      }
      const known = this.#places.get(document) ?? 0;
      this.#places.set(document, known + contentChanges.length);
      this.#lastAt = Date.now();
    });
  }

  /** Those that were changed so far. @param before the URI of a document as it was before it moved */
  seen(before: (uri: vscode.Uri) => vscode.Uri = (uri) => uri): readonly ChangedDocument[] {
    return [...this.#places].map(([document, places]) => ({
      document,
      places,
      wasDirty: this.#wasDirty.has(before(document.uri).toString()) || this.#touched.has(document),
    }));
  }

  /** Those with unsaved changes of which none was waited for. */
  others(): readonly vscode.TextDocument[] {
    return [...this.#touched].filter(
      (document) => !this.#places.has(document) && document.isDirty && !document.isClosed,
    );
  }

  /** Waits for a first change, at most so long, and then until no more come. */
  async settle(firstMs: number, signal: AbortSignal): Promise<void> {
    const deadline = Date.now() + firstMs;
    while (!signal.aborted) {
      const now = Date.now();
      const until = this.#places.size === 0 ? deadline : this.#lastAt + QUIET_MS;
      if (now >= until) return;
      await pause(Math.min(LOOK_MS, until - now), signal);
    }
  }

  dispose(): void {
    this.#listener.dispose();
  }
}
