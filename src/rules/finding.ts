import * as l10n from '@vscode/l10n';
import type { PermissionMode } from './modes';
import type { PermissionRule } from './permissionRule';

/** `unknown`: it cannot be foretold. Never stands for an allow that is sure. */
export type Verdict = 'allow' | 'ask' | 'deny' | 'unknown';

export interface Judgement {
  readonly verdict: Verdict;
  /** The rule that gives it; undefined where none does. */
  readonly rule: PermissionRule | undefined;
  /** A sentence for the person, localized. */
  readonly why: string;
}

/** What rules and habits of the CLI say before the mode has its say. */
export interface Finding {
  readonly kind:
    | 'denied'
    /** By a rule. */
    | 'asked'
    /** A place that the CLI asks about whatever the rules say. */
    | 'safety'
    | 'allowed'
    /** An edit in a folder that the CLI works in, without a rule. */
    | 'editInside'
    | 'readOutside'
    /** No rule says anything. */
    | 'plain'
    /** A tool that waits for the person by its nature. */
    | 'person'
    /** It cannot be foretold. */
    | 'open';
  readonly rule?: PermissionRule | undefined;
  readonly why: string;
  /** It changes something: in plan mode it is asked about, also where a rule allows it. */
  readonly isChange?: boolean;
  /** With `person`: Patchbay itself asks, in the modes too that ask nobody. */
  readonly isOfToolFiles?: boolean;
  /** With `plain`: the mode that accepts edits may take it for one. */
  readonly mayEdit?: boolean;
  /** With `safety`: also the mode that asks nothing looks at it. */
  readonly isGrave?: boolean;
}

export function ruleFinding(
  kind: 'denied' | 'asked' | 'allowed',
  rule: PermissionRule,
  isChange = false,
): Finding {
  const why = {
    denied: l10n.t('A rule forbids it.'),
    asked: l10n.t('A rule asks about it each time.'),
    allowed: l10n.t('A rule allows it.'),
  }[kind];
  return { kind, rule, why, isChange };
}

/** The verdict in a mode. Facts: seen with the real CLI in each mode. */
export function inMode(finding: Finding, mode: PermissionMode): Judgement {
  const { kind, rule, why, isChange = false } = finding;
  const say = (verdict: Verdict, more = ''): Judgement => ({
    verdict,
    rule,
    why: more === '' ? why : `${why} ${more}`,
  });
  if (kind === 'denied') return say('deny');
  if (kind === 'open') return say('unknown');
  if (kind === 'allowed') {
    const isHeld = mode === 'plan' && isChange;
    return isHeld
      ? say('ask', l10n.t('In plan mode changes are asked about all the same.'))
      : say('allow');
  }
  if (kind === 'person' && (mode !== 'dontAsk' || finding.isOfToolFiles === true))
    return say('ask');
  if (mode === 'dontAsk')
    return say('deny', l10n.t('This mode refuses what it would have to ask about.'));
  if (kind === 'asked') return say('ask');
  if (mode === 'bypassPermissions') {
    if (finding.isGrave === true) return say('unknown');
    return say('allow', l10n.t('This mode lets it run without asking.'));
  }
  const isByCheck = mode === 'plan' || mode === 'auto';
  if (mode === 'plan' && isChange && kind !== 'safety') return say('ask');
  if (kind === 'editInside' && (mode === 'acceptEdits' || mode === 'auto')) {
    return say('allow', l10n.t('This mode accepts edits inside the workspace.'));
  }
  if (finding.mayEdit === true && mode === 'acceptEdits') return say('unknown');
  if (kind === 'readOutside' && isByCheck) {
    return say('allow', l10n.t('This mode reads there without asking.'));
  }
  return isByCheck
    ? say('unknown', l10n.t('In this mode a safety check of the agent decides.'))
    : say('ask');
}
