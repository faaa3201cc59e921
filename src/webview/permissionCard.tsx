import * as l10n from '@vscode/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ViewMessage } from '../chat/viewProtocol';
import type { PermissionCard } from '../chat/viewStateProtocol';
import { allowCounts } from './allowGuard';
import { isImeKey } from './composerKeys';
import { DiffView } from './diffView';
import { Icon } from './icon';
import { usePanel } from './panelContext';
import { useFocusReturn } from './useFocusReturn';

type Answer = Extract<ViewMessage, { type: 'answerPermission' }>['answer'];

const ICONS: Readonly<Record<PermissionCard['bodyKind'], string>> = {
  command: 'terminal',
  path: 'file',
  url: 'globe',
  json: 'tools',
};

/** A decision. It never takes the focus and never moves; it is announced at once. */
export function PermissionCardView({ card }: { readonly card: PermissionCard }) {
  const { announcer } = usePanel();
  const root = useFocusReturn();
  const focusedAt = useRef<number | undefined>(undefined);
  const name = l10n.t('Permission request: {0}', card.title);
  useEffect(() => announcer.interrupt(`${name}. ${card.body}`), [announcer, name, card.body]);
  return (
    <div
      ref={root}
      role="group"
      class="card"
      aria-label={name}
      onFocusCapture={(event) => {
        if (!isInside(root.current, event.relatedTarget)) focusedAt.current = performance.now();
      }}
    >
      <h3 class="card-title" dir="auto">
        <Icon name={ICONS[card.bodyKind]} />
        <span>{card.title}</span>
      </h3>
      <CardBody card={card} />
      {card.interrupted === true ? (
        <InterruptedButtons card={card} />
      ) : (
        <CardButtons card={card} focusedAt={() => focusedAt.current} />
      )}
    </div>
  );
}

function isInside(root: Element | null, target: EventTarget | null): boolean {
  return target instanceof Node && root?.contains(target) === true;
}

function CardBody({ card }: { readonly card: PermissionCard }) {
  return (
    <>
      <pre class="card-thing" tabIndex={0} dir="ltr" role="group" aria-label={l10n.t('Request')}>
        {card.body}
      </pre>
      {card.diff && <DiffView diff={card.diff} head={!card.body.includes(card.diff.path)} />}
      {(card.reason !== undefined || card.conversationRule !== undefined) && (
        <p class="card-why" dir="auto">
          {card.reason !== undefined && <>{card.reason} </>}
          {card.conversationRule !== undefined && (
            <>
              {l10n.t('For this conversation it would allow')} <code>{card.conversationRule}</code>
            </>
          )}
        </p>
      )}
    </>
  );
}

function useAnswer(card: PermissionCard) {
  const { post } = usePanel();
  const [reason, setReason] = useState('');
  const answer = (kind: Answer) => {
    const why = kind.startsWith('deny') && reason.trim() !== '' ? { reason: reason.trim() } : {};
    post({ type: 'answerPermission', cardId: card.id, answer: kind, ...why });
  };
  return { reason, setReason, answer };
}

/** Nothing runs by these: the answer is said to the agent, which asks again where it has to. */
function InterruptedButtons({ card }: { readonly card: PermissionCard }) {
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

function CardButtons(props: {
  readonly card: PermissionCard;
  readonly focusedAt: () => number | undefined;
}) {
  const { card } = props;
  const { post } = usePanel();
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
      {card.diff && (
        <button
          type="button"
          class="button secondary"
          onClick={() => post({ type: 'showDiff', cardId: card.id })}
        >
          {l10n.t('Show diff')}
        </button>
      )}
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
