import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ViewMessage } from '../chat/viewProtocol';
import type { ApprovalCard, ServerApprovalCard } from '../chat/viewStateProtocol';
import { allowCounts } from './allowGuard';
import { Icon } from './icon';
import { usePanel } from './panelContext';
import { ToolFilesBody } from './toolFilesBody';
import { useEscapeLeaves } from './useEscapeLeaves';
import { useFocusReturn } from './useFocusReturn';

type Answer = Extract<ViewMessage, { type: 'answerApproval' }>['answer'];

/** What differs between the kinds of cards. */
interface Look {
  readonly icon: string;
  readonly title: string;
  /** Said when it comes, behind its name. */
  readonly spoken: string;
  readonly never: string;
  readonly show: string;
  readonly body: ComponentChildren;
}

/**
 * Something that the workspace brings. Nothing waits for the answer, so it is quiet: it takes no focus
 * and is said politely. Approve does not answer to a key that was meant for something else.
 */
export function ApprovalCardView({ card }: { readonly card: ApprovalCard }) {
  const { announcer } = usePanel();
  const root = useFocusReturn(card.id);
  const leave = useEscapeLeaves();
  const focusedAt = useRef<number | undefined>(undefined);
  const look = card.kind === 'server' ? serverLook(card) : filesLook(card);
  const name = l10n.t('Approval: {0}', look.title);
  useEffect(() => announcer.say(`${name}. ${look.spoken}`), [announcer, name, look.spoken]);
  return (
    <div
      ref={root}
      role="group"
      class="card"
      aria-label={name}
      onKeyDown={leave}
      onFocusCapture={({ relatedTarget }) => {
        const isInside = relatedTarget instanceof Node && root.current?.contains(relatedTarget);
        if (isInside !== true) focusedAt.current = performance.now();
      }}
    >
      <h3 class="card-title" dir="auto">
        <Icon name={look.icon} />
        <span>{look.title}</span>
      </h3>
      {look.body}
      <ApprovalButtons id={card.id} look={look} focusedAt={() => focusedAt.current} />
    </div>
  );
}

function serverLook(card: ServerApprovalCard): Look {
  return {
    icon: card.bodyKind === 'url' ? 'globe' : 'terminal',
    title: card.name,
    spoken: card.body,
    never: l10n.t('Never'),
    show: card.changed ? l10n.t('Show what is new') : l10n.t('Open the file'),
    body: (
      <>
        <pre class="card-thing" tabIndex={0} dir="ltr" role="group" aria-label={l10n.t('Server')}>
          {card.body}
        </pre>
        <p class="card-why" dir="auto">
          {card.changed
            ? l10n.t('This server of the workspace was changed since your last answer.')
            : l10n.t('The workspace brings this server.')}{' '}
          {l10n.t('It runs with your rights, and is not started without your approval.')}
        </p>
      </>
    ),
  };
}

function filesLook(card: Extract<ApprovalCard, { kind: 'toolFiles' }>): Look {
  const count = card.files.length + (card.moreFiles ?? 0);
  return {
    icon: 'tools',
    title: l10n.t('Tool files of {0}', card.folder),
    spoken: count === 1 ? l10n.t('One file is new or changed.') : filesChanged(count),
    never: l10n.t("Don't run"),
    show: l10n.t('Show what is new'),
    body: <ToolFilesBody card={card} />,
  };
}

function filesChanged(count: number): string {
  return l10n.t('{0} files are new or changed.', count);
}

function ApprovalButtons(props: {
  readonly id: string;
  readonly look: Look;
  readonly focusedAt: () => number | undefined;
}) {
  const { id, look } = props;
  const { post } = usePanel();
  const answer = (given: Answer) => post({ type: 'answerApproval', approvalId: id, answer: given });
  const approve = (event: MouseEvent) => {
    // A click without a pointer (`detail` 0) comes from a key or from assistive technology.
    const press = {
      byKey: event.detail === 0,
      now: performance.now(),
      focusedAt: props.focusedAt(),
    };
    if (allowCounts(press)) answer('approve');
  };
  return (
    <div class="card-buttons">
      <button type="button" class="button primary" onClick={approve}>
        {l10n.t('Approve')}
      </button>
      <button type="button" class="button secondary" onClick={() => answer('later')}>
        {l10n.t('Not now')}
      </button>
      <button type="button" class="button secondary" onClick={() => answer('never')}>
        {look.never}
      </button>
      <button
        type="button"
        class="button secondary"
        onClick={() => post({ type: 'showApproval', approvalId: id })}
      >
        {look.show}
      </button>
    </div>
  );
}
