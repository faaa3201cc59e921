import * as l10n from '@vscode/l10n';
import { CodeLens, Range } from 'vscode';
import { commands } from './commands';

/** The line above a plan: what can be done with it, and where it is answered. */
export function planLens(isWaiting: boolean): CodeLens {
  const title = isWaiting
    ? l10n.t(
        '$(checklist) Waits for your answer in the chat. Edit it, or comment with + beside a line.',
      )
    : l10n.t(
        '$(lock) No longer waits for an answer: read only. What was decided stands in the chat.',
      );
  return new CodeLens(new Range(0, 0, 0, 0), { title, command: commands.focusInput.id });
}
