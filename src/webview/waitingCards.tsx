import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import { ApprovalCardView } from './approvalCard';
import { AskCardView } from './askCard';
import { usePanel } from './panelContext';
import { PermissionCardView } from './permissionCard';
import { PlanCardView } from './planCard';

/** Requests drawn at a time: more cannot be read at once, and hundreds would make the panel slow. */
const DRAWN = 5;

/** All that waits for the person, in the order in which it came: a new card moves no other one. */
export function WaitingCards() {
  const { store } = usePanel();
  store.watch('fields');
  const { permissions, asks, approvals = [] } = store.current;
  const seen = useRef<readonly string[]>([]);
  const cards = [
    ...permissions.slice(0, DRAWN).map((card, index) => ({
      id: card.id,
      view: (
        <PermissionCardView
          key={card.id}
          card={card}
          turn={{ at: index + 1, of: permissions.length }}
        />
      ),
    })),
    ...asks.map((card) => ({
      id: card.id,
      view:
        card.kind === 'plan' ? (
          <PlanCardView key={card.id} card={card} />
        ) : (
          <AskCardView key={card.id} card={card} />
        ),
    })),
    ...approvals.map((card) => ({
      id: card.id,
      view: <ApprovalCardView key={card.id} card={card} />,
    })),
  ];
  const ids = cards.map(({ id }) => id);
  const order = [
    ...seen.current.filter((id) => ids.includes(id)),
    ...ids.filter((id) => !seen.current.includes(id)),
  ];
  seen.current = order;
  cards.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  const more = permissions.length - DRAWN;
  return (
    <>
      {cards.map(({ view }) => view)}
      {more === 1 && <p class="card-rest">{l10n.t('One more permission request waits.')}</p>}
      {more > 1 && <p class="card-rest">{l10n.t('{0} more permission requests wait.', more)}</p>}
    </>
  );
}
