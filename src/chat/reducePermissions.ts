import * as l10n from '@vscode/l10n';
import { oneLine } from './boundedText';
import type { ChatEvent } from './chatEvent';
import type { ModelContext } from './modelContext';
import type { PermissionCard } from './viewStateProtocol';

type PermissionEvent = Extract<
  ChatEvent,
  { readonly type: 'permissionRequested' | 'permissionDrafted' | 'permissionSettled' }
>;

/** Shows a card, or takes it away and tells the row of its call what became of it. */
export function reducePermission(context: ModelContext, event: PermissionEvent): void {
  const { store, status, tools } = context;
  const open = store.state.permissions;
  if (event.type === 'permissionRequested') {
    const others = open.filter((card) => card.id !== event.card.id);
    store.setFields({ permissions: [...others, event.card] });
    status.refresh();
    return;
  }
  const card = open.find(({ id }) => id === event.cardId);
  if (event.type === 'permissionDrafted') {
    const { draft } = event;
    store.setFields({ permissions: open.map((one) => (one === card ? { ...one, draft } : one)) });
    return;
  }
  if (card) store.setFields({ permissions: open.filter((other) => other !== card) });
  // What Stop takes back is told by the row of the call.
  if (card && event.outcome === 'withdrawn' && !status.isStopping) tellWithdrawn(context, card);
  status.refresh();
  const toolUseId = event.toolUseId ?? card?.toolUseId;
  if (toolUseId === undefined) return;
  if (event.outcome === 'allowed') tools.allowed(toolUseId);
  else if (event.outcome === 'denied') tools.refused(toolUseId, event.reason);
}

/** One line for all that are taken back one after the other. */
function tellWithdrawn({ store, items, turn }: ModelContext, card: PermissionCard): void {
  const last = store.state.items.at(-1);
  const before = turn.withdrawn;
  if (before !== undefined && last?.kind === 'notice' && last.id === before.id) {
    before.count += 1;
    const text = l10n.t('{0} permission requests were withdrawn before you answered', before.count);
    store.replaceItem({ ...last, text });
    return;
  }
  const what = oneLine(card.what ?? card.title, 160);
  items.aside(l10n.t('Withdrawn before you answered: {0}', what));
  const added = store.state.items.at(-1);
  if (added) turn.withdrawn = { id: added.id, count: 1 };
}
