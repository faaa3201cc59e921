import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import type { PermissionCard } from '../chat/viewStateProtocol';
import { Icon, IconButton } from './icon';
import { usePanel } from './panelContext';
import { PermissionBody } from './permissionBody';
import { InterruptedButtons, PermissionButtons } from './permissionButtons';
import { useEscapeLeaves } from './useEscapeLeaves';
import { useFocusReturn } from './useFocusReturn';

const ICONS: Readonly<Record<PermissionCard['bodyKind'], string>> = {
  command: 'terminal',
  path: 'file',
  url: 'globe',
  json: 'tools',
};

/** Characters of a request that are read out at once; the rest is there to be read. */
const SPOKEN_LIMIT = 300;

/** Which of the requests that wait this one is, from 1. */
export interface CardTurn {
  readonly at: number;
  readonly of: number;
}

/** A decision. It never takes the focus and never moves; it is announced at once. */
export function PermissionCardView(props: {
  readonly card: PermissionCard;
  readonly turn: CardTurn;
}) {
  const { card, turn } = props;
  const { announcer, post } = usePanel();
  const root = useFocusReturn(card.id);
  const leave = useEscapeLeaves();
  const focusedAt = useRef<number | undefined>(undefined);
  const name = l10n.t('Permission request: {0}', card.title);
  const spoken = `${name}. ${card.what ?? ''} ${card.body.slice(0, SPOKEN_LIMIT)}`;
  useEffect(() => announcer.interrupt(spoken), [announcer, spoken]);
  return (
    <div
      ref={root}
      role="group"
      class="card"
      aria-label={name}
      onKeyDown={leave}
      // Of the control that has it: a key that brought it there must not press it as well.
      onFocusCapture={() => (focusedAt.current = performance.now())}
    >
      <div class="card-title" dir="auto">
        <Icon name={ICONS[card.bodyKind]} />
        <h3 class="card-what">{card.what ?? card.title}</h3>
        {turn.of > 1 && (
          <span class="figure card-turn">{l10n.t('{0} of {1}', turn.at, turn.of)}</span>
        )}
        {/* Of an agent that is gone the host has no more than what stands here. */}
        {card.diff && card.interrupted !== true && (
          <IconButton
            icon="diff"
            name={l10n.t('Show diff')}
            onClick={() => post({ type: 'showDiff', cardId: card.id })}
          />
        )}
      </div>
      <PermissionBody card={card} />
      {card.interrupted === true ? (
        <InterruptedButtons card={card} />
      ) : (
        <PermissionButtons card={card} focusedAt={() => focusedAt.current} />
      )}
    </div>
  );
}
