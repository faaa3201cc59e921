import * as vscode from 'vscode';
import { toEol } from '../base/placeHunks';
import { lineHunks } from '../workFiles/mergeTexts';

/**
 * Puts a text in place of a range by its own lines, so that what stands in lines that stay keeps its
 * place: cursors, folds, breakpoints. The editor itself looks for such lines in the active editor only.
 */
export function lineEdits(
  document: vscode.TextDocument,
  { start: from, end: to }: vscode.Range,
  text: string,
): vscode.TextEdit[] {
  const before = toEol(document.getText(new vscode.Range(from, to)), '\n');
  const last = to.line - from.line;
  const startOf = (line: number): vscode.Position =>
    line === 0 ? from : new vscode.Position(from.line + line, 0);
  return lineHunks(before, toEol(text, '\n')).map(({ start, end, lines }) => {
    if (end <= last) {
      const put = lines.map((line) => `${line}\n`).join('');
      return vscode.TextEdit.replace(new vscode.Range(startOf(start), startOf(end)), put);
    }
    // The last line has no end of its own: that of the line before it goes, or comes.
    const at = start === 0 ? from : document.lineAt(from.line + start - 1).range.end;
    const put = start === 0 ? lines.join('\n') : lines.map((line) => `\n${line}`).join('');
    return vscode.TextEdit.replace(new vscode.Range(at, to), put);
  });
}
