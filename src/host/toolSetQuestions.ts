import * as l10n from '@vscode/l10n';
import { window } from 'vscode';
import { oneLine } from '../chat/boundedText';
import { visibleText } from '../chat/visibleText';

/** More names are not read in a question. */
const MOST_NAMED = 8;

/** The file of the used set names more than the person agreed to. Undefined: not answered. */
export async function askAboutAdded(
  set: string,
  added: readonly string[],
): Promise<boolean | undefined> {
  return ask(
    l10n.t(
      'The tool set {0} was changed in the workspace. May it switch on as well: {1}?',
      shown(set),
      names(added),
    ),
    false,
  );
}

/** A set that is chosen names what the person has switched off. Undefined: no set after all. */
export async function askAboutOff(
  set: string,
  off: readonly string[],
): Promise<boolean | undefined> {
  return ask(
    l10n.t('The tool set {0} has on what you have switched off: {1}', shown(set), names(off)),
    true,
  );
}

async function ask(text: string, modal: boolean): Promise<boolean | undefined> {
  const on = l10n.t('Switch on');
  const off = l10n.t('Leave off');
  const answer = await window.showInformationMessage(text, { modal }, on, off);
  return answer === undefined ? undefined : answer === on;
}

function names(entries: readonly string[]): string {
  const some = entries.slice(0, MOST_NAMED).map(shown).join(', ');
  const more = entries.length - MOST_NAMED;
  return more > 0 ? l10n.t('{0} and {1} more', some, more) : some;
}

function shown(text: string): string {
  return oneLine(visibleText(text), 100);
}
