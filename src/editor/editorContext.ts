import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import { documentSize } from './openDocument';
import { findOpen } from './openFile';
import { shownDocuments } from './openTabs';
import { pathDistance } from './pathDisplay';
import { countSeverities, type Problem, type SeverityCounts, toProblem } from './problem';
import { excludedFiles, isInWorkspace, shownPath } from './servedFiles';

/** The person's selection; lines are 1-based. Without one, `from` and `to` are the cursor's line. */
export interface ActiveSelection {
  readonly path: string;
  readonly uri: vscode.Uri;
  readonly from: number;
  readonly to: number;
  /** The selected text with its own line ends; empty without a selection. */
  readonly text: string;
}

/** What an empty conversation may offer to work on. */
export interface Suggestions {
  /** Files with errors or warnings, most errors first. */
  readonly problemFiles: readonly {
    readonly path: string;
    readonly uri: vscode.Uri;
    readonly counts: SeverityCounts;
  }[];
  readonly dirtyFiles: readonly { readonly path: string; readonly uri: vscode.Uri }[];
}

/** What the person is looking at. */
export interface EditorContext extends Disposable {
  /** The active text editor, or the last one while its document is still open and visible. */
  activeEditor(): vscode.TextEditor | undefined;
  activeSelection(): ActiveSelection | undefined;
  /** Problems as the editor has them now; nothing is waited for. */
  problemsOfFile(uri: vscode.Uri): readonly Problem[];
  suggestions(limit?: number): Suggestions;
  /** Makes a function that tells how near a file is: 0 active, 1 visible, 2 in a tab, then by folders. */
  nearness(): (uri: vscode.Uri) => number;
}

/**
 * Keeps the last text editor when the focus goes to a webview, a terminal or an output: the active
 * editor is undefined then, although the person still sees the file.
 */
export function createEditorContext(): EditorContext {
  let last = vscode.window.activeTextEditor;
  const listener = vscode.window.onDidChangeActiveTextEditor((editor) => {
    if (editor && isSource(editor.document)) last = editor;
  });
  const activeEditor = (): vscode.TextEditor | undefined => {
    const active = vscode.window.activeTextEditor;
    if (active && isSource(active.document)) return active;
    if (!last || last.document.isClosed) return undefined;
    const { visibleTextEditors } = vscode.window;
    // It may be shown in several groups, each with a selection of its own.
    if (visibleTextEditors.includes(last)) return last;
    const key = last.document.uri.toString();
    // Showing a file again gives it a new editor object; the old one's selection is then stale.
    return visibleTextEditors.find(({ document }) => document.uri.toString() === key);
  };
  return {
    activeEditor,
    activeSelection: () => selectionOf(activeEditor()),
    problemsOfFile,
    suggestions,
    nearness: () => createNearness(activeEditor()),
    dispose: () => void listener.dispose(),
  };
}

/** Output channels and the log are text editors too, but no files that a person works on. */
function isSource(document: vscode.TextDocument): boolean {
  return document.uri.scheme !== 'output' && document.uri.scheme !== 'debug';
}

function selectionOf(editor: vscode.TextEditor | undefined): ActiveSelection | undefined {
  if (editor === undefined) return undefined;
  const { document, selection } = editor;
  return {
    path: shownPath(document.uri),
    uri: document.uri,
    ...selectedLines(selection),
    text: document.getText(selection),
  };
}

/** 1-based lines of a selection; one that ends before the first character of a line excludes it. */
export function selectedLines(selection: vscode.Selection): { from: number; to: number } {
  const { start, end } = selection;
  const whole = end.character === 0 && end.line > start.line;
  return { from: start.line + 1, to: whole ? end.line : end.line + 1 };
}

function problemsOfFile(uri: vscode.Uri): readonly Problem[] {
  const document = findOpen(uri);
  const size = document && documentSize(document);
  return vscode.languages.getDiagnostics(uri).map((diagnostic) => toProblem(diagnostic, size));
}

function suggestions(limit = 3): Suggestions {
  const excluded = excludedFiles();
  const problemFiles = vscode.languages
    .getDiagnostics()
    .filter(([uri]) => isInWorkspace(uri) && !excluded(uri))
    .map(([uri, list]) => ({
      uri,
      path: shownPath(uri),
      counts: countSeverities(list.map((diagnostic) => toProblem(diagnostic))),
    }))
    .filter(({ counts }) => counts.error + counts.warning > 0)
    .sort((a, b) => b.counts.error - a.counts.error || b.counts.warning - a.counts.warning)
    .slice(0, limit);
  const dirtyFiles = vscode.workspace.textDocuments
    .filter((document) => document.isDirty && isSource(document))
    .slice(0, limit)
    .map(({ uri }) => ({ uri, path: shownPath(uri) }));
  return { problemFiles, dirtyFiles };
}

function createNearness(active: vscode.TextEditor | undefined): (uri: vscode.Uri) => number {
  const activeUri = active?.document.uri;
  const visibleUris = vscode.window.visibleTextEditors.map(({ document }) => document.uri);
  const visible = new Set(visibleUris.map((uri) => uri.toString()));
  const shown = shownDocuments();
  const activeKey = activeUri?.toString();
  // Most files of a long list are not shown: for those no key is made.
  const paths = new Set([...visibleUris, ...shown.values()].map(({ path }) => path));
  const distances = new Map<string, number>();
  return (uri) => {
    if (paths.has(uri.path)) {
      const key = uri.toString();
      if (key === activeKey) return 0;
      if (visible.has(key)) return 1;
      if (shown.has(key)) return 2;
    }
    if (activeUri === undefined) return 3;
    if (uri.path === activeUri.path) return 2;
    const folder = uri.path.slice(0, uri.path.lastIndexOf('/') + 1);
    let distance = distances.get(folder);
    if (distance === undefined) {
      distance = pathDistance(activeUri.path, uri.path);
      distances.set(folder, distance);
    }
    return 2 + distance;
  };
}
