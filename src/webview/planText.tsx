import * as l10n from '@vscode/l10n';
import { Icon } from './icon';
import { useFold } from './useFold';
import { useMarkdown } from './useMarkdown';

/** Above so many lines or characters it is folded: the buttons below it must be near. */
const MAX_LINES = 20;
const MAX_CHARACTERS = 1500;

/**
 * A plan as the markdown that it is. A long one is folded; then it scrolls in its own box.
 * `fold` is the name of that in the transcript.
 */
export function PlanText({ text, fold }: { readonly text: string; readonly fold?: string }) {
  const root = useMarkdown(text);
  const [open, setOpen] = useFold(fold);
  const isLong = text.length > MAX_CHARACTERS || text.split('\n', MAX_LINES + 1).length > MAX_LINES;
  const folded = isLong && !open;
  return (
    <div class="plan">
      <div
        ref={root}
        class={folded ? 'text plan-text plan-folded' : 'text plan-text'}
        role="group"
        aria-label={l10n.t('Text of the plan')}
        // What scrolls must be reached by keys.
        tabIndex={folded ? 0 : undefined}
      />
      {isLong && (
        <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon name={open ? 'chevron-up' : 'chevron-down'} />
          <span>{open ? l10n.t('Show less') : l10n.t('Show the whole plan')}</span>
        </button>
      )}
    </div>
  );
}
