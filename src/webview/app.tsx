import * as l10n from '@vscode/l10n';
import type { ReadonlySignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { Composer } from './composer';
import type { Connection } from './connection';
import { copySelection } from './copySelection';
import { Header } from './header';
import { Icon } from './icon';
import { LiveRegion } from './liveRegion';
import { panelClick, panelKeyDown } from './panelEvents';
import { usePanel } from './panelContext';
import { PressGuard } from './pressGuard';
import { StatusLine } from './statusLine';
import { Transcript } from './transcript';
import { typingHandlers } from './typingHandlers';
import { useDrop } from './useDrop';
import { useFocusKeeper } from './useFocusKeeper';

export function App(props: {
  readonly connection: ReadonlySignal<Connection>;
  readonly retry: () => void;
}) {
  const panel = usePanel();
  const connection = props.connection.value;
  const drawn = panel.store.epoch.value > 0;
  const drop = useDrop();
  const root = useFocusKeeper();
  const [guard] = useState(() => new PressGuard());
  return (
    <main
      ref={root}
      aria-label={l10n.t('Patchbay chat')}
      onClickCapture={guard.click}
      onKeyDownCapture={guard.key}
      onKeyDown={(event) => panelKeyDown(event, panel)}
      onClick={(event) => panelClick(event, panel)}
      onAuxClick={(event) => panelClick(event, panel)}
      {...drop.handlers}
      {...typingHandlers(panel.announcer)}
      onCopy={(event) => copySelection(event, panel.store.state?.items ?? [])}
    >
      {connection === 'silent' && <Silent retry={props.retry} />}
      {drawn && (
        <>
          <Header />
          <Transcript />
          <div class="bottom">
            <Composer />
            <StatusLine />
          </div>
        </>
      )}
      {drop.isOver && <DropNote />}
      <LiveRegion />
    </main>
  );
}

function DropNote() {
  return (
    <div class="drop-note" aria-hidden="true">
      <Icon name="cloud-upload" />
      <span>{l10n.t('Drop to attach to the message')}</span>
    </div>
  );
}

/** The host did not answer: said, never a blank panel. */
function Silent({ retry }: { readonly retry: () => void }) {
  return (
    <div role="alert" class="alert silent">
      <p class="alert-message">
        {l10n.t('Patchbay did not answer. Your conversation and draft are kept by the editor.')}
      </p>
      <p>{l10n.t('Try again; if it stays like this, reload the window.')}</p>
      <div class="alert-buttons">
        <button type="button" class="button primary" onClick={retry}>
          {l10n.t('Retry')}
        </button>
      </div>
    </div>
  );
}
