import * as l10n from '@vscode/l10n';
import type { Attachment } from './attachmentsModel';
import { Icon, IconButton } from './icon';
import { usePanel } from './panelContext';
import { PictureView } from './pictureView';

/** The pictures that go with the message, and why others do not. */
export function AttachmentList() {
  const { attachments } = usePanel();
  const items = attachments.items.value;
  if (items.length === 0) return null;
  return (
    <ul class="attachments" aria-label={l10n.t('Attachments')}>
      {items.map((item) => (
        <Row key={item.id} item={item} />
      ))}
    </ul>
  );
}

function Row({ item }: { readonly item: Attachment }) {
  const { attachments, composer } = usePanel();
  const { id, name, image, isScaled } = item;
  const size = image?.width === undefined ? '' : ` ${image.width} × ${image.height}`;
  const note = isScaled === true ? `${size}, ${l10n.t('made smaller for the model')}` : size;
  const remove = () => {
    attachments.remove(id);
    // The button has gone with its row.
    composer.requestFocus();
  };
  return (
    <li class="attachment" title={`${name}${note}`}>
      <span class="attachment-picture">
        {image ? <PictureView id={id} alt="" /> : <Icon name="loading" spin />}
      </span>
      <span class="attachment-name" dir="auto">
        {name}
      </span>
      {isScaled === true && <span class="sr-only">{l10n.t('made smaller for the model')}</span>}
      <IconButton icon="close" name={l10n.t('Remove {0}', name)} onClick={remove} />
    </li>
  );
}

/** Why files were not attached. */
export function AttachmentProblems() {
  const { attachments } = usePanel();
  const problems = attachments.problems.value;
  if (problems.length === 0) return null;
  return (
    <div role="alert">
      {problems.map((problem) => (
        <p key={problem} class="refused" dir="auto">
          <Icon name="warning" />
          <span>{problem}</span>
        </p>
      ))}
    </div>
  );
}
