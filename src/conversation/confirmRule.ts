import * as l10n from '@vscode/l10n';
import type { ChatEvent } from '../chat/chatEvent';
import { ruleTexts, suggestedRules } from '../chat/conversationGrant';
import type { PermissionRequest } from '../chat/permissionRequest';
import type { LastingAnswer, LastingOffer } from '../chat/viewStateProtocol';
import { readSettings } from '../cli/ruleFiles';
import { isJsonObject } from '../protocol/lazySchema';
import type { ConversationPorts } from './conversationPorts';
import { settingsFiles } from './settingsFiles';

/** How long the CLI may take to write a rule down, and how often the file is looked at meanwhile, in ms. */
const WRITTEN_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 50;

export interface ConfirmRuleOptions {
  readonly ports: Pick<ConversationPorts, 'clock' | 'folder' | 'hostEnvironment' | 'settings'>;
  readonly apply: (event: ChatEvent) => void;
  /** What was answered. */
  readonly request: PermissionRequest;
  readonly offer: LastingOffer;
  readonly answer: LastingAnswer;
}

/** Tells in one quiet line which rule stands in which file: when it does, and not before. Never rejects. */
export async function confirmRule(options: ConfirmRuleOptions): Promise<void> {
  const { ports, apply, request, offer, answer } = options;
  const place = offer.places.find((one) => one.answer === answer);
  if (!place) return;
  const file = settingsFiles(ports)[answer];
  const rules = ruleTexts(suggestedRules(request) ?? []);
  for (let waited = 0; waited <= WRITTEN_WITHIN_MS; waited += LOOK_EVERY_MS) {
    if (await standsIn(file, rules)) {
      const text = l10n.t('Always allowed: {0}, written to {1}.', offer.rule, place.file);
      apply({ type: 'notice', text: place.note === undefined ? text : `${text} ${place.note}` });
      return;
    }
    await new Promise<void>((resolve) => ports.clock.after(LOOK_EVERY_MS, resolve));
  }
  const text = l10n.t(
    'The agent did not write {0} to {1}, so it will ask again.',
    offer.rule,
    place.file,
  );
  apply({ type: 'notice', text, tone: 'warning' });
}

async function standsIn(file: string, rules: readonly string[]): Promise<boolean> {
  try {
    const settings = await readSettings(file);
    const permissions = isJsonObject(settings) ? settings.permissions : undefined;
    const allowed = isJsonObject(permissions) ? permissions.allow : undefined;
    return Array.isArray(allowed) && rules.every((rule) => allowed.includes(rule));
  } catch {
    // Not there yet, or being written.
    return false;
  }
}
