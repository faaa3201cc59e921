import * as l10n from '@vscode/l10n';
import { window } from 'vscode';

/** What the person wants in place of a conversation whose agent works. */
export type Instead = 'new' | 'past' | 'fork';

/** Asks whether the agent may be stopped for it. */
export async function confirmEnd(instead: Instead): Promise<boolean> {
  const { text, go } = WORDS[instead]();
  return (await window.showWarningMessage(text, { modal: true }, go)) === go;
}

const WORDS: Readonly<Record<Instead, () => { readonly text: string; readonly go: string }>> = {
  new: () => ({
    text: l10n.t('The agent is still working. A new conversation stops it.'),
    go: l10n.t('New conversation'),
  }),
  past: () => ({
    text: l10n.t('The agent is still working. To open another conversation here stops it.'),
    go: l10n.t('Open the other'),
  }),
  fork: () => ({
    text: l10n.t('The agent is still working. To go on from an earlier point stops it.'),
    go: l10n.t('Stop and go on from there'),
  }),
};
