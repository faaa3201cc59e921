import * as l10n from '@vscode/l10n';
import { ConversationsButton } from './conversationsDialog';
import { Icon, IconButton } from './icon';
import { MoreMenu } from './moreMenu';
import { usePanel } from './panelContext';

/** Title and the panel's own actions; under it the one line that always stands, if there is one. */
export function Header() {
  const { store, post } = usePanel();
  store.watch('fields');
  const { title, notice } = store.current;
  return (
    <>
      <div class="header">
        <h1 class="header-title" dir="auto" title={title}>
          {title || l10n.t('New conversation')}
        </h1>
        <IconButton
          icon="add"
          name={l10n.t('New conversation')}
          once
          onClick={() => post({ type: 'newConversation' })}
        />
        <ConversationsButton />
        <MoreMenu />
      </div>
      {notice !== undefined && (
        <p class="standing-notice" dir="auto">
          <Icon name="info" />
          <span>{notice}</span>
        </p>
      )}
    </>
  );
}
