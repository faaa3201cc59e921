import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import type { ViewMessage } from '../chat/viewProtocol';
import type { ApprovalCard } from '../chat/viewStateProtocol';
import { allowCounts } from './allowGuard';
import { Icon } from './icon';
import { usePanel } from './panelContext';
import { useFocusReturn } from './useFocusReturn';

type Answer = Extract<ViewMessage, { type: 'answerApproval' }>['answer'];

/**
 * A server that the workspace brings. Nothing waits for the answer, so it is quiet: it takes no focus
 * and is said politely. Approve does not answer to a key that was meant for something else.
 */
export function ApprovalCardView({ card }: { readonly card: ApprovalCard }) {
  const { announcer } = usePanel();
  const root = useFocusReturn();
  const focusedAt = useRef<number | undefined>(undefined);
  const name = l10n.t('Approval: {0}', card.name);
  useEffect(() => announcer.say(`${name}. ${card.body}`), [announcer, name, card.body]);
  return (
    <div
      ref={root}
      role="group"
      class="card"
      aria-label={name}
      onFocusCapture={({ relatedTarget }) => {
        const isInside = relatedTarget instanceof Node && root.current?.contains(relatedTarget);
        if (isInside !== true) focusedAt.current = performance.now();
      }}
    >
      <h3 class="card-title" dir="auto">
        <Icon name={card.bodyKind === 'url' ? 'globe' : 'terminal'} />
        <span>{card.name}</span>
      </h3>
      <pre class="card-thing" tabIndex={0} dir="ltr" role="group" aria-label={l10n.t('Server')}>
        {card.body}
      </pre>
      <p class="card-why" dir="auto">
        {card.changed
          ? l10n.t('This server of the workspace was changed since your last answer.')
          : l10n.t('The workspace brings this server.')}{' '}
        {l10n.t('It runs with your rights, and is not started without your approval.')}
      </p>
      <ApprovalButtons card={card} focusedAt={() => focusedAt.current} />
    </div>
  );
}

function ApprovalButtons(props: {
  readonly card: ApprovalCard;
  readonly focusedAt: () => number | undefined;
}) {
  const { card } = props;
  const { post } = usePanel();
  const answer = (given: Answer) =>
    post({ type: 'answerApproval', approvalId: card.id, answer: given });
  const approve = (event: MouseEvent) => {
    // A click without a pointer (`detail` 0) comes from a key or from assistive technology.
    const press = {
      byKey: event.detail === 0,
      now: performance.now(),
      focusedAt: props.focusedAt(),
    };
    if (allowCounts(press)) answer('approve');
  };
  return (
    <div class="card-buttons">
      <button type="button" class="button primary" onClick={approve}>
        {l10n.t('Approve')}
      </button>
      <button type="button" class="button secondary" onClick={() => answer('later')}>
        {l10n.t('Not now')}
      </button>
      <button type="button" class="button secondary" onClick={() => answer('never')}>
        {l10n.t('Never')}
      </button>
      <button
        type="button"
        class="button secondary"
        onClick={() => post({ type: 'showApproval', approvalId: card.id })}
      >
        {card.changed ? l10n.t('Show what is new') : l10n.t('Open the file')}
      </button>
    </div>
  );
}
