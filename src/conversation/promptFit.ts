import * as l10n from '@vscode/l10n';
import type { WaitingPrompt } from '../chat/promptExpansion';

/** Above this a prompt cannot fit any model's context; the CLI would answer nothing useful. */
export const MAX_PROMPT_CHARACTERS = 2_000_000;

/** Why a message cannot be sent, localized; undefined for one that can. */
export function whyUnfit({ text, images = [] }: WaitingPrompt): string | undefined {
  if (text.trim() === '' && images.length === 0) return l10n.t('Type a message first.');
  if (text.length <= MAX_PROMPT_CHARACTERS) return undefined;
  return l10n.t(
    'The message has {0} characters; at most {1} can be sent. Put the text into a file and name the file instead.',
    text.length.toLocaleString(),
    MAX_PROMPT_CHARACTERS.toLocaleString(),
  );
}
