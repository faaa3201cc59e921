import type { PermissionCard } from '../../src/chat/viewStateProtocol';
import { type BenchOptions, type ConversationBench, isIdle, toolsOf } from './conversationBench';
import type { Outcome } from './modeMatrix';

/** What every mode can be begun with. */
export const anyMode: BenchOptions = {
  settings: { allowBypassPermissions: true },
  // As root the CLI takes it only where it is told that it runs in a sandbox.
  environment: { IS_SANDBOX: '1' },
};

/** Allows each card until the turn is over, and tells what became of each call, in their order. */
export async function outcomesOf(made: ConversationBench): Promise<readonly Outcome[]> {
  const asked = new Set((await allowAllCards(made)).map(({ toolUseId }) => toolUseId));
  return toolsOf(made.view).map(({ id, state }): Outcome => {
    if (asked.has(id)) return 'asked';
    return state === 'done' ? 'ran' : 'refused';
  });
}

async function allowAllCards(made: ConversationBench): Promise<PermissionCard[]> {
  const cards: PermissionCard[] = [];
  for (;;) {
    const isNew = (card: PermissionCard): boolean => !cards.some((seen) => seen.id === card.id);
    await made.until('a card or the end', (view) => isIdle(view) || view.permissions.some(isNew));
    const card = made.view.permissions.find(isNew);
    if (!card) return cards;
    cards.push(card);
    made.conversation.answerPermission(card.id, 'allowOnce');
  }
}
