import * as l10n from '@vscode/l10n';
import { FRAME_KINDS, type FrameKind } from '../../chat/frameRowProtocol';
import { isImeKey } from '../composerKeys';
import { Icon, IconButton } from '../icon';
import { kindWord } from './frameWords';
import { useInspector } from './inspectorContext';

/** Whose frames, which of them, and what can be done with them. */
export function Toolbar() {
  const { store, post } = useInspector();
  const paused = store.isPaused.value;
  return (
    <div class="toolbar" role="toolbar" aria-label={l10n.t('Frames')}>
      <div class="toolbar-line">
        <button
          type="button"
          class="fold conversation"
          title={l10n.t('Choose the conversation')}
          onClick={() => post({ type: 'choose' })}
        >
          <Icon name="comment-discussion" />
          <span class="conversation-name" dir="auto">
            {store.conversation.value}
          </span>
          <Icon name="chevron-down" />
        </button>
        <span class="spring" />
        <IconButton
          icon={paused ? 'debug-continue' : 'debug-pause'}
          name={paused ? l10n.t('Resume') : l10n.t('Pause')}
          class={paused ? 'icon-button-on' : ''}
          onClick={() => post({ type: 'pause', on: !paused })}
        />
        <IconButton
          icon="clear-all"
          name={l10n.t('Clear')}
          onClick={() => post({ type: 'clear' })}
        />
        <IconButton
          icon="go-to-file"
          name={l10n.t('Open in editor')}
          onClick={() => post({ type: 'openAll' })}
        />
        <IconButton icon="save" name={l10n.t('Save')} onClick={() => post({ type: 'save' })} />
      </div>
      <div class="toolbar-line">
        <Filter />
        <div class="kinds" role="group" aria-label={l10n.t('Kinds of frames')}>
          {FRAME_KINDS.map((kind) => (
            <KindButton key={kind} kind={kind} />
          ))}
        </div>
        <span class="spring" />
        <RedactionBoxes />
      </div>
    </div>
  );
}

function Filter() {
  const { store } = useInspector();
  return (
    <input
      id="filter"
      class="input filter"
      type="text"
      aria-label={l10n.t('Filter')}
      placeholder={l10n.t('Filter by type, method, tool or id')}
      value={store.text.value}
      onInput={(event) => {
        store.text.value = event.currentTarget.value;
      }}
      onKeyDown={(event) => {
        if (isImeKey(event)) return;
        if (event.key === 'Escape') store.text.value = '';
        else if (event.key === 'ArrowDown') store.focusRequests.value += 1;
        else return;
        event.preventDefault();
      }}
    />
  );
}

function KindButton({ kind }: { readonly kind: FrameKind }) {
  const { store } = useInspector();
  return (
    <button
      type="button"
      class={`kind kind-${kind}`}
      aria-pressed={store.kinds.value.has(kind)}
      onClick={() => store.toggleKind(kind)}
    >
      {kindWord(kind)}
    </button>
  );
}

function RedactionBoxes() {
  const { store } = useInspector();
  const { secrets, contents } = store.redaction.value;
  return (
    <div class="boxes" role="group" aria-label={l10n.t('Left out')}>
      <label class="box" title={l10n.t('Keys, tokens, headers and environments')}>
        <input
          type="checkbox"
          checked={secrets}
          onChange={(event) => store.redact({ secrets: event.currentTarget.checked })}
        />
        {l10n.t('Hide secrets')}
      </label>
      <label
        class="box"
        title={l10n.t('Prompts, answers, tool inputs, results and files. They are shown here.')}
      >
        <input
          type="checkbox"
          checked={contents}
          onChange={(event) => store.redact({ contents: event.currentTarget.checked })}
        />
        {l10n.t('Save without contents')}
      </label>
    </div>
  );
}
