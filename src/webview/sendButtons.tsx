import * as l10n from '@vscode/l10n';
import type { ViewFields } from '../chat/viewStateProtocol';
import { Icon } from './icon';
import { usePanel } from './panelContext';
import { isRunning } from './words';

export const SEND_KEYS_ID = 'send-keys';

/** Stop is there for as long as something runs; what sends joins it once there is something to send. */
export function SendButtons() {
  const { store, composer, post } = usePanel();
  store.watch('fields');
  const { status, sendKey } = store.current;
  const running = isRunning(status);
  const empty = useIsEmpty();
  const keys = keyNames(sendKey);
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
      {running && !empty && (
        <button
          type="button"
          class="square steer"
          aria-label={l10n.t('Send into the running turn')}
          title={l10n.t('Send into the running turn ({0})', keys.steer)}
          onClick={() => composer.submit(true)}
        >
          <Icon name="run-all" />
        </button>
      )}
      {(!running || !empty) && (
        <button
          type="button"
          class="square send"
          aria-label={l10n.t('Send')}
          title={running ? l10n.t('Add to the queue ({0})', keys.send) : l10n.t('Send')}
          disabled={empty}
          onClick={() => composer.submit()}
        >
          <Icon name="arrow-up" />
        </button>
      )}
    </div>
  );
}

/** While a turn runs: what which key does. Read with the box, and seen as soon as something is typed. */
export function SendKeys() {
  const { store } = usePanel();
  store.watch('fields');
  const { status, sendKey } = store.current;
  const empty = useIsEmpty();
  const keys = keyNames(sendKey);
  return (
    <p class={isRunning(status) && !empty ? 'send-keys' : 'sr-only'} id={SEND_KEYS_ID}>
      {isRunning(status) &&
        l10n.t('{0} adds to the queue, {1} sends into the running turn', keys.send, keys.steer)}
    </p>
  );
}

function useIsEmpty(): boolean {
  const { composer, attachments } = usePanel();
  return composer.text.value.trim() === '' && attachments.items.value.length === 0;
}

function keyNames(sendKey: ViewFields['sendKey']): {
  readonly send: string;
  readonly steer: string;
} {
  const mod = navigator.userAgent.includes('Macintosh') ? 'Cmd' : 'Ctrl';
  return sendKey === 'enter'
    ? { send: 'Enter', steer: `${mod}+Enter` }
    : { send: `${mod}+Enter`, steer: `${mod}+Shift+Enter` };
}
