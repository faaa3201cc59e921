import * as l10n from '@vscode/l10n';
import type { RuleRow } from '../../chat/whatIfProtocol';
import { IconButton } from '../icon';
import { useWhatIf } from './whatIfContext';
import { behaviorTitle, sourceWords } from './whatIfWords';
import { MOST_ROWS } from './whatIfStore';

/** In the order in which they outweigh one another. */
const BEHAVIORS = ['deny', 'ask', 'allow'] as const;

/** All rules, by what they do, with where they stand. */
export function RuleLists() {
  const { store, post } = useWhatIf();
  const shown = store.shown.value;
  if (shown === undefined) return null;
  const rows = store.rows.value;
  const drawn = rows.slice(0, MOST_ROWS);
  return (
    <section class="rules" aria-labelledby="rules-title">
      <div class="rules-head">
        <h2 id="rules-title">{l10n.t('Rules')}</h2>
        <input
          class="input rules-filter"
          type="text"
          aria-label={l10n.t('Filter rules')}
          placeholder={l10n.t('Filter rules')}
          value={store.filter.value}
          onInput={(event) => {
            store.filter.value = event.currentTarget.value;
          }}
        />
        <IconButton
          icon="refresh"
          name={l10n.t('Read the rules again')}
          onClick={() => post({ type: 'refresh' })}
        />
      </div>
      <p class="rules-origin">{originText(shown.origin, shown.folder)}</p>
      {shown.notes.map((note) => (
        <p key={note} class="rules-note">
          {note}
        </p>
      ))}
      {rows.length === 0 && <p class="rules-none">{noneText(shown.rules.length)}</p>}
      {BEHAVIORS.map((behavior) => (
        <RuleGroup
          key={behavior}
          title={behaviorTitle(behavior)}
          rows={drawn.filter((row) => row.behavior === behavior)}
        />
      ))}
      {rows.length > drawn.length && (
        <p class="rules-none">
          {l10n.t(
            '{0} of {1} rules are shown; the filter finds the others.',
            drawn.length,
            rows.length,
          )}
        </p>
      )}
    </section>
  );
}

function RuleGroup({ title, rows }: { readonly title: string; readonly rows: readonly RuleRow[] }) {
  if (rows.length === 0) return null;
  return (
    <>
      <h3 class="rules-title">
        {title} <span class="rules-count">{countText(rows)}</span>
      </h3>
      <ul class="rule-list">
        {[...rows.filter(isInForce), ...rows.filter((row) => !isInForce(row))].map((row, index) => (
          <RuleLine key={`${row.source} ${row.text} ${index}`} row={row} />
        ))}
      </ul>
    </>
  );
}

function isInForce({ idle }: RuleRow): boolean {
  return idle === undefined;
}

function countText(rows: readonly RuleRow[]): string {
  const count = rows.filter(isInForce).length;
  return count === rows.length
    ? String(count)
    : l10n.t('{0}, and {1} not in force', count, rows.length - count);
}

function RuleLine({ row }: { readonly row: RuleRow }) {
  const { post } = useWhatIf();
  const { file, idle } = row;
  return (
    <li class={idle === undefined ? 'rule' : 'rule rule-idle'}>
      <code dir="ltr">{row.text === '' ? '""' : row.text}</code>
      <span class="rule-source">
        {file === undefined ? (
          sourceWords(row.source)
        ) : (
          <button
            type="button"
            class="link-button"
            title={l10n.t('Open {0}', file)}
            onClick={() => post({ type: 'openFile', file })}
          >
            {sourceWords(row.source)}
          </button>
        )}
      </span>
      {idle !== undefined && <p class="rule-why">{l10n.t('Not in force. {0}', idle)}</p>}
    </li>
  );
}

function originText(origin: 'agent' | 'files', folder: string | undefined): string {
  if (origin === 'agent') {
    return folder === undefined
      ? l10n.t('As the agent that runs applies them.')
      : l10n.t('As the agent that runs applies them in {0}.', folder);
  }
  return folder === undefined
    ? l10n.t('As they stand in the settings files; no agent runs.')
    : l10n.t('As they stand in the settings files for {0}; no agent runs.', folder);
}

function noneText(all: number): string {
  return all === 0
    ? l10n.t('There are no rules: the mode alone decides.')
    : l10n.t('No rule fits the filter.');
}
