import {
  Diagnostic,
  type DiagnosticCollection,
  DiagnosticSeverity,
  languages,
  Range,
  Uri,
} from 'vscode';
import type { Disposable } from '../base/disposable';
import type { ToolFileFault, ToolFolder } from '../workspaceTools/toolFile';

/** Columns: an editor cuts it at the end of the line. */
const LINE_END = 10_000;

/** What is wrong with tool files, as problems of the editor in the file that is to be mended. */
export class ToolFileProblems implements Disposable {
  readonly #collection: DiagnosticCollection = languages.createDiagnosticCollection('patchbay');

  /** These and no others. */
  show(folders: readonly ToolFolder[]): void {
    const byFile = new Map<string, Diagnostic[]>();
    const faults = folders.flatMap(({ files }) => files.flatMap((file) => file.faults));
    for (const fault of faults) {
      const known = byFile.get(fault.path);
      if (known) known.push(problemOf(fault));
      else byFile.set(fault.path, [problemOf(fault)]);
    }
    this.#collection.clear();
    for (const [file, problems] of byFile) this.#collection.set(Uri.file(file), problems);
  }

  dispose(): void {
    this.#collection.dispose();
  }
}

function problemOf({ line = 1, column, message, kind }: ToolFileFault): Diagnostic {
  const from = Math.max(0, line - 1);
  const range = new Range(from, Math.max(0, (column ?? 1) - 1), from, LINE_END);
  const problem = new Diagnostic(range, message, DiagnosticSeverity.Error);
  problem.source = 'Patchbay';
  problem.code = kind;
  return problem;
}
