import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { composerAction } from './composerKeys';
import { Icon } from './icon';
import { usePanel } from './panelContext';
import { Picker } from './picker';
import { QueueList } from './queueList';
import { isRunning } from './words';

/** The cockpit: what waits, the message, model and mode, Send or Stop. */
export function Composer() {
  const { composer } = usePanel();
  const refused = composer.refused.value;
  return (
    <div class="composer">
      <QueueList />
      {refused !== undefined && (
        <p class="refused" role="alert" dir="auto">
          <Icon name="warning" />
          <span>{refused}</span>
        </p>
      )}
      <div class="composer-box">
        <MessageBox />
        <div class="composer-bar">
          <Pickers />
          <SendButtons />
        </div>
      </div>
    </div>
  );
}

function MessageBox() {
  const { store, composer, post } = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  const text = composer.text.value;
  const requests = composer.focusRequests.value;
  store.watch('fields');
  const { sendKey, status, folder } = store.current;
  useLayoutEffect(() => {
    if (requests > 0) focusAtEnd(box.current);
  }, [requests]);
  useLayoutEffect(() => grow(box.current), [text]);
  const onKeyDown = (event: KeyboardEvent) => {
    const action = composerAction(event, { text: box.current?.value ?? text, sendKey });
    if (!action) return;
    event.preventDefault();
    if (action === 'send') composer.submit();
    else composer.recall(store.current.items);
  };
  return (
    <textarea
      ref={box}
      class="message"
      rows={1}
      dir="auto"
      aria-label={l10n.t('Message')}
      placeholder={placeholder(isRunning(status), folder?.name)}
      value={text}
      onInput={(event) => composer.edit(event.currentTarget.value)}
      onFocus={() => post({ type: 'inputFocused' })}
      onBlur={() => composer.flush()}
      onKeyDown={onKeyDown}
    />
  );
}

function placeholder(running: boolean, folder: string | undefined): string {
  if (running) return l10n.t('Ask, or add to the queue…');
  return folder === undefined ? l10n.t('Ask anything…') : l10n.t('Ask anything about {0}…', folder);
}

function focusAtEnd(box: HTMLTextAreaElement | null): void {
  if (!box) return;
  box.focus();
  box.setSelectionRange(box.value.length, box.value.length);
}

/** Browsers without `field-sizing` need the height set by hand; CSS holds the limit. */
function grow(box: HTMLTextAreaElement | null): void {
  if (!box || CSS.supports('field-sizing', 'content')) return;
  box.style.height = 'auto';
  box.style.height = `${box.scrollHeight}px`;
}

function Pickers() {
  const { store, post, modelPickerRequests } = usePanel();
  store.watch('fields');
  const { model, models, mode, modes } = store.current;
  const label = (list: readonly { id: string; label: string }[], id: string) =>
    list.find((option) => option.id === id)?.label ?? id;
  return (
    <div class="pickers">
      {models.length > 0 && (
        <Picker
          label={l10n.t('Model')}
          name={l10n.t('Model: {0}', label(models, model))}
          icon="sparkle"
          value={model}
          options={models}
          onChoose={(id) => post({ type: 'setModel', model: id })}
          openRequests={modelPickerRequests.value}
        />
      )}
      {modes.length > 0 && (
        <Picker
          label={l10n.t('Permission mode')}
          name={l10n.t('Permission mode: {0}', label(modes, mode))}
          icon="shield"
          value={mode}
          options={modes}
          onChoose={(id) => post({ type: 'setMode', mode: id })}
        />
      )}
    </div>
  );
}

/** Stop is there for as long as something runs; Send joins it once there is something to queue. */
function SendButtons() {
  const { store, composer, post } = usePanel();
  store.watch('fields');
  const running = isRunning(store.current.status);
  const empty = composer.text.value.trim() === '';
  return (
    <div class="send-buttons">
      {running && (
        <button
          type="button"
          class="square stop"
          aria-label={l10n.t('Stop')}
          title={l10n.t('Stop (Escape)')}
          onClick={() => post({ type: 'stop' })}
        >
          <Icon name="debug-stop" />
        </button>
      )}
      {(!running || !empty) && (
        <button
          type="button"
          class="square send"
          aria-label={l10n.t('Send')}
          title={l10n.t('Send')}
          disabled={empty}
          onClick={() => composer.submit()}
        >
          <Icon name="arrow-up" />
        </button>
      )}
    </div>
  );
}
