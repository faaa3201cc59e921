import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import { pause } from './boundedCall';

/** A document that was changed while somebody looked. */
export interface ChangedDocument {
  readonly document: vscode.TextDocument;
  /** It had unsaved changes before all this. */
  readonly wasDirty: boolean;
  readonly places: number;
}

const QUIET_MS = 600;
const LOOK_MS = 40;

/** Sees which documents are changed from its making on, by whomever. */
export class DocumentChanges implements Disposable {
  readonly #wasDirty = new Set(
    vscode.workspace.textDocuments
      .filter(({ isDirty }) => isDirty)
      .map(({ uri }) => uri.toString()),
  );
  readonly #places = new Map<vscode.TextDocument, number>();
  readonly #listener: vscode.Disposable;
  #lastAt = 0;

  /** @param counts says of a change whether it is one of those that are waited for */
  constructor(counts: (change: vscode.TextDocumentChangeEvent) => boolean) {
    this.#listener = vscode.workspace.onDidChangeTextDocument((change) => {
      if (change.contentChanges.length === 0 || !counts(change)) return;
      const known = this.#places.get(change.document) ?? 0;
      this.#places.set(change.document, known + change.contentChanges.length);
      this.#lastAt = Date.now();
    });
  }

  /** Those that were changed so far. @param before the URI of a document as it was before it moved */
  seen(before: (uri: vscode.Uri) => vscode.Uri = (uri) => uri): readonly ChangedDocument[] {
    return [...this.#places].map(([document, places]) => ({
      document,
      places,
      wasDirty: this.#wasDirty.has(before(document.uri).toString()),
    }));
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
