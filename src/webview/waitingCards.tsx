import { useRef } from 'preact/hooks';
import { ApprovalCardView } from './approvalCard';
import { AskCardView } from './askCard';
import { usePanel } from './panelContext';
import { PermissionCardView } from './permissionCard';
import { PlanCardView } from './planCard';

/** All that waits for the person, in the order in which it came: a new card moves no other one. */
export function WaitingCards() {
  const { store } = usePanel();
  store.watch('fields');
  const { permissions, asks, approvals = [] } = store.current;
  const seen = useRef<readonly string[]>([]);
  const cards = [
    ...permissions.map((card) => ({
      id: card.id,
      view: <PermissionCardView key={card.id} card={card} />,
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
  return <>{cards.map(({ view }) => view)}</>;
}
