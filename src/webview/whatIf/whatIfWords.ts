import * as l10n from '@vscode/l10n';
import type { RuleRow, ToolChoice, VerdictShown } from '../../chat/whatIfProtocol';

/** Where a rule stands, in words; an unknown source by the CLI's own. */
export function sourceWords(source: string): string {
  switch (source) {
    case 'userSettings':
      return l10n.t('Your settings');
    case 'projectSettings':
      return l10n.t('Settings of the project');
    case 'localSettings':
      return l10n.t('Your settings for this folder');
    case 'policySettings':
      return l10n.t('Settings of your administrator');
    case 'flagSettings':
      return l10n.t('Settings given at the start');
    case 'cliArg':
      return l10n.t('Given at the start, by Patchbay or its settings');
    case 'session':
      return l10n.t('This conversation');
    default:
      return source;
  }
}

export interface VerdictWords {
  readonly title: string;
  readonly icon: string;
}

export function verdictWords(verdict: VerdictShown['verdict']): VerdictWords {
  switch (verdict) {
    case 'allow':
      return { title: l10n.t('Runs without asking'), icon: 'pass' };
    case 'ask':
      return { title: l10n.t('You are asked'), icon: 'question' };
    case 'deny':
      return { title: l10n.t('Refused'), icon: 'circle-slash' };
    case 'unknown':
      return { title: l10n.t('Cannot be foretold'), icon: 'info' };
  }
}

export function behaviorTitle(behavior: RuleRow['behavior']): string {
  switch (behavior) {
    case 'deny':
      return l10n.t('Forbidden');
    case 'ask':
      return l10n.t('Asked about');
    case 'allow':
      return l10n.t('Allowed');
  }
}

export function inputLabel(kind: ToolChoice['input']): string {
  switch (kind) {
    case 'command':
      return l10n.t('Command');
    case 'path':
      return l10n.t('Path');
    case 'url':
      return l10n.t('URL');
    case 'name':
      return l10n.t('Name');
    case 'json':
      return l10n.t('Input as JSON');
  }
}
