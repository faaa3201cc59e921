import * as l10n from '@vscode/l10n';
import { Icon } from '../icon';
import { useWhatIf } from './whatIfContext';
import { inputLabel, sourceWords, verdictWords } from './whatIfWords';

/** A call that is typed, and what would happen to it. */
export function TryForm() {
  const { store } = useWhatIf();
  const shown = store.shown.value;
  const kind = store.choice.value?.input ?? 'json';
  if (shown === undefined) return null;
  return (
    <section class="try" aria-labelledby="try-title">
      <h2 id="try-title">{l10n.t('Try a call')}</h2>
      <div class="try-fields">
        <Choice
          id="tool"
          label={l10n.t('Tool')}
          value={store.tool.value}
          options={shown.tools.map(({ name, label }) => ({ id: name, label }))}
          onChange={(name) => store.setTool(name)}
        />
        <Choice
          id="mode"
          label={l10n.t('Mode')}
          value={store.mode.value}
          options={shown.modes}
          onChange={(mode) => store.setMode(mode)}
        />
      </div>
      <div class="try-field">
        <label class="try-label" for="input">
          {inputLabel(kind)}
        </label>
        <textarea
          id="input"
          class="input try-input"
          rows={kind === 'command' || kind === 'json' ? 3 : 1}
          spellcheck={false}
          autocomplete="off"
          value={store.input.value}
          onInput={(event) => store.setInput(event.currentTarget.value)}
        />
      </div>
      <Verdict />
    </section>
  );
}

function Choice(props: {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly id: string; readonly label: string }[];
  readonly onChange: (id: string) => void;
}) {
  return (
    <div class="try-choice">
      <label class="try-label" for={props.id}>
        {props.label}
      </label>
      <div class="select">
        <select
          id={props.id}
          class="input field-select"
          value={props.value}
          onChange={(event) => props.onChange(event.currentTarget.value)}
        >
          {props.options.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" class="select-chevron" />
      </div>
    </div>
  );
}

function Verdict() {
  const { store } = useWhatIf();
  const found = store.verdict.value;
  if (found === undefined) {
    return (
      <div class="verdict" role="status">
        <p class="verdict-empty">{l10n.t('Type what the agent would call the tool with.')}</p>
      </div>
    );
  }
  const { title, icon } = verdictWords(found.verdict);
  return (
    <div class={`verdict verdict-${found.verdict}`} role="status">
      <p class="verdict-title">
        <Icon name={icon} /> {title}
      </p>
      <p>{found.why}</p>
      {found.rule && (
        <p class="verdict-rule">
          <code dir="ltr">{found.rule.text}</code> <span>{sourceWords(found.rule.source)}</span>
        </p>
      )}
    </div>
  );
}
