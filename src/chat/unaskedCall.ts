import * as l10n from '@vscode/l10n';
import type { UserMessage } from '../protocol/conversationMessages';

type ResultMeta = NonNullable<UserMessage['tool_result_meta']>[number];

/** They are the question. */
const QUESTIONS = new Set(['AskUserQuestion', 'ExitPlanMode']);

/**
 * The line for a call that ran though nobody was asked; undefined where the person was, or where it
 * cannot be told. Fact, section 1: `permission_decision` says `config` for what the CLI decided by
 * itself, with the kind of its reason.
 * @param meta of the call's result; undefined where the CLI tells nothing of it
 * @param isAllowed the person said yes to this call
 */
export function unaskedLine(
  toolName: string,
  meta: ResultMeta | undefined,
  isAllowed: boolean,
): string | undefined {
  if (isAllowed || QUESTIONS.has(toolName)) return undefined;
  if (meta === undefined) return l10n.t('Ran without a question');
  const { decision, source, reason_type: reason } = meta.permission_decision ?? {};
  if (decision !== 'accept' || source !== 'config') return undefined;
  switch (reason) {
    case 'rule':
      return l10n.t('Ran without a question: a rule allows it');
    case 'mode':
      return l10n.t('Ran without a question: the permission mode allows it');
    case undefined:
    default:
      return l10n.t('Ran without a question');
  }
}
