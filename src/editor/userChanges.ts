import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../base/disposable';
import { readBytes } from './fileBytes';
import { LargeEdits } from './largeEdits';
import { findOpen } from './openFile';
import { ownEdits } from './ownEdits';
import { isCell, movedTo, type Renamed } from './movedUri';
import { isInWorkspace } from './servedFiles';
import { TextHistory, type TypedChange } from './textHistory';

/** What the person typed in one document. */
export interface ChangedDocument {
  readonly uri: vscode.Uri;
  readonly changes: readonly TypedChange[];
  readonly isUnsaved: boolean;
  /** Why not all that was typed is known, in a few words. */
  readonly gap?: string | undefined;
}

/** Knows what the person has changed in the editor. */
export interface UserChanges extends Disposable {
  /** What was typed after that moment (milliseconds since 1970), the latest document first. */
  since(moment: number): Promise<readonly ChangedDocument[]>;
}

/** A pause ends a stretch, so that a moment may lie between two of them. In milliseconds. */
const PAUSE_MS = 1_000;
/** Of documents with more characters the text is not kept. */
const LARGEST = 1_000_000;
/** Documents that were typed in and are remembered. */
const DOCUMENTS = 100;
const TOO_LARGE = 'edited; what was typed is not followed in over 1,000,000 characters';
const TOO_OLD = 'older edits are no longer known';
const SCHEMES = new Set(['file', 'untitled', 'vscode-notebook-cell']);

interface Tracked {
  readonly uri: vscode.Uri;
  readonly history: TextHistory;
  /** The text of the file as far as the editor knows. */
  saved: string;
  isUnsaved: boolean;
  isClosed: boolean;
  /** It was renamed with unsaved changes: the editor opens it anew with them. */
  isReopening?: boolean;
  /**
   * A saved document has become this, which others or the person may have done: the event that tells
   * that it is unsaved comes after that of the change.
   */
  undecided?: string | undefined;
  /** A change that came while a tool was saving: a step of saving, unless keys have made it. */
  whileSaving?: SavedChange | undefined;
  timer?: ReturnType<typeof setTimeout> | undefined;
}

interface SavedChange {
  readonly text: string;
  readonly changes: readonly vscode.TextDocumentContentChangeEvent[];
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
  readonly #large = new LargeEdits();
  /** Those that were let go of, and when they were last typed in. */
  readonly #forgotten = new Map<string, { readonly uri: vscode.Uri; readonly at: number }>();
  /** What the editor is renaming: it closes the documents before it tells that they have moved. */
  #renaming: readonly Renamed[] = [];
  #closing: Promise<unknown> = Promise.resolve();

  constructor() {
    const { workspace } = vscode;
    for (const document of workspace.textDocuments) this.#track(document);
    this.#store.add(workspace.onDidOpenTextDocument((document) => this.#track(document)));
    this.#store.add(workspace.onDidChangeTextDocument((event) => this.#changed(event)));
    this.#store.add(vscode.window.onDidChangeTextEditorSelection((event) => this.#moved(event)));
    this.#store.add(workspace.onDidSaveTextDocument((document) => this.#wasSaved(document)));
    this.#store.add(workspace.onDidCloseTextDocument((document) => this.#closed(document)));
    this.#store.add(
      workspace.onWillRenameFiles(({ files }) => {
        this.#renaming = files;
      }),
    );
    this.#store.add(workspace.onDidRenameFiles(({ files }) => this.#renamed(files)));
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
    const told = all.flatMap(({ uri, history }) => {
      const changes = history.since(moment);
      const isCut = history.isCutSince(moment) || this.#isForgottenSince(uri, moment);
      if (changes.length === 0 && !isCut) return [];
      return [{ uri, at: history.lastTyped, changes, gap: isCut ? TOO_OLD : undefined }];
    });
    const bare = [
      ...this.#large.since(moment).map((one) => ({ ...one, gap: TOO_LARGE })),
      ...[...this.#forgotten]
        .filter(([key, { at }]) => at > moment && !this.#documents.has(key))
        .map(([, one]) => ({ ...one, gap: TOO_OLD })),
    ];
    return [...told, ...bare.map((one) => ({ ...one, changes: [] }))]
      .sort((a, b) => b.at - a.at)
      .map(({ uri, changes, gap }) => ({
        uri,
        changes,
        gap,
        isUnsaved: unsaved.has(uri.toString()),
      }));
  }

  #isForgottenSince(uri: vscode.Uri, moment: number): boolean {
    return (this.#forgotten.get(uri.toString())?.at ?? 0) > moment;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #track(document: vscode.TextDocument): void {
    const { uri } = document;
    if (!SCHEMES.has(uri.scheme) || !isInWorkspace(uri)) return;
    const text = document.getText();
    const known = this.#documents.get(uri.toString());
    if (known === undefined && text.length > LARGEST) {
      this.#large.opened(uri);
      return;
    }
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
    known.isClosed = false;
    if (known.isReopening === true) {
      known.isReopening = false;
      return;
    }
    // Others may have written it meanwhile.
    known.history.replaced(text);
    known.saved = text;
  }

  #changed(event: vscode.TextDocumentChangeEvent): void {
    const { document, contentChanges, reason } = event;
    this.#large.changed(event, ownEdits.isOwn(document.uri));
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
    if (ownEdits.isSaving(document.uri)) {
      tracked.whileSaving = { text: document.getText(), changes: contentChanges };
    } else if (ownEdits.isOwnChange({ document, contentChanges })) {
      this.#replaced(tracked, document.getText(), !document.isDirty);
    } else if (isReverted(event, wasUnsaved)) {
      this.#reverted(tracked, document.getText());
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

  /** The cursor goes with what is typed, which comes right after the change and tells of keys. */
  #moved({ textEditor, selections, kind }: vscode.TextEditorSelectionChangeEvent): void {
    const tracked = this.#documents.get(textEditor.document.uri.toString());
    const { whileSaving } = tracked ?? {};
    if (tracked === undefined || whileSaving === undefined) return;
    const isOfKeys = kind === vscode.TextEditorSelectionChangeKind.Keyboard;
    const { text, changes } = whileSaving;
    if (!isOfKeys || !isWhereTyped(textEditor.document, selections, changes)) return;
    tracked.whileSaving = undefined;
    tracked.history.typed(Date.now());
    tracked.history.settle(text);
  }

  /** What was typed is gone, and what the file has by now may be that of others. */
  #reverted(tracked: Tracked, text: string): void {
    tracked.history.typed(Date.now());
    tracked.history.settle(tracked.saved);
    this.#replaced(tracked, text, true);
  }

  /** It did not turn unsaved by it, or no keys made it: the last change was that of others. */
  #decideOthers(tracked: Tracked): void {
    if (tracked.whileSaving !== undefined) {
      this.#replaced(tracked, tracked.whileSaving.text, false);
    }
    if (tracked.undecided !== undefined) this.#replaced(tracked, tracked.undecided, true);
  }

  /** @param isSaved the file has that text */
  #replaced(tracked: Tracked, text: string, isSaved: boolean): void {
    clearTimeout(tracked.timer);
    tracked.undecided = undefined;
    tracked.whileSaving = undefined;
    tracked.history.replaced(text);
    if (isSaved) tracked.saved = text;
  }

  #later(tracked: Tracked, work: () => void): void {
    clearTimeout(tracked.timer);
    tracked.timer = setTimeout(work, PAUSE_MS);
  }

  #wasSaved(document: vscode.TextDocument): void {
    this.#large.saved(document.uri);
    const tracked = this.#documents.get(document.uri.toString());
    if (tracked === undefined) return;
    this.#decideOthers(tracked);
    this.#settle(tracked);
    tracked.isUnsaved = document.isDirty;
    tracked.saved = tracked.history.text;
  }

  /** A document that is closed without saving has lost what was typed, and no event tells so. */
  #closed(document: vscode.TextDocument): void {
    // Another language is told of as closing and opening.
    if (!document.isClosed) return;
    const key = document.uri.toString();
    const isMoving = movedTo(document.uri, this.#renaming) !== undefined;
    if (!isMoving) this.#large.closed(document.uri);
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
    if (tracked.history.text !== tracked.saved && !isMoving && !isCell(document.uri)) {
      this.#closing = this.#closing.then(() => this.#lookAtDisk(tracked));
    }
    this.#forgetOldest();
  }

  /** What was typed goes with the file. Its document is another one then, before this or after it. */
  #renamed(files: readonly Renamed[]): void {
    this.#renaming = [];
    this.#large.renamed((uri) => movedTo(uri, files));
    for (const [key, tracked] of [...this.#documents]) {
      const uri = movedTo(tracked.uri, files);
      if (uri === undefined) continue;
      this.#decideOthers(tracked);
      this.#settle(tracked);
      clearTimeout(tracked.timer);
      this.#documents.delete(key);
      const to = uri.toString();
      clearTimeout(this.#documents.get(to)?.timer);
      const { history, saved } = tracked;
      const open = findOpen(uri);
      if (open) history.replaced(open.getText());
      const isUnsaved = open ? open.isDirty : history.text !== saved;
      const isReopening = open === undefined && isUnsaved;
      this.#documents.set(to, {
        ...{ uri, history, saved, isUnsaved, isReopening },
        isClosed: open === undefined,
      });
    }
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
    if (tracked === undefined) return;
    if (tracked.undecided !== undefined || tracked.whileSaving !== undefined) return;
    clearTimeout(tracked.timer);
    const open = findOpen(tracked.uri);
    if (open) tracked.history.settle(open.getText());
  }

  #forgetOldest(): void {
    if (this.#documents.size <= DOCUMENTS) return;
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    const closed = [...this.#documents].filter(([key]) => !open.has(key));
    closed.sort(([, a], [, b]) => a.history.lastTyped - b.history.lastTyped);
    for (const [key, { uri, history }] of closed.slice(0, this.#documents.size - DOCUMENTS)) {
      this.#documents.delete(key);
      this.#forgotten.set(key, { uri, at: history.lastTyped });
    }
  }
}

/** Whether the cursors stand in what has just been put in. */
function isWhereTyped(
  document: vscode.TextDocument,
  selections: readonly vscode.Selection[],
  changes: readonly vscode.TextDocumentContentChangeEvent[],
): boolean {
  const [only] = changes;
  if (only === undefined || changes.length !== selections.length) return false;
  // Of several the places shift by each other.
  if (changes.length > 1) return true;
  const { rangeOffset: start, text } = only;
  return selections.every(({ active }) => {
    const at = document.offsetAt(active);
    return at >= start && at <= start + text.length;
  });
}

/** Not undone: read again from its file, which others may have written meanwhile. */
function isReverted(
  { document, reason }: vscode.TextDocumentChangeEvent,
  wasUnsaved: boolean,
): boolean {
  const isOfFile = document.uri.scheme === 'file';
  return isOfFile && wasUnsaved && !document.isDirty && reason === undefined;
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
