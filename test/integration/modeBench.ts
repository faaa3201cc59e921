import {
  answerAllCards,
  type BenchOptions,
  type ConversationBench,
  toolsOf,
} from './conversationBench';
import type { Outcome } from './modeMatrix';

/** What every mode can be begun with. */
export const anyMode: BenchOptions = {
  settings: { allowBypassPermissions: true },
  // As root the CLI takes it only where it is told that it runs in a sandbox.
  environment: { IS_SANDBOX: '1' },
};

/** Allows each card until the turn is over, and tells what became of each call, in their order. */
export async function outcomesOf(made: ConversationBench): Promise<readonly Outcome[]> {
  const asked = new Set(
    (await answerAllCards(made, 'allowOnce')).map(({ toolUseId }) => toolUseId),
  );
  return toolsOf(made.view).map(({ id, state }): Outcome => {
    if (asked.has(id)) return 'asked';
    return state === 'done' ? 'ran' : 'refused';
  });
}
