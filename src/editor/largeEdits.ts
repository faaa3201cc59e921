import type * as vscode from 'vscode';

interface LargeEdit {
  readonly uri: vscode.Uri;
  /** Of a change that may be that of others: the event that tells that it is unsaved comes after it. */
  changedAt?: number | undefined;
  /** When the person last typed in it; 0 for never. In milliseconds since 1970. */
  typedAt: number;
  /** The same of what the file has. */
  savedAt: number;
  /** The same of what was unsaved until now: saved, which is told next, or undone. */
  leftAt: number;
}

/** Documents whose texts are too long to be kept: of them it is only known that they were edited. */
export class LargeEdits {
  #documents = new Map<string, LargeEdit>();

  opened(uri: vscode.Uri): void {
    const key = uri.toString();
    if (!this.#documents.has(key))
      this.#documents.set(key, { uri, typedAt: 0, savedAt: 0, leftAt: 0 });
  }

  /** @param isOwn a tool of ours is changing it */
  changed({ document, contentChanges }: vscode.TextDocumentChangeEvent, isOwn: boolean): void {
    const large = this.#documents.get(document.uri.toString());
    if (large === undefined) return;
    if (contentChanges.length > 0) large.changedAt = isOwn ? undefined : Date.now();
    if (!document.isDirty) {
      if (large.typedAt > large.savedAt) large.leftAt = large.typedAt;
      large.typedAt = large.savedAt;
    } else if (large.changedAt !== undefined) {
      large.typedAt = large.changedAt;
      large.changedAt = undefined;
    }
  }

  saved(uri: vscode.Uri): void {
    const large = this.#documents.get(uri.toString());
    if (large === undefined) return;
    large.typedAt = Math.max(large.typedAt, large.leftAt);
    large.savedAt = large.typedAt;
    large.leftAt = 0;
  }

  /** What was not saved is lost. */
  closed(uri: vscode.Uri): void {
    const large = this.#documents.get(uri.toString());
    if (large) large.typedAt = large.savedAt;
  }

  /** @param movedTo undefined for what has kept its name */
  renamed(movedTo: (uri: vscode.Uri) => vscode.Uri | undefined): void {
    const moved = [...this.#documents.values()].map((large) => ({
      ...large,
      uri: movedTo(large.uri) ?? large.uri,
    }));
    this.#documents = new Map(moved.map((large) => [large.uri.toString(), large]));
  }

  since(moment: number): readonly { readonly uri: vscode.Uri; readonly at: number }[] {
    return [...this.#documents.values()].flatMap(({ uri, typedAt }) =>
      typedAt > moment ? [{ uri, at: typedAt }] : [],
    );
  }
}
