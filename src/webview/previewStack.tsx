import * as l10n from '@vscode/l10n';
import type { QuestionOption } from '../chat/askProtocol';

/** What the option that is looked at would be like; that of the first until one is looked at. */
export function PreviewStack(props: {
  readonly options: readonly QuestionOption[];
  readonly at: number;
}) {
  const previews = props.options.filter(({ preview }) => preview !== undefined);
  const [first] = previews;
  if (!first) return null;
  const pointed = props.options[props.at];
  const shown = pointed?.preview === undefined ? first : pointed;
  return (
    <figure class="preview">
      <figcaption class="field-hint">{l10n.t('Preview: {0}', shown.label)}</figcaption>
      <div class="preview-stack">
        {previews.map((option, index) => (
          <pre
            key={index}
            class={option === shown ? 'card-thing preview-shown' : 'card-thing'}
            tabIndex={0}
            dir="auto"
            role="group"
            aria-label={l10n.t('Preview: {0}', option.label)}
          >
            {option.preview}
          </pre>
        ))}
      </div>
    </figure>
  );
}
