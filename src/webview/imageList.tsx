import * as l10n from '@vscode/l10n';
import { useLayoutEffect } from 'preact/hooks';
import type { ResultImage } from '../chat/toolPartsProtocol';
import { Icon } from './icon';
import type { LoadedImage } from './imageLoader';
import { usePanel } from './panelContext';
import { useFold } from './useFold';

/** The pictures of a result: small in a row, one that is pressed as large as there is room. */
export function ImageList(props: {
  readonly toolUseId: string;
  readonly images: readonly ResultImage[];
}) {
  return (
    <div class="images">
      {props.images.map((image, index) => (
        <Picture key={index} toolUseId={props.toolUseId} index={index} image={image} />
      ))}
    </div>
  );
}

function Picture(props: {
  readonly toolUseId: string;
  readonly index: number;
  readonly image: ResultImage;
}) {
  const { toolUseId, index, image } = props;
  const { images } = usePanel();
  const [isLarge, setLarge] = useFold(`image:${toolUseId}:${index}`);
  const loaded: LoadedImage = images.get(toolUseId, index).value;
  useLayoutEffect(() => images.load(toolUseId, index), [images, toolUseId, index]);
  const name = l10n.t('Image {0}', index + 1);
  if (loaded.kind === 'gone') {
    return (
      <p class="quiet-line">
        <Icon name="file-media" />{' '}
        {l10n.t('{0} is not kept any more', `${name} (${image.mediaType})`)}
      </p>
    );
  }
  return (
    <button
      type="button"
      class={isLarge ? 'result-picture result-picture-large' : 'result-picture'}
      aria-pressed={isLarge}
      aria-label={name}
      onClick={() => setLarge(!isLarge)}
    >
      {loaded.kind === 'here' && <img src={loaded.url} alt="" />}
    </button>
  );
}
