import type * as vscode from 'vscode';
import { Emitter } from '../base/event';

/** One change of a document, as the editor tells it. */
export type DocumentChange = Pick<vscode.TextDocumentChangeEvent, 'document' | 'contentChanges'>;
/** Says of a change whether it is one that is waited for. */
export type IsExpected = (change: DocumentChange) => boolean;

/**
 * The documents that a tool of ours is changing. A change event does not tell who made a change, so
 * whoever wants only the person's has to be told of the others.
 */
export class OwnEdits {
  /** How many calls are changing a document, by its URI. */
  readonly #running = new Map<string, number>();
  /** The same of those that are being saved. */
  readonly #saving = new Map<string, number>();
  readonly #expected = new Set<IsExpected>();
  readonly #will = new Emitter<readonly vscode.Uri[]>();
  /** Fires before the first change: what the documents hold then is not the tool's. */
  readonly onWillEdit = this.#will.event;

  /** All changes of the documents until `work` has ended count as the tool's. */
  async run<T>(uris: readonly vscode.Uri[], work: () => PromiseLike<T>): Promise<T> {
    this.willEdit(uris);
    return counted(this.#running, uris, work);
  }

  /** The same where a document is saved, which may take long: the person may be typing in it. */
  async runSaving<T>(uri: vscode.Uri, work: () => PromiseLike<T>): Promise<T> {
    return this.run([uri], () => counted(this.#saving, [uri], work));
  }

  /**
   * The same where others make the changes on a tool's behalf, and the person may be typing in the
   * same documents: the expected ones count as the tool's.
   */
  async runExpecting<T>(isExpected: IsExpected, work: () => PromiseLike<T>): Promise<T> {
    this.#expected.add(isExpected);
    try {
      return await work();
    } finally {
      this.#expected.delete(isExpected);
    }
  }

  /** What the documents hold now is not the tool's. */
  willEdit(uris: readonly vscode.Uri[]): void {
    this.#will.fire(uris);
  }

  /** Whether a tool is changing or saving the document. */
  isOwn(uri: vscode.Uri): boolean {
    return this.#running.has(uri.toString());
  }

  isSaving(uri: vscode.Uri): boolean {
    return this.#saving.has(uri.toString());
  }

  isOwnChange(change: DocumentChange): boolean {
    return (
      this.isOwn(change.document.uri) ||
      [...this.#expected].some((isExpected) => isExpected(change))
    );
  }
}

async function counted<T>(
  running: Map<string, number>,
  uris: readonly vscode.Uri[],
  work: () => PromiseLike<T>,
): Promise<T> {
  const keys = uris.map((uri) => uri.toString());
  for (const key of keys) running.set(key, (running.get(key) ?? 0) + 1);
  try {
    return await work();
  } finally {
    for (const key of keys) {
      const left = (running.get(key) ?? 1) - 1;
      if (left > 0) running.set(key, left);
      else running.delete(key);
    }
  }
}

/** One for the window: the calls of all conversations change the same documents. */
export const ownEdits = new OwnEdits();
