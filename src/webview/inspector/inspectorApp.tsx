import * as l10n from '@vscode/l10n';
import type { ReadonlySignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { Connection } from '../connection';
import { CountLine } from './countLine';
import { DetailPane } from './detailPane';
import { FrameList } from './frameList';
import { useInspector } from './inspectorContext';
import { Toolbar } from './toolbar';

export function InspectorApp(props: {
  readonly connection: ReadonlySignal<Connection>;
  readonly retry: () => void;
}) {
  const { store } = useInspector();
  useFilterKey();
  const hasDetail = store.selected.value !== undefined;
  return (
    <main class="inspector">
      <h1 class="sr-only">{l10n.t('Patchbay wire')}</h1>
      {props.connection.value === 'silent' && <Silent retry={props.retry} />}
      {store.isStarted.value && (
        <>
          <Toolbar />
          <div class={hasDetail ? 'split split-open' : 'split'}>
            <FrameList />
            {hasDetail && <DetailPane />}
          </div>
          <CountLine />
        </>
      )}
    </main>
  );
}

/** Wherever the person is, also where nothing has the focus, the usual key leads to the filter. */
function useFilterKey(): void {
  useLayoutEffect(() => {
    document.addEventListener('keydown', openFilter);
    return () => document.removeEventListener('keydown', openFilter);
  }, []);
}

function openFilter(event: KeyboardEvent): void {
  if (event.key !== 'f' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
  event.preventDefault();
  // Else the editor would open its own search as well.
  event.stopPropagation();
  const input = document.getElementById('filter');
  if (!(input instanceof HTMLInputElement)) return;
  input.focus();
  input.select();
}

/** The host did not answer: said, never a blank page. */
function Silent({ retry }: { readonly retry: () => void }) {
  return (
    <div role="alert" class="silent">
      <p>{l10n.t('Patchbay did not answer. What was recorded is kept.')}</p>
      <button type="button" class="button primary" onClick={retry}>
        {l10n.t('Retry')}
      </button>
    </div>
  );
}
