import * as l10n from '@vscode/l10n';
import { env, type ExtensionContext, ProgressLocation, version, window, workspace } from 'vscode';
import type { Logger } from '../base/logger';
import { cliSettings, developmentRoot } from './cliSettings';
import { gatherCliFacts } from './doctorFacts';
import { type DoctorFacts, doctorReport, type SettingFact } from './doctorReport';
import { readSetting, settings, type SettingSpec } from './settings';
import { useWatchdogOf } from './useWatchdogOf';
import { isVirtualWorkspace, pickWorkingFolder } from './workingFolder';

/** Looks at all that a conversation needs and opens what it found as a document. Needs no panel. */
export async function runDoctor(context: ExtensionContext, log: Logger): Promise<void> {
  const facts = await window.withProgress(
    { location: ProgressLocation.Window, title: l10n.t('Patchbay looks at its surroundings') },
    () => gather(context, log),
  );
  const content = doctorReport(facts);
  const document = await workspace.openTextDocument({ language: 'markdown', content });
  await window.showTextDocument(document, { preview: false });
}

async function gather(context: ExtensionContext, log: Logger): Promise<DoctorFacts> {
  useWatchdogOf(context, log);
  const own = cliSettings(log);
  const folder = pickWorkingFolder(window.activeTextEditor?.document.uri)?.path;
  // Its `version` is JSON of ours.
  const { version: extension } = context.extension.packageJSON as { version: string };
  return {
    cli: await gatherCliFacts({
      settings: own,
      hostEnvironment: process.env,
      developmentRoot: developmentRoot(context),
      // Elsewhere it does not read the settings of the workspace.
      cwd: workspace.isTrusted ? folder : undefined,
    }),
    editor: {
      name: env.appName,
      version,
      extension,
      remote: env.remoteName,
      machine: `${process.platform} ${process.arch}`,
      node: process.versions.node,
    },
    workspace: {
      isTrusted: workspace.isTrusted,
      isVirtual: isVirtualWorkspace(),
      folder,
    },
    isProxyOff: own.proxy.proxy !== '' && own.proxy.support === 'off',
    settings: Object.values(settings).map((setting) => settingFact(setting)),
  };
}

function settingFact(setting: SettingSpec<unknown>): SettingFact {
  let isInvalid = false;
  const value = readSetting(
    setting,
    (key) => workspace.getConfiguration().get(key),
    () => (isInvalid = true),
  );
  const at = workspace.getConfiguration().inspect(setting.key);
  const from =
    at?.workspaceFolderValue !== undefined
      ? 'folder'
      : at?.workspaceValue !== undefined
        ? 'workspace'
        : at?.globalValue !== undefined
          ? 'user'
          : 'default';
  return { key: setting.key, value, from, isInvalid };
}
