import * as l10n from '@vscode/l10n';
import type { PlanCard, PlanComment } from '../chat/askProtocol';
import { IconButton } from './icon';
import { usePanel } from './panelContext';

/** What the person has said about lines of the plan, in the order of the lines. */
export function PlanComments({ card }: { readonly card: PlanCard }) {
  if (card.comments.length === 0) return null;
  const sorted = [...card.comments].sort((a, b) => a.from - b.from || a.to - b.to);
  return (
    <div class="plan-comments">
      <ul aria-label={l10n.t('Comments')}>
        {sorted.map((comment) => (
          <CommentRow key={comment.id} cardId={card.id} comment={comment} />
        ))}
      </ul>
      <p class="card-why">{l10n.t('Comments go to the agent with "Keep planning".')}</p>
    </div>
  );
}

function CommentRow(props: { readonly cardId: string; readonly comment: PlanComment }) {
  const { cardId, comment } = props;
  const { post } = usePanel();
  const place = placeOf(comment);
  return (
    <li class="plan-comment">
      <div class="plan-comment-words">
        <span class="plan-comment-place">{place}</span>
        <span class="plan-comment-quote" dir="auto" title={comment.quote}>
          {comment.quote.trim()}
        </span>
        <p class="plan-comment-text" dir="auto">
          {comment.text}
        </p>
      </div>
      <IconButton
        icon="close"
        name={l10n.t('Remove the comment on {0}', place)}
        onClick={() => post({ type: 'removePlanComment', cardId, commentId: comment.id })}
      />
    </li>
  );
}

function placeOf({ from, to, isGone }: PlanComment): string {
  if (isGone === true) return l10n.t('deleted text near line {0}', from);
  return from === to ? l10n.t('line {0}', from) : l10n.t('lines {0} to {1}', from, to);
}
