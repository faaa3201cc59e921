import type { NoticeItem } from '../chat/viewStateProtocol';
import { ErrorButtons } from './errorButtons';
import { Icon } from './icon';

/** A quiet line in place, with what can be done about it. */
export function NoticeLine({ item }: { readonly item: NoticeItem }) {
  const line = (
    <p class={`quiet-line notice-${item.tone}`} dir="auto">
      <Icon name={item.tone === 'warning' ? 'warning' : 'info'} /> {item.text}
    </p>
  );
  if (item.actions === undefined || item.actions.length === 0) return line;
  return (
    <div class="notice-with-actions">
      {line}
      <ErrorButtons itemId={item.id} actions={item.actions} />
    </div>
  );
}
