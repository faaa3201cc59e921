import * as l10n from '@vscode/l10n';
import type { ReadonlySignal } from '@preact/signals';
import type { Connection } from '../connection';
import { RuleLists } from './ruleLists';
import { TryForm } from './tryForm';

export function WhatIfApp(props: {
  readonly connection: ReadonlySignal<Connection>;
  readonly retry: () => void;
}) {
  return (
    <main class="what-if">
      <h1 class="sr-only">{l10n.t('What would happen?')}</h1>
      {props.connection.value === 'silent' && (
        <div role="alert" class="silent">
          <p>{l10n.t('Patchbay did not answer. Nothing was changed.')}</p>
          <button type="button" class="button primary" onClick={props.retry}>
            {l10n.t('Retry')}
          </button>
        </div>
      )}
      <TryForm />
      <RuleLists />
    </main>
  );
}
