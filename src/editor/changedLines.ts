import type * as vscode from 'vscode';

/** The document after its changes. */
interface Lines {
  readonly lineCount: number;
  lineAt(line: number): { readonly text: string };
}
type Change = Pick<vscode.TextDocumentContentChangeEvent, 'range' | 'text'>;

/** Of one change more are not looked at. */
const MOST = 500;

/**
 * The lines that changes have touched, as they are now. The editor makes an edit as small as it can:
 * an inserted `s` alone does not tell what it is part of.
 */
export function changedLines(document: Lines, changes: readonly Change[]): readonly string[] {
  const sorted = [...changes].sort(
    (a, b) =>
      a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character,
  );
  // The places are those of the text before all of them.
  let shift = 0;
  const touched = new Set<number>();
  for (const { range, text } of sorted) {
    const added = text.split(/\r\n|\r|\n/u).length - 1;
    const from = range.start.line + shift;
    const to = Math.min(from + Math.min(added, MOST), document.lineCount - 1);
    for (let line = from; line <= to; line += 1) touched.add(line);
    shift += added - (range.end.line - range.start.line);
  }
  return [...touched].map((line) => document.lineAt(line).text);
}
