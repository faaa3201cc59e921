import * as l10n from '@vscode/l10n';
import path from 'node:path';
import type { FiledRule, RuleFiles } from '../cli/ruleFiles';
import { parseRule, type RuleText } from '../rules/permissionRule';

/** A rule with what is known of it. */
export interface KnownRule extends RuleText {
  /** The settings file it stands in, absolute. */
  readonly file?: string | undefined;
  /** Localized: why it does not count; undefined for one in force. */
  readonly idle?: string | undefined;
}

export interface RuleFacts {
  /** What the running CLI lists; undefined where none runs. */
  readonly listed: readonly RuleText[] | undefined;
  readonly files: RuleFiles;
  /** Rules that are handed over at the start, for when none runs. */
  readonly given: readonly RuleText[];
  /** The editor trusts the workspace; without that the CLI is given the person's own settings only. */
  readonly isWorkspaceTrusted: boolean;
}

/**
 * All rules, those in force and those that are not, with the reason. The CLI's own list is believed
 * where there is one; what stands in the files and not in the list is told as not in force.
 */
export function rulesInForce(facts: RuleFacts): readonly KnownRule[] {
  const { listed, files, given } = facts;
  if (listed === undefined) {
    return [...files.rules.map((rule) => ({ ...rule, idle: idleReason(rule, facts) })), ...given];
  }
  const inFile = new Map(files.rules.map((rule) => [keyOf(rule), rule]));
  const known = new Set(listed.map(keyOf));
  const idle = files.rules
    .filter((rule) => !known.has(keyOf(rule)))
    .map((rule) => ({ ...rule, idle: idleReason(rule, facts) ?? notListed() }));
  return [...listed.map((rule) => ({ ...rule, file: inFile.get(keyOf(rule))?.file })), ...idle];
}

/** `additionalDirectories` as absolute folders, those left out that do not count. */
export function furtherFolders(
  { files, isWorkspaceTrusted }: Pick<RuleFacts, 'files' | 'isWorkspaceTrusted'>,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): readonly string[] {
  return files.directories
    .filter(
      ({ source }) =>
        isOwn(source) || (isWorkspaceTrusted && (source === 'localSettings' || files.isTrusted)),
    )
    .map(({ folder }) =>
      folder.startsWith('~/') ? path.join(home, folder.slice(2)) : path.resolve(cwd, folder),
    );
}

function idleReason(
  { text, source, behavior }: FiledRule,
  { files, isWorkspaceTrusted }: RuleFacts,
): string | undefined {
  const parsed = parseRule(text, behavior);
  if (!parsed.ok) return l10n.t('Left out by the agent: {0}.', parsed.why);
  if (!isWorkspaceTrusted && !isOwn(source)) {
    return l10n.t('Not read, since the workspace is not trusted in the editor.');
  }
  if (source === 'projectSettings' && behavior === 'allow' && !files.isTrusted) {
    return l10n.t(
      'Does not count before the agent has been told, in a terminal, to trust this folder.',
    );
  }
  return undefined;
}

function isOwn(source: string): boolean {
  return source === 'userSettings' || source === 'policySettings';
}

function notListed(): string {
  return l10n.t('Not in force in the agent that runs; it may be newer than that.');
}

/** The CLI lists a rule in its own spelling: `WebSearch(*)` as `WebSearch`. */
function keyOf({ behavior, source, text }: RuleText): string {
  const parsed = parseRule(text, behavior);
  const plain = parsed.ok ? JSON.stringify([parsed.tool, parsed.content]) : text;
  return `${behavior} ${source} ${plain}`;
}
