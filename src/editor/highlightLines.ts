import * as vscode from 'vscode';

let decoration: vscode.TextEditorDecorationType | undefined;
let ending: vscode.Disposable | undefined;

/**
 * Reveals 1-based lines and marks them until the person moves the cursor, types there or something
 * else is marked. Their selection stays as it is.
 */
export function highlightLines(
  editor: vscode.TextEditor,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  clearHighlight();
  decoration ??= vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.rangeHighlightForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
  });
  const range = new vscode.Range(from - 1, 0, to - 1, 0);
  editor.setDecorations(decoration, [range]);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  const { document } = editor;
  const listeners = [
    vscode.window.onDidChangeTextEditorSelection((change) => {
      // Showing the editor sets its cursor as well; that is not the person.
      if (change.textEditor === editor && change.kind !== undefined) clearHighlight();
    }),
    vscode.workspace.onDidChangeTextDocument((change) => {
      if (change.document === document && change.contentChanges.length > 0) clearHighlight();
    }),
  ];
  ending = vscode.Disposable.from(...listeners);
}

/** Takes the marks of the last call away. */
export function clearHighlight(): void {
  ending?.dispose();
  ending = undefined;
  for (const editor of vscode.window.visibleTextEditors) {
    if (decoration) editor.setDecorations(decoration, []);
  }
}
