import { Icon } from './icon';
import { usePanel } from './panelContext';

/** A picture as small as its box; what stands in for one that is on its way, or gone. */
export function PictureView({ id, alt }: { readonly id: string; readonly alt: string }) {
  const { pictures } = usePanel();
  const state = pictures.picture(id).value;
  if (state.kind === 'there') return <img class="picture-image" src={state.url} alt={alt} />;
  return (
    <span class="picture-stand-in" role="img" aria-label={alt}>
      <Icon
        name={state.kind === 'loading' ? 'loading' : 'file-media'}
        spin={state.kind === 'loading'}
      />
    </span>
  );
}
