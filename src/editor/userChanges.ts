import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../base/disposable';
import { readBytes } from './fileBytes';
import { ownEdits } from './ownEdits';
import { isInWorkspace } from './servedFiles';
import { TextHistory, type TypedChange } from './textHistory';

/** What the person typed in one document. */
export interface ChangedDocument {
  readonly uri: vscode.Uri;
  readonly changes: readonly TypedChange[];
  readonly isUnsaved: boolean;
}

/** Knows what the person has changed in the editor. */
export interface UserChanges extends Disposable {
  /** What was typed after that moment (milliseconds since 1970), the latest document first. */
  since(moment: number): Promise<readonly ChangedDocument[]>;
}

/** A pause ends a stretch, so that a moment may lie between two of them. In milliseconds. */
const PAUSE_MS = 1_000;
/** Documents with more characters are not kept track of. */
const LARGEST = 1_000_000;
/** Documents that were typed in and are remembered. */
const DOCUMENTS = 100;
const SCHEMES = new Set(['file', 'untitled', 'vscode-notebook-cell']);

interface Tracked {
  readonly uri: vscode.Uri;
  readonly history: TextHistory;
  /** The text of the file as far as the editor knows. */
  saved: string;
  isUnsaved: boolean;
  isClosed: boolean;
  /**
   * A saved document has become this, which others or the person may have done: the event that tells
   * that it is unsaved comes after that of the change.
   */
  undecided?: string | undefined;
  timer?: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Listens to the editor. What counts as the person's is what makes a document unsaved, and undoing
 * it: a file that is written by others (the CLI, git) comes in as a change that leaves it saved, and
 * tools of ours tell what they change. What other extensions change passes for the person's.
 */
export function createUserChanges(): UserChanges {
  return new EditorUserChanges();
}

class EditorUserChanges implements UserChanges {
  readonly #store = new DisposableStore();
  readonly #documents = new Map<string, Tracked>();
  #closing: Promise<unknown> = Promise.resolve();

  constructor() {
    const { workspace } = vscode;
    for (const document of workspace.textDocuments) this.#track(document);
    this.#store.add(workspace.onDidOpenTextDocument((document) => this.#track(document)));
    this.#store.add(workspace.onDidChangeTextDocument((event) => this.#changed(event)));
    this.#store.add(workspace.onDidSaveTextDocument((document) => this.#wasSaved(document)));
    this.#store.add(workspace.onDidCloseTextDocument((document) => this.#closed(document)));
    this.#store.add(
      ownEdits.onWillEdit((uris) => {
        for (const uri of uris) this.#settle(this.#documents.get(uri.toString()));
      }),
    );
    this.#store.add(
      toDisposable(() => {
        for (const { timer } of this.#documents.values()) clearTimeout(timer);
      }),
    );
  }

  /** What is undecided yet is told the next time. */
  async since(moment: number): Promise<readonly ChangedDocument[]> {
    await this.#closing;
    const all = [...this.#documents.values()];
    for (const tracked of all) this.#settle(tracked);
    const unsaved = new Set(
      vscode.workspace.textDocuments.flatMap(({ uri, isDirty, isUntitled }) =>
        isDirty || isUntitled ? [uri.toString()] : [],
      ),
    );
    return all
      .sort((a, b) => b.history.lastTyped - a.history.lastTyped)
      .map(({ uri, history }) => ({
        uri,
        changes: history.since(moment),
        isUnsaved: unsaved.has(uri.toString()),
      }))
      .filter(({ changes }) => changes.length > 0);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #track(document: vscode.TextDocument): void {
    const { uri } = document;
    if (!SCHEMES.has(uri.scheme) || !isInWorkspace(uri)) return;
    const text = document.getText();
    if (text.length > LARGEST) return;
    const known = this.#documents.get(uri.toString());
    if (known === undefined) {
      const { isDirty: isUnsaved } = document;
      const history = new TextHistory(text);
      this.#documents.set(uri.toString(), {
        uri,
        history,
        saved: text,
        isUnsaved,
        isClosed: false,
      });
      return;
    }
    // A cell is told of as opened once more when it is shown.
    if (!known.isClosed) return;
    // Others may have written it meanwhile.
    known.isClosed = false;
    known.history.replaced(text);
    known.saved = text;
  }

  #changed({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    const tracked = this.#documents.get(document.uri.toString());
    if (tracked === undefined) return;
    const wasUnsaved = tracked.isUnsaved;
    tracked.isUnsaved = document.isDirty;
    // Turning unsaved fires too, without changes and after the change that did it.
    if (contentChanges.length === 0) {
      if (tracked.undecided !== undefined && document.isDirty) this.#typed(tracked);
      return;
    }
    this.#decideOthers(tracked);
    if (ownEdits.isOwnChange({ document, contentChanges })) {
      this.#replaced(tracked, document.getText(), !document.isDirty);
    } else if (document.isDirty || reason !== undefined || wasUnsaved || isCell(document.uri)) {
      this.#typed(tracked);
    } else {
      tracked.undecided = document.getText();
      this.#later(tracked, () => this.#decideOthers(tracked));
    }
  }

  #typed(tracked: Tracked): void {
    tracked.undecided = undefined;
    tracked.history.typed(Date.now());
    this.#later(tracked, () => this.#settle(tracked));
  }

  /** It did not turn unsaved by it: the last change was that of others. */
  #decideOthers(tracked: Tracked): void {
    if (tracked.undecided !== undefined) this.#replaced(tracked, tracked.undecided, true);
  }

  /** @param isSaved the file has that text */
  #replaced(tracked: Tracked, text: string, isSaved: boolean): void {
    clearTimeout(tracked.timer);
    tracked.undecided = undefined;
    tracked.history.replaced(text);
    if (isSaved) tracked.saved = text;
  }

  #later(tracked: Tracked, work: () => void): void {
    clearTimeout(tracked.timer);
    tracked.timer = setTimeout(work, PAUSE_MS);
  }

  #wasSaved(document: vscode.TextDocument): void {
    const tracked = this.#documents.get(document.uri.toString());
    if (tracked === undefined) return;
    this.#decideOthers(tracked);
    this.#settle(tracked);
    tracked.isUnsaved = document.isDirty;
    tracked.saved = tracked.history.text;
  }

  /** A document that is closed without saving has lost what was typed, and no event tells so. */
  #closed(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    const tracked = this.#documents.get(key);
    if (tracked === undefined) return;
    this.#decideOthers(tracked);
    tracked.history.settle(document.getText());
    tracked.isUnsaved = false;
    tracked.isClosed = true;
    clearTimeout(tracked.timer);
    if (tracked.history.isEmpty) {
      this.#documents.delete(key);
      return;
    }
    // Of a cell no event tells that it was saved.
    if (tracked.history.text !== tracked.saved && !isCell(document.uri)) {
      this.#closing = this.#closing.then(() => this.#lookAtDisk(tracked));
    }
    this.#forgetOldest();
  }

  async #lookAtDisk(tracked: Tracked): Promise<void> {
    const { uri, history, saved } = tracked;
    const written = history.text;
    const disk = await tryRead(uri);
    if (disk === written || history.text !== written) return;
    history.typed(history.lastTyped);
    history.settle(uri.scheme === 'untitled' ? '' : saved);
  }

  #settle(tracked: Tracked | undefined): void {
    if (tracked === undefined || tracked.undecided !== undefined) return;
    clearTimeout(tracked.timer);
    const key = tracked.uri.toString();
    const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === key);
    if (open) tracked.history.settle(open.getText());
  }

  #forgetOldest(): void {
    if (this.#documents.size <= DOCUMENTS) return;
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    const closed = [...this.#documents].filter(([key]) => !open.has(key));
    closed.sort(([, a], [, b]) => a.history.lastTyped - b.history.lastTyped);
    for (const [key] of closed.slice(0, this.#documents.size - DOCUMENTS)) {
      this.#documents.delete(key);
    }
  }
}

/** A cell turns unsaved with its notebook, and one that is read again is another document. */
function isCell({ scheme }: vscode.Uri): boolean {
  return scheme === 'vscode-notebook-cell';
}

/** Undefined for what is not there, or is no text. */
async function tryRead(uri: vscode.Uri): Promise<string | undefined> {
  if (uri.scheme !== 'file') return undefined;
  try {
    return await vscode.workspace.decode(await readBytes(uri), { uri });
  } catch {
    return undefined;
  }
}
