import * as vscode from 'vscode';
import type { ReadGuard } from '../../src/editor/readGuard';
import { createEditorRoom, type EditorRoom } from './editorRoom';

/** @param line 0-based, as the column */
export function placeIn(uri: vscode.Uri, line: number, column: number): vscode.Location {
  return new vscode.Location(uri, new vscode.Position(line, column));
}

/** For files of one ending, which no bundled language server knows. */
export function referenceProvider(
  extension: string,
  provide: (uri: vscode.Uri) => vscode.Location[],
): vscode.Disposable {
  return vscode.languages.registerReferenceProvider(
    { pattern: `**/*.${extension}` },
    { provideReferences: ({ uri }) => provide(uri) },
  );
}

/** A rule forbids to read this file. */
export function guardOf(denied: string): ReadGuard {
  return {
    denied: (files) =>
      Promise.resolve(new Map(files.filter((f) => f === denied).map((f) => [f, 'Read(s)']))),
  };
}

/** Where it does. */
export function roomWithout(denied: string): EditorRoom {
  return createEditorRoom({ readGuard: guardOf(denied) });
}
