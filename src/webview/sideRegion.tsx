import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { SideQuestion } from '../chat/sideProtocol';
import { isImeKey } from './composerKeys';
import { Icon, IconButton } from './icon';
import { MarkdownText } from './markdownText';
import { usePanel } from './panelContext';

/** Questions beside the conversation and their answers; the conversation never sees them. */
export function SideRegion() {
  const { store, post, composer } = usePanel();
  store.watch('fields');
  const { side } = store.current;
  const rows = useRef<HTMLDivElement>(null);
  useAnnounced(side?.at(-1));
  useLayoutEffect(() => {
    rows.current?.lastElementChild?.scrollIntoView({ block: 'nearest' });
  }, [side?.length]);
  if (!side) return null;
  const close = () => {
    post({ type: 'dismissSide' });
    composer.requestFocus();
  };
  const answer = side.findLast(({ state }) => state === 'answered')?.answer;
  return (
    <section
      class="side"
      aria-label={l10n.t('Side question')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isImeKey(event)) return;
        // It closes this, and does not stop the turn.
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
    >
      <div class="side-bar">
        <h2 class="side-title">{l10n.t('Beside the conversation')}</h2>
        {answer !== undefined && (
          <IconButton
            icon="copy"
            name={l10n.t('Copy answer')}
            onClick={() => post({ type: 'copy', text: answer })}
          />
        )}
        <IconButton icon="close" name={l10n.t('Close side question')} onClick={close} />
      </div>
      <div ref={rows} class="side-rows" tabIndex={0} role="group" aria-label={l10n.t('Answer')}>
        {side.map((one) => (
          <SideRow key={one.id} asked={one} />
        ))}
      </div>
    </section>
  );
}

function SideRow({ asked }: { readonly asked: SideQuestion }) {
  const { question, state, answer = '' } = asked;
  return (
    <div class="side-row">
      <p class="side-question" dir="auto">
        {question}
      </p>
      {state === 'asking' && (
        <p class="side-state">
          <Icon name="loading" spin /> {l10n.t('Asking…')}
        </p>
      )}
      {state === 'failed' && (
        <p class="side-failed" dir="auto">
          <Icon name="warning" /> {answer}
        </p>
      )}
      {state === 'answered' && <MarkdownText text={answer} />}
    </div>
  );
}

/** So much of an answer is read out; all of it stands in the region. */
const SPOKEN_CHARS = 1_000;

function useAnnounced(last: SideQuestion | undefined): void {
  const { announcer } = usePanel();
  const words = last && last.state !== 'asking' ? last.answer : undefined;
  useEffect(() => {
    if (words === undefined) return;
    announcer.say(l10n.t('Side question answered: {0}', words.slice(0, SPOKEN_CHARS)));
  }, [words, last?.id, announcer]);
}
