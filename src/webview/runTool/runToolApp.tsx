import * as l10n from '@vscode/l10n';
import type { ReadonlySignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FormCard } from '../../chat/askProtocol';
import type { RunEnd, RunToolMessage, RunView } from '../../chat/runToolProtocol';
import type { AskDrafts } from '../askDrafts';
import { isImeKey } from '../composerKeys';
import type { Connection } from '../connection';
import { FormBody } from '../formBody';
import { Icon } from '../icon';

interface PageParts {
  readonly drafts: AskDrafts;
  readonly post: (message: RunToolMessage) => void;
}

/** The form of a tool's arguments, what the tool asks while it runs, and how it ended. */
export function RunToolApp(
  props: PageParts & {
    readonly view: ReadonlySignal<RunView | undefined>;
    readonly connection: ReadonlySignal<Connection>;
    readonly retry: () => void;
  },
) {
  const view = props.view.value;
  return (
    <main class="run-tool">
      {props.connection.value === 'silent' && (
        <div role="alert" class="silent">
          <p>{l10n.t('Patchbay did not answer. Nothing was changed.')}</p>
          <button type="button" class="button primary" onClick={props.retry}>
            {l10n.t('Retry')}
          </button>
        </div>
      )}
      {view && <Page view={view} drafts={props.drafts} post={props.post} />}
    </main>
  );
}

function Page({ view, drafts, post }: PageParts & { readonly view: RunView }) {
  const isRunning = view.running !== undefined;
  return (
    <>
      <header class="run-head">
        <h1 dir="auto">{view.title}</h1>
        <code dir="ltr">{view.wireName}</code>
      </header>
      {view.description !== '' && (
        <p class="run-description" dir="auto">
          {view.description}
        </p>
      )}
      <Form
        name={l10n.t('Arguments')}
        card={view.form}
        drafts={drafts}
        submitWords={view.end === undefined ? l10n.t('Run') : l10n.t('Run again')}
        isOff={isRunning}
        other={{
          words: isRunning ? l10n.t('Stop') : l10n.t('Cancel'),
          run: () => post({ type: 'cancel' }),
        }}
      />
      {view.ask && <Asked card={view.ask} drafts={drafts} />}
      <Status view={view} post={post} />
    </>
  );
}

/** What the tool asks while it runs. */
function Asked({ card, drafts }: Pick<PageParts, 'drafts'> & { readonly card: FormCard }) {
  return (
    <Form
      key={card.id}
      name={l10n.t('Form: {0}', card.title)}
      card={card}
      drafts={drafts}
      submitWords={l10n.t('Submit')}
      isOff={false}
      isAsked
      other={{ words: l10n.t('Decline'), run: () => drafts.of(card).decline() }}
    />
  );
}

function Form(props: {
  readonly name: string;
  readonly card: FormCard;
  readonly drafts: AskDrafts;
  readonly submitWords: string;
  /** It cannot be sent now; it can be written in. */
  readonly isOff: boolean;
  /** The tool waits for it: the focus goes there. */
  readonly isAsked?: boolean;
  readonly other: { readonly words: string; readonly run: () => void };
}) {
  const { card, isOff, other } = props;
  const root = useRef<HTMLDivElement>(null);
  const draft = props.drafts.of(card);
  useLayoutEffect(() => focusKey(root.current, undefined), [card.id]);
  const submit = () => {
    if (isOff) return;
    const wrong = draft.submit();
    if (wrong !== undefined) focusKey(root.current, wrong);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isImeKey(event) || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  };
  return (
    <div
      ref={root}
      role="group"
      class={props.isAsked === true ? 'card ask' : 'run-form'}
      aria-label={props.name}
      onKeyDown={onKeyDown}
    >
      {props.isAsked === true && (
        <h2 class="card-title" dir="auto">
          <Icon name="list-unordered" />
          <span>{card.title}</span>
        </h2>
      )}
      {card.fields.length === 0 && props.isAsked !== true && (
        <p class="run-none">{l10n.t('This tool takes no arguments.')}</p>
      )}
      <FormBody card={card} draft={draft} submit={submit} />
      <div class="card-buttons">
        <button type="button" class="button primary" aria-disabled={isOff} onClick={submit}>
          {props.submitWords}
        </button>
        <button type="button" class="button secondary" onClick={other.run}>
          {other.words}
        </button>
      </div>
    </div>
  );
}

const END_ICONS: Readonly<Record<RunEnd['kind'], string>> = {
  done: 'pass',
  failed: 'error',
  badInput: 'warning',
  cancelled: 'circle-slash',
};

/** How far the run is, or how it ended; said by a screen reader as it changes. */
function Status({ view, post }: { readonly view: RunView } & Pick<PageParts, 'post'>) {
  const { running, end } = view;
  const hasResult = end?.kind === 'done' || end?.kind === 'failed';
  return (
    <>
      <div role="status" class={end === undefined ? 'run-status' : `run-status run-${end.kind}`}>
        {running !== undefined && (
          <p>
            <Icon name="sync" /> {running === '' ? l10n.t('Running') : running}
          </p>
        )}
        {running === undefined && end && (
          <p class="run-end">
            <Icon name={END_ICONS[end.kind]} /> <span>{end.text}</span>
          </p>
        )}
      </div>
      {running === undefined && hasResult && (
        <p>
          <button
            type="button"
            class="button secondary"
            onClick={() => post({ type: 'showResult' })}
          >
            {l10n.t('Show the result')}
          </button>
        </p>
      )}
    </>
  );
}

/** The control of a field; without a key the first one. */
function focusKey(root: HTMLElement | null, key: string | undefined): void {
  const all = [...(root?.querySelectorAll<HTMLElement>('[data-key]') ?? [])];
  all.find((element) => key === undefined || element.dataset.key === key)?.focus();
}
