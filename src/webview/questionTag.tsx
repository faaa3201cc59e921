import * as l10n from '@vscode/l10n';
import type { Question } from '../chat/askProtocol';

/** What a question is about in a word, and whether several answers may be chosen. */
export function QuestionTag({ question }: { readonly question: Question }) {
  const { header, multi } = question;
  if (header === '' && !multi) return null;
  return (
    <span class="question-tags">
      {header !== '' && <span class="question-tag">{header}</span>}
      {multi && <span class="field-hint">{l10n.t('choose any')}</span>}
    </span>
  );
}
