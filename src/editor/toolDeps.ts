import type { DiagnosticsFreshness } from './diagnosticsFreshness';
import type { EditorContext } from './editorContext';
import type { ReadGuard } from './readGuard';

/** What the tools know that tell of problems. */
export interface ProblemDeps {
  readonly freshness: DiagnosticsFreshness;
  readonly context: EditorContext;
  readonly readGuard?: ReadGuard;
}

/** What those know that ask language servers. */
export interface LanguageDeps extends ProblemDeps {
  /** How long one answer of a language server may take; 10 s by default. */
  readonly answerMs?: number;
}
