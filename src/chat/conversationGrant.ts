import * as l10n from '@vscode/l10n';
import type { PermissionUpdate } from '../protocol/permissions';
import type { PermissionRequest } from './permissionRequest';

/** What "Allow for this conversation" would change, and how the card says it. */
export interface ConversationGrant {
  readonly rule: string;
  readonly updates: readonly PermissionUpdate[];
}

/** Reasons that come back at every call whatever rule is added: an offer would not hold. */
const STANDING_REASONS = new Set(['mode', 'hook', 'rule', 'safetyCheck']);

type AddRules = Extract<PermissionUpdate, { rules: unknown }>;

/**
 * The grant for the rest of this conversation; undefined where none can be given. It never leaves
 * the session: a suggestion for a settings file is turned to it. Facts, section 2.
 */
export function conversationGrant(request: PermissionRequest): ConversationGrant | undefined {
  if (request.requires_user_interaction === true) return undefined;
  // `server_policy_ask_only` says nothing here: it stands on every question about an in-process
  // tool, and the rule holds all the same (seen with CLI 2.1.332).
  if (request.suppress_always_allow_rule === true) return undefined;
  if (STANDING_REASONS.has(request.decision_reason_type ?? '')) return undefined;
  const suggestions = request.permission_suggestions ?? [];
  const rules = suggestions.filter(
    (update): update is AddRules => update.type === 'addRules' && update.behavior === 'allow',
  );
  if (rules.length > 0) return rulesGrant(rules);
  const mode = suggestions.find((update) => update.type === 'setMode');
  if (mode?.type === 'setMode') return modeGrant(mode.mode, suggestions);
  // The CLI suggests nothing for tools that run in this process.
  if (!request.tool_name.startsWith('mcp__')) return undefined;
  return rulesGrant([
    {
      type: 'addRules',
      rules: [{ toolName: request.tool_name }],
      behavior: 'allow',
      destination: 'session',
    },
  ]);
}

function rulesGrant(updates: readonly AddRules[]): ConversationGrant {
  const names = updates.flatMap(({ rules }) =>
    rules.map(({ toolName, ruleContent }) =>
      ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`,
    ),
  );
  return { rule: names.join(', '), updates: updates.map(forSession) };
}

function modeGrant(
  mode: Extract<PermissionUpdate, { type: 'setMode' }>['mode'],
  suggestions: readonly PermissionUpdate[],
): ConversationGrant {
  // A file outside the working folder needs the folder as well, else it is asked about again.
  const folders = suggestions.filter((update) => update.type === 'addDirectories');
  const outside = folders.flatMap((update) =>
    update.type === 'addDirectories' ? update.directories : [],
  );
  const edits = mode === 'acceptEdits' ? l10n.t('Accept all edits') : l10n.t('Mode: {0}', mode);
  return {
    rule: outside.length > 0 ? l10n.t('{0}, also in {1}', edits, outside.join(', ')) : edits,
    updates: [{ type: 'setMode', mode, destination: 'session' }, ...folders.map(forSession)],
  };
}

function forSession<U extends PermissionUpdate>(update: U): U {
  return { ...update, destination: 'session' };
}
