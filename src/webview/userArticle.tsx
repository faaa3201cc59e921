import * as l10n from '@vscode/l10n';
import type { ImageRef } from '../chat/imageProtocol';
import type { ExpansionPart, UserItem } from '../chat/viewStateProtocol';
import { ArticleActions } from './articleActions';
import { EditBox } from './editBox';
import { Icon } from './icon';
import { usePanel } from './panelContext';
import { PictureView } from './pictureView';
import { useFold } from './useFold';

/** What the person said: plain text as typed, in the one box of the transcript that is not a decision. */
export function UserArticle({ item }: { readonly item: UserItem }) {
  const { edits } = usePanel();
  const headingId = `h-${item.id}`;
  const waits = item.waits === true;
  return (
    <article
      class={waits ? 'user user-waits' : 'user'}
      data-item={item.id}
      tabIndex={-1}
      aria-labelledby={headingId}
    >
      <h2 class="sr-only" id={headingId}>
        {l10n.t('You')}
      </h2>
      {item.images && <Pictures images={item.images} />}
      {edits.isOf(item) ? (
        <EditBox item={item} />
      ) : (
        <div class="user-text" dir="auto" data-find={item.id}>
          {item.text}
        </div>
      )}
      {waits && (
        <p class="quiet-line waits-line">
          <Icon name="clock" />
          <span>{l10n.t('Waits for the next step of the agent')}</span>
        </p>
      )}
      {item.expansion?.map((part, index) => (
        <Expansion key={index} name={`sent:${item.id}:${index}`} part={part} />
      ))}
      <ArticleActions item={item} />
    </article>
  );
}

function Pictures({ images }: { readonly images: readonly ImageRef[] }) {
  const { post } = usePanel();
  return (
    <ul class="pictures" aria-label={l10n.t('Pictures')}>
      {images.map(({ id, name }) => (
        <li key={id}>
          <button
            type="button"
            class="picture"
            aria-label={l10n.t('Open {0}', name)}
            title={name}
            onClick={() => post({ type: 'openPicture', id })}
          >
            <PictureView id={id} alt="" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** What the model got with the words: folded, since the person knows what they named. */
function Expansion({ name, part }: { readonly name: string; readonly part: ExpansionPart }) {
  const [open, setOpen] = useFold(name);
  return (
    <div class="expansion">
      <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span class="expansion-title">{l10n.t('Sent: {0}', part.title)}</span>
      </button>
      {open && (
        <div class="expansion-text" dir="auto" tabIndex={0} role="group" aria-label={part.title}>
          {part.text}
        </div>
      )}
    </div>
  );
}
