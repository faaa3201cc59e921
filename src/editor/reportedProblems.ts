import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { isInWorkspace, nameInWorkspace } from './servedFiles';

/** What the editor's own list has of one document, by its name in the workspace. */
export interface ReportedDocument {
  readonly uri: vscode.Uri;
  readonly problems: readonly vscode.Diagnostic[];
}

/** All that is reported. Of a folder that is a link many servers name files by where it leads. */
export async function reportedProblems(): Promise<readonly ReportedDocument[]> {
  const all = vscode.languages.getDiagnostics();
  const nameOf = await nameInWorkspace(all.map(([uri]) => uri));
  const byName = new Map<string, ReportedDocument>();
  for (const [given, problems] of all) {
    const uri = nameOf(given);
    const key = uri.toString();
    byName.set(key, { uri, problems: joined(byName.get(key)?.problems ?? [], problems) });
  }
  return [...byName.values()];
}

/** The names by which problems of one file may be reported: its own, and by where its folder leads. */
export async function reportedNames(uri: vscode.Uri): Promise<readonly vscode.Uri[]> {
  if (uri.scheme !== 'file') return [uri];
  const real = vscode.Uri.file(await realpath(uri.fsPath).catch(() => uri.fsPath));
  return real.path === uri.path || isInWorkspace(real) ? [uri] : [uri, real];
}

/** What is reported by any of the names of one file. */
export function problemsOf(names: readonly vscode.Uri[]): readonly vscode.Diagnostic[] {
  const all = names.map((uri) => vscode.languages.getDiagnostics(uri));
  return all.reduce<readonly vscode.Diagnostic[]>(joined, []);
}

/** What is told by both names counts once. */
function joined(
  known: readonly vscode.Diagnostic[],
  more: readonly vscode.Diagnostic[],
): readonly vscode.Diagnostic[] {
  if (known.length === 0) return more;
  const keys = new Set(known.map(keyOf));
  return [...known, ...more.filter((problem) => !keys.has(keyOf(problem)))];
}

/** Any extension may have made it, of whatever shape. */
function keyOf({ range, severity, source, message }: Partial<vscode.Diagnostic>): string {
  return JSON.stringify([range, severity, source, message]);
}
