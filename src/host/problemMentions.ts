import { languages, Uri } from 'vscode';
import type { MentionSourcesPort } from '../conversation/conversationPorts';
import { type Problem, severityRank, toProblem } from '../editor/problem';
import { excludedFiles, isInWorkspace, shownPath } from '../editor/servedFiles';

export interface FileProblems {
  readonly uri: Uri;
  /** Errors and warnings, worst first. */
  readonly problems: readonly Problem[];
}

/** How many lines one message gets at most; the agent's own tool has the rest. */
const MAX_LINES = 200;

/** Errors and warnings as the editor has them: of one file, or of the workspace's files. */
export function problemsOf(uri: Uri | undefined): readonly FileProblems[] {
  const isExcluded = excludedFiles();
  const listed =
    uri === undefined
      ? languages
          .getDiagnostics()
          .filter(([file]) => file.scheme === 'file' && isInWorkspace(file) && !isExcluded(file))
      : ([[uri, languages.getDiagnostics(uri)]] as const);
  return listed.flatMap(([file, diagnostics]) => {
    const problems = diagnostics
      .map((diagnostic) => toProblem(diagnostic))
      .filter(({ severity }) => severity === 'error' || severity === 'warning')
      .sort((a, b) => severityRank(a.severity) - severityRank(b.severity) || a.line - b.line);
    return problems.length === 0 ? [] : [{ uri: file, problems }];
  });
}

/** For the conversation: what `@problems` stands for. */
export const problemMentions: MentionSourcesPort = {
  problems: (file) => {
    let left = MAX_LINES;
    const all = problemsOf(file === undefined ? undefined : Uri.file(file));
    return Promise.resolve(
      all.flatMap(({ uri, problems }) => {
        if (left <= 0) return [];
        const lines = problems.slice(0, left).map(lineOf);
        left -= lines.length;
        const rest = problems.length - lines.length;
        if (rest > 0) lines.push(`… and ${rest} more`);
        return [{ file: uri.fsPath, path: shownPath(uri), lines }];
      }),
    );
  },
};

function lineOf({ line, column, severity, message, source }: Problem): string {
  const from = source === undefined ? '' : ` [${source}]`;
  return `${line}:${column} ${severity} ${message}${from}`;
}
