import * as l10n from '@vscode/l10n';
import type { ViewMessage } from '../chat/viewProtocol';
import type { PermissionCard } from '../chat/viewStateProtocol';
import { allowCounts } from './allowGuard';
import { AlwaysAllow } from './alwaysAllow';
import { isImeKey } from './composerKeys';
import { usePanel } from './panelContext';

type Answer = Extract<ViewMessage, { type: 'answerPermission' }>['answer'];

function useAnswer(card: PermissionCard) {
  const { post, reasons } = usePanel();
  const draft = reasons.of(card);
  const reason = draft.text.value;
  const answer = (kind: Answer) => {
    const why = kind.startsWith('deny') && reason.trim() !== '' ? { reason: reason.trim() } : {};
    // Where the host does not take the answer, the card stays: it must have what was typed.
    draft.flush();
    post({ type: 'answerPermission', cardId: card.id, answer: kind, ...why });
  };
  return { reason, setReason: (text: string) => draft.set(text), answer };
}

/** Nothing runs by these: the answer is said to the agent, which asks again where it has to. */
export function InterruptedButtons({ card }: { readonly card: PermissionCard }) {
  const { reason, setReason, answer } = useAnswer(card);
  return (
    <div class="card-buttons">
      <p class="card-why">
        {l10n.t('The agent ended before you answered. Your answer goes as the next message.')}
      </p>
      <button type="button" class="button primary" onClick={() => answer('allowOnce')}>
        {l10n.t('Continue')}
      </button>
      <DenyRow stop={l10n.t('Dismiss')} reason={reason} setReason={setReason} answer={answer} />
    </div>
  );
}

/** What grants stands in the first row, what refuses in the second, in this order on every card. */
export function PermissionButtons(props: {
  readonly card: PermissionCard;
  /** When the focus came to where it is; undefined when it is elsewhere. */
  readonly focusedAt: () => number | undefined;
}) {
  const { card } = props;
  const { reason, setReason, answer } = useAnswer(card);
  // A click without a pointer (`detail` 0) comes from a key or from assistive technology.
  const allow = (kind: Answer) => (event: MouseEvent) => {
    const press = {
      byKey: event.detail === 0,
      now: performance.now(),
      focusedAt: props.focusedAt(),
    };
    if (allowCounts(press)) answer(kind);
  };
  return (
    <div class="card-buttons">
      <button type="button" class="button primary" onClick={allow('allowOnce')}>
        {l10n.t('Allow once')}
      </button>
      {card.conversationRule !== undefined && (
        <button type="button" class="button secondary" onClick={allow('allowConversation')}>
          {l10n.t('Allow for this conversation')}
        </button>
      )}
      {card.always && <AlwaysAllow offer={card.always} onChoose={answer} />}
      <DenyRow
        stop={l10n.t('Deny and stop')}
        reason={reason}
        setReason={setReason}
        answer={answer}
      />
    </div>
  );
}

function DenyRow(props: {
  readonly stop: string;
  readonly reason: string;
  readonly setReason: (text: string) => void;
  readonly answer: (kind: Answer) => void;
}) {
  return (
    <div class="deny-row">
      <button type="button" class="button secondary" onClick={() => props.answer('deny')}>
        {l10n.t('Deny')}
      </button>
      <button type="button" class="button secondary" onClick={() => props.answer('denyAndStop')}>
        {props.stop}
      </button>
      <input
        type="text"
        class="input"
        dir="auto"
        aria-label={l10n.t('Reason (optional)')}
        placeholder={l10n.t('Reason (optional)')}
        value={props.reason}
        onInput={(event) => props.setReason(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isImeKey(event)) return;
          event.preventDefault();
          props.answer('deny');
        }}
      />
    </div>
  );
}
