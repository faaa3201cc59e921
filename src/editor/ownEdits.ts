import type * as vscode from 'vscode';
import { Emitter } from '../base/event';

/**
 * The documents that a tool of ours is changing. A change event does not tell who made a change, so
 * whoever wants only the person's has to be told of the others.
 */
export class OwnEdits {
  /** How many calls are changing a document, by its URI. */
  readonly #running = new Map<string, number>();
  readonly #will = new Emitter<readonly vscode.Uri[]>();
  /** Fires before the first change: what the documents hold then is not the tool's. */
  readonly onWillEdit = this.#will.event;

  /** All changes of the documents until `work` has ended count as the tool's. */
  async run<T>(uris: readonly vscode.Uri[], work: () => PromiseLike<T>): Promise<T> {
    this.#will.fire(uris);
    const keys = uris.map((uri) => uri.toString());
    for (const key of keys) this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    try {
      return await work();
    } finally {
      for (const key of keys) {
        const left = (this.#running.get(key) ?? 1) - 1;
        if (left > 0) this.#running.set(key, left);
        else this.#running.delete(key);
      }
    }
  }

  isOwn(uri: vscode.Uri): boolean {
    return this.#running.has(uri.toString());
  }
}

/** One for the window: the calls of all conversations change the same documents. */
export const ownEdits = new OwnEdits();
