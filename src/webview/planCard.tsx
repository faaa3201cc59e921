import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { PlanCard } from '../chat/askProtocol';
import { allowCounts } from './allowGuard';
import type { AskDraft } from './askDrafts';
import { growBox } from './growBox';
import { Icon } from './icon';
import { onPlainEnter } from './onPlainEnter';
import { usePanel } from './panelContext';
import { PlanComments } from './planComments';
import { PlanText } from './planText';
import { useEscapeLeaves } from './useEscapeLeaves';
import { useFocusReturn } from './useFocusReturn';

/** Its key in the card's draft: what should be changed. */
const WORDS = 'words';

/**
 * A plan that waits to be approved. Like a permission card it never takes the focus, and a key that
 * was meant for the message box approves nothing.
 */
export function PlanCardView({ card }: { readonly card: PlanCard }) {
  const { announcer, asks } = usePanel();
  const root = useFocusReturn(card.id);
  const focusedAt = useRef<number | undefined>(undefined);
  const name = l10n.t('Plan');
  const said = `${name}. ${firstWords(card)}`;
  // By the card and not by its words: it is not said again with each letter of an edit.
  useEffect(() => announcer.interrupt(said), [announcer, card.id]);
  const leave = useEscapeLeaves();
  return (
    <div
      ref={root}
      role="group"
      class="card plan-card"
      aria-label={name}
      onKeyDown={leave}
      onFocusCapture={(event) => {
        const { relatedTarget: from } = event;
        if (!(from instanceof Node && root.current?.contains(from) === true)) {
          focusedAt.current = performance.now();
        }
      }}
    >
      <h3 class="card-title">
        <Icon name="checklist" />
        <span>{name}</span>
        {card.edited !== undefined && <span class="question-tag">{l10n.t('edited by you')}</span>}
      </h3>
      <PlanBody card={card} />
      <PlanComments card={card} />
      {card.interrupted === true && (
        <p class="card-why">
          {l10n.t('The agent ended before you answered. Your answer goes as the next message.')}
        </p>
      )}
      <PlanButtons card={card} draft={asks.of(card)} focusedAt={() => focusedAt.current} />
    </div>
  );
}

function PlanBody({ card }: { readonly card: PlanCard }) {
  const text = card.shown ?? card.edited ?? card.plan;
  if (text === undefined) {
    return (
      <p class="ask-message">
        {l10n.t(
          'The agent wants to leave plan mode, but has written no plan. Nothing can be shown here.',
        )}
      </p>
    );
  }
  return (
    <>
      <PlanText text={text} />
      {card.cutFrom !== undefined && (
        <p class="card-why">
          {l10n.t(
            'The plan has {0} characters; its middle is not shown, and it can only be approved as it is.',
            card.cutFrom,
          )}
        </p>
      )}
    </>
  );
}

function PlanButtons(props: {
  readonly card: PlanCard;
  readonly draft: AskDraft;
  readonly focusedAt: () => number | undefined;
}) {
  const { card, draft } = props;
  // A click without a pointer (`detail` 0) comes from a key or from assistive technology.
  const approve = (acceptEdits: boolean) => (event: MouseEvent) => {
    const now = performance.now();
    const press = { byKey: event.detail === 0, now, focusedAt: props.focusedAt() };
    if (allowCounts(press)) draft.reply({ action: 'approve', acceptEdits });
  };
  return (
    <div class="card-buttons">
      <button type="button" class="button primary" onClick={approve(false)}>
        {l10n.t('Approve')}
      </button>
      <button type="button" class="button secondary" onClick={approve(true)}>
        {l10n.t('Approve and auto-accept edits')}
      </button>
      <KeepRow draft={draft} isInterrupted={card.interrupted === true} />
      {card.plan !== undefined && card.cutFrom === undefined && <DocumentRow card={card} />}
    </div>
  );
}

function KeepRow(props: { readonly draft: AskDraft; readonly isInterrupted: boolean }) {
  const { draft } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  const given = draft.values.value[WORDS];
  const words = typeof given === 'string' ? given : '';
  useLayoutEffect(() => growBox(box.current), [words]);
  const keep = () => draft.reply({ action: 'keepPlanning', words });
  return (
    <div class="keep-row">
      <textarea
        ref={box}
        class="input field-text"
        rows={1}
        dir="auto"
        aria-label={l10n.t('What to change (optional)')}
        placeholder={l10n.t('What to change (optional)')}
        value={words}
        onKeyDown={onPlainEnter(words.trim() === '' ? undefined : keep)}
        onInput={(event) => draft.set({ [WORDS]: event.currentTarget.value })}
      />
      <button type="button" class="button secondary" onClick={keep}>
        {l10n.t('Keep planning')}
      </button>
      {props.isInterrupted && (
        <button type="button" class="button secondary" onClick={() => draft.decline()}>
          {l10n.t('Dismiss')}
        </button>
      )}
    </div>
  );
}

/** What can be done with the text; none of it answers. */
function DocumentRow({ card }: { readonly card: PlanCard }) {
  const { post } = usePanel();
  const act = (action: 'open' | 'save' | 'discardEdits') => () =>
    post({ type: 'planCard', cardId: card.id, action });
  return (
    <div class="plan-actions">
      <button type="button" class="fold" onClick={act('open')}>
        <Icon name="go-to-file" />
        <span>{l10n.t('Open as document')}</span>
      </button>
      <button type="button" class="fold" onClick={act('save')}>
        <Icon name="save" />
        <span>{l10n.t('Save in workspace…')}</span>
      </button>
      {card.edited !== undefined && (
        <button type="button" class="fold" onClick={act('discardEdits')}>
          <Icon name="discard" />
          <span>{l10n.t('Discard my edits')}</span>
        </button>
      )}
    </div>
  );
}

/** Enough to know what it is about; the rest is read in the card. */
function firstWords({ plan = '' }: PlanCard): string {
  return (
    plan
      .trimStart()
      .split('\n', 1)[0]
      ?.replace(/^#+\s*/, '')
      .slice(0, 200) ?? ''
  );
}
