import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import { type ChangeKind, FreshnessLog } from './freshnessLog';
import { shownDocuments, tabUris } from './openTabs';
import { isTypeScript } from './scriptLanguage';

export interface EditedDocument {
  readonly uri: vscode.Uri;
  /** TypeScript reads it, and so its problems elsewhere may be others now. */
  readonly isScript: boolean;
}

/** Knows whether the problems of a document were reported after its last edit. */
export interface DiagnosticsFreshness extends Disposable {
  /** Counts edits of any document since activation: equal numbers, equal texts. */
  readonly edits: number;
  /** The documents that were edited after `edits` had that number. */
  editedSince(edits: number): readonly EditedDocument[];
  /** Milliseconds since the document was last edited, opened or shown; `Infinity` if never seen. */
  changeAge(uri: vscode.Uri): number;
  lastChange(uri: vscode.Uri): ChangeKind;
  /** Whether a report came after the last change; more may follow. */
  hasReport(uri: vscode.Uri): boolean;
  /** Whether a script was edited since the last report, on which this one may depend. */
  isDoubtful(uri: vscode.Uri): boolean;
  /** Waits for a report and quiet after it; see `FreshnessLog.settle`. */
  settle(uri: vscode.Uri, timeoutMs: number, signal: AbortSignal): Promise<boolean>;
}

/**
 * Listens from activation on. VS Code has no "analysed" signal, and a file that stays clean may
 * get no event at all: whoever asks has to tell "no problems" from "no report".
 */
export function createDiagnosticsFreshness(): DiagnosticsFreshness {
  const store = new DisposableStore();
  const log = store.add(new FreshnessLog());
  let edits = 0;
  const edited = new Map<string, EditedDocument & { readonly edit: number }>();
  for (const [uri, problems] of vscode.languages.getDiagnostics()) {
    if (problems.length > 0) log.reported(uri.toString());
  }
  store.add(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      // Saving and turning dirty fire too, without changes.
      if (contentChanges.length === 0) return;
      edits += 1;
      const { uri } = document;
      const isScript = isTypeScript(document);
      edited.set(uri.toString(), { uri, isScript, edit: edits });
      log.changed(uri.toString(), 'edit');
      if (isScript) log.sharedChanged();
    }),
  );
  store.add(
    vscode.workspace.onDidOpenTextDocument(({ uri }) => log.changed(uri.toString(), 'open')),
  );
  store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => log.forget(uri.toString())));
  store.add(
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      const outside: vscode.Uri[] = [];
      for (const uri of uris) {
        if (liesOutside(uri)) outside.push(uri);
        else log.reported(uri.toString());
      }
      void reportedOutside(log, outside);
    }),
  );
  store.add(watchTabs(log));
  return {
    get edits() {
      return edits;
    },
    editedSince: (mark) => [...edited.values()].filter(({ edit }) => edit > mark),
    changeAge: (uri) => log.changeAge(uri.toString()),
    lastChange: (uri) => log.lastChange(uri.toString()),
    hasReport: (uri) => log.hasReport(uri.toString()),
    isDoubtful: (uri) => log.isDoubtful(uri.toString()),
    settle: (uri, timeoutMs, signal) => log.settle(uri.toString(), timeoutMs, signal),
    dispose: () => store.dispose(),
  };
}

function liesOutside(uri: vscode.Uri): boolean {
  return uri.scheme === 'file' && vscode.workspace.getWorkspaceFolder(uri) === undefined;
}

/** Of a folder that is a link many servers name files by where it leads. */
async function reportedOutside(log: FreshnessLog, uris: readonly vscode.Uri[]): Promise<void> {
  if (uris.length === 0) return;
  // Not with activation: hardly anybody needs it.
  const { nameInWorkspace } = await import('./servedFiles');
  const nameOf = await nameInWorkspace(uris);
  for (const uri of uris) log.reported(nameOf(uri).toString());
}

/**
 * A document that gets its first tab is analysed only then. Its last report may be the one that
 * cleared it when an earlier tab was closed, and must not pass for "no problems".
 */
function watchTabs(log: FreshnessLog): Disposable {
  let known = new Set(shownDocuments().keys());
  return vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
    for (const key of opened.flatMap(tabUris).map((uri) => uri.toString())) {
      if (!known.has(key)) log.changed(key, 'open');
    }
    known = new Set(shownDocuments().keys());
  });
}
