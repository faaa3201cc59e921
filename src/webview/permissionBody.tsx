import * as l10n from '@vscode/l10n';
import type { PermissionCard } from '../chat/viewStateProtocol';
import { DiffView } from './diffView';
import { IconButton } from './icon';
import { usePanel } from './panelContext';

/** The box shows about so many lines at once; of more their number is said. */
const LINES_IN_SIGHT = 12;

/** The thing itself, then what else decides, in the order in which one asks. */
export function PermissionBody({ card }: { readonly card: PermissionCard }) {
  const { said, facts = [] } = card;
  return (
    <>
      <Thing card={card} />
      {card.diff && <ProposedDiff card={card} diff={card.diff} />}
      {facts.length > 0 && (
        <p class="card-facts" dir="auto">
          {facts.join(' · ')}
        </p>
      )}
      {said !== undefined && (
        <p class="card-why" dir="auto">
          {l10n.t('The model calls it: {0}', said)}
        </p>
      )}
      <Why card={card} />
    </>
  );
}

/** Left out where the sentence above names all of it. */
function Thing({ card }: { readonly card: PermissionCard }) {
  const { body, bodyKind, what } = card;
  if (bodyKind === 'path' && what?.includes(body) === true) return null;
  const lines = body.split('\n').length;
  return (
    <>
      <pre class="card-thing" tabIndex={0} dir="ltr" role="group" aria-label={l10n.t('Request')}>
        {body}
      </pre>
      {lines > LINES_IN_SIGHT && <p class="card-why card-lines">{l10n.t('{0} lines', lines)}</p>}
    </>
  );
}

function ProposedDiff(props: {
  readonly card: PermissionCard;
  readonly diff: NonNullable<PermissionCard['diff']>;
}) {
  const { card, diff } = props;
  const { post } = usePanel();
  // The agent that asked is gone, and the host has no more of it.
  const show = card.interrupted !== true && (
    <IconButton
      icon="diff"
      name={l10n.t('Show diff')}
      onClick={() => post({ type: 'showDiff', cardId: card.id })}
    />
  );
  const isNamed = card.what?.includes(diff.path) === true || card.body.includes(diff.path);
  return <DiffView diff={diff} head={!isNamed} action={show} />;
}

function Why({ card }: { readonly card: PermissionCard }) {
  const { reason, conversationRule } = card;
  if (reason === undefined && conversationRule === undefined) return null;
  return (
    <p class="card-why" dir="auto">
      {reason !== undefined && <>{reason} </>}
      {conversationRule !== undefined && (
        <>
          {l10n.t('For this conversation it would allow')} <code>{conversationRule}</code>
        </>
      )}
    </p>
  );
}
