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

/** The rules that the CLI suggests, or the tool itself where it suggests none; undefined where none holds. */
export function suggestedRules(request: PermissionRequest): readonly AddRules[] | undefined {
  if (!mayHold(request)) return undefined;
  const suggestions = request.permission_suggestions ?? [];
  const rules = suggestions.filter(
    (update): update is AddRules => update.type === 'addRules' && update.behavior === 'allow',
  );
  if (rules.length > 0) return rules;
  // The CLI suggests nothing for tools that run in this process.
  const isMode = suggestions.some(({ type }) => type === 'setMode');
  if (isMode || !request.tool_name.startsWith('mcp__')) return undefined;
  return [
    {
      type: 'addRules',
      rules: [{ toolName: request.tool_name }],
      behavior: 'allow',
      destination: 'session',
    },
  ];
}

/**
 * As the CLI writes them: `Bash(npm test *)`, `mcp__editor__write`; parentheses and backslashes in
 * them with a backslash (seen with CLI 2.1.332).
 */
export function ruleTexts(updates: readonly AddRules[]): string[] {
  return updates.flatMap(({ rules }) =>
    rules.map(({ toolName, ruleContent }) =>
      ruleContent === undefined ? toolName : `${toolName}(${escapeContent(ruleContent)})`,
    ),
  );
}

function escapeContent(content: string): string {
  return content.replace(/[\\()]/g, '\\$&');
}

/**
 * The grant for the rest of this conversation; undefined where none can be given. It never leaves
 * the session: a suggestion for a settings file is turned to it. Facts, section 2.
 */
export function conversationGrant(request: PermissionRequest): ConversationGrant | undefined {
  const rules = suggestedRules(request);
  if (rules) return { rule: ruleTexts(rules).join(', '), updates: rules.map(forSession) };
  if (!mayHold(request)) return undefined;
  const suggestions = request.permission_suggestions ?? [];
  const mode = suggestions.find((update) => update.type === 'setMode');
  return mode?.type === 'setMode' ? modeGrant(mode.mode, suggestions) : undefined;
}

function mayHold(request: PermissionRequest): boolean {
  if (request.requires_user_interaction === true) return false;
  // `server_policy_ask_only` says nothing here: it stands on every question about an in-process
  // tool, and the rule holds all the same (seen with CLI 2.1.332).
  if (request.suppress_always_allow_rule === true) return false;
  return !STANDING_REASONS.has(request.decision_reason_type ?? '');
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
