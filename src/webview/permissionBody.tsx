import * as l10n from '@vscode/l10n';
import type { PermissionCard } from '../chat/viewStateProtocol';
import { DiffView } from './diffView';
import { usePanel } from './panelContext';

/** The box shows about so many lines at once; of more their number is said. */
const LINES_IN_SIGHT = 12;

/** The thing itself, then what else decides, in the order in which one asks. */
export function PermissionBody({ card }: { readonly card: PermissionCard }) {
  const { said, facts = [], diff, reason, conversationRule, what, body } = card;
  const isNamed = diff && (what?.includes(diff.path) === true || body.includes(diff.path));
  const hasNotes = (said ?? reason ?? conversationRule ?? facts[0]) !== undefined;
  return (
    <>
      <Thing card={card} />
      {diff && <DiffView diff={diff} head={isNamed !== true} />}
      {hasNotes && (
        <div class="card-notes">
          {facts.length > 0 && <p dir="auto">{facts.join(' · ')}</p>}
          {said !== undefined && (
            <p class="card-why" dir="auto">
              {l10n.t('The model calls it: {0}', said)}
            </p>
          )}
          <Why card={card} />
        </div>
      )}
    </>
  );
}

/** Left out where the sentence above names all of it. */
function Thing({ card }: { readonly card: PermissionCard }) {
  const { post } = usePanel();
  const { body, bodyKind, what } = card;
  if (bodyKind === 'path' && what?.includes(body) === true) return null;
  const lines = body.split('\n').length;
  return (
    <>
      <pre class="card-thing" tabIndex={0} dir="ltr" role="group" aria-label={l10n.t('Request')}>
        {body}
      </pre>
      {lines > LINES_IN_SIGHT && <p class="card-why card-lines">{l10n.t('{0} lines', lines)}</p>}
      {/* Of an agent that is gone the host has no more than what stands here. */}
      {card.isCut === true && card.interrupted !== true && (
        <button
          type="button"
          class="button secondary"
          onClick={() => post({ type: 'showRequest', cardId: card.id })}
        >
          {l10n.t('Show all of it')}
        </button>
      )}
    </>
  );
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
