import * as l10n from '@vscode/l10n';
import type { PermissionUpdate } from '../protocol/permissions';
import type { PermissionRequest } from './permissionRequest';
import { ruleTexts, suggestedRules } from './conversationGrant';
import type { LastingAnswer, LastingOffer, LastingPlace } from './viewStateProtocol';
import { visibleText } from './visibleText';

type Destination = PermissionUpdate['destination'];

const DESTINATIONS: Readonly<Record<LastingAnswer, Destination>> = {
  alwaysLocal: 'localSettings',
  alwaysProject: 'projectSettings',
  alwaysUser: 'userSettings',
};

/** The settings files of the CLI, as they are shown, and what is known of the folder. */
export interface SettingsPlaces {
  readonly files: Readonly<Record<LastingAnswer, string>>;
  /** The CLI uses the project’s own allow rules. */
  readonly isTrusted: boolean;
}

/**
 * What "Always allow…" would write: the CLI's own suggestion, for another place only, so that a
 * terminal sees the same; undefined where no rule can be added. An edit has none: the CLI suggests
 * a mode for it, and a mode for good would be more than was asked.
 */
export function lastingOffer(
  request: PermissionRequest,
  places: SettingsPlaces,
): LastingOffer | undefined {
  const rules = suggestedRules(request);
  if (rules === undefined) return undefined;
  const isWhole = rules.some((update) =>
    update.rules.some(({ ruleContent }) => ruleContent === undefined),
  );
  return {
    rule: visibleText(ruleTexts(rules).join(', ')),
    ...(isWhole ? { note: l10n.t('Every call of this tool, whatever its input.') } : {}),
    places: [
      place('alwaysLocal', l10n.t('This workspace, only for me'), places),
      place('alwaysProject', l10n.t('The project, for everyone'), places),
      place('alwaysUser', l10n.t('Everywhere'), places),
    ],
  };
}

/** The updates that write the rule there; undefined where no rule can be added. */
export function lastingUpdates(
  request: PermissionRequest,
  answer: LastingAnswer,
): PermissionUpdate[] | undefined {
  const destination = DESTINATIONS[answer];
  return suggestedRules(request)?.map((update) => ({ ...update, destination }));
}

function place(answer: LastingAnswer, label: string, places: SettingsPlaces): LastingPlace {
  const { files, isTrusted } = places;
  const base = { answer, label, file: visibleText(files[answer]) };
  if (answer !== 'alwaysProject' || isTrusted) return base;
  return { ...base, note: l10n.t('Not used before the agent trusts this folder.') };
}
