import * as l10n from '@vscode/l10n';
import { type Uri, workspace } from 'vscode';
import type { Logger } from '../base/logger';
import type { ViewFields } from '../chat/viewStateProtocol';
import type { EditorContext } from '../editor/editorContext';
import type { EditorWatch } from './editorWatch';
import { countChanges } from './gitChanges';
import { readSetting, settings, type SettingSpec } from './settings';
import { makeSuggestions, type SuggestionSource } from './suggestionTexts';

/** Reads a setting as it stands now. */
export function currentSetting<T>(setting: SettingSpec<T>, log: Logger): T {
  return readSetting(
    setting,
    (key) => workspace.getConfiguration().get(key),
    (key) => log.warn(`The setting ${key} has a value of a wrong type; its default is used`),
  );
}

/**
 * A list of texts as the person and the workspace have it, together: neither takes away what the
 * other says, and an entry of a wrong type takes nothing with it.
 */
export function everywhere(
  { key }: SettingSpec<readonly string[]>,
  log: Logger,
): readonly string[] {
  const found = workspace.getConfiguration().inspect(key);
  const lists: readonly unknown[] = [found?.globalValue, found?.workspaceValue];
  const entries = lists.flatMap((list: unknown) => (list === undefined ? [] : list));
  const texts = entries.filter((entry) => typeof entry === 'string');
  if (texts.length < entries.length) {
    log.warn(`The setting ${key} has entries that are no texts; they are left out`);
  }
  return [...new Set(texts)];
}

/** A switch that anyone may turn off, the person, the workspace or a folder, and nobody on again. */
export function nobodySaysNo({ key, fallback }: SettingSpec<boolean>, scope: Uri): boolean {
  const found = workspace.getConfiguration(undefined, scope).inspect(key);
  const said = [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue];
  return fallback && !said.includes(false);
}

/**
 * What the host knows and the conversation does not.
 * @param folder in which the conversation works
 */
export function hostFields(
  log: Logger,
  { editor, watch }: { readonly editor: EditorContext; readonly watch: EditorWatch },
  folder: string | undefined,
): Partial<ViewFields> {
  const found = folder === undefined ? {} : foundIn(folder, watch);
  return {
    suggestions: makeSuggestions({ ...editor.suggestions(), ...found }),
    sendKey: currentSetting(settings.sendKey, log),
    focusView: currentSetting(settings.focusView, log),
    fontSize: currentSetting(settings.fontSize, log),
    notice: joinNotices([
      process.env.PATCHBAY_OFFLINE_MODEL !== undefined &&
        l10n.t('Scripted offline model: answers are canned; tools and permissions are real'),
      !workspace.isTrusted &&
        l10n.t('This workspace is not trusted: the agent can read, not write or run commands'),
    ]),
  };
}

function foundIn(folder: string, watch: EditorWatch): Partial<SuggestionSource> {
  return { changedFiles: countChanges(folder), failedTests: watch.failedTests(folder) };
}

function joinNotices(notices: readonly (string | false)[]): string | undefined {
  const standing = notices.filter((notice) => notice !== false);
  return standing.length === 0 ? undefined : standing.join(' · ');
}
