import { ConfigurationTarget, workspace } from 'vscode';
import type { SettingSpec } from './settings';

/** Turns a switch where it is set: in the workspace where that says something, else for the person. */
export async function writeSwitch({ key }: SettingSpec<boolean>, isOn: boolean): Promise<void> {
  const configuration = workspace.getConfiguration();
  const isOfWorkspace = configuration.inspect(key)?.workspaceValue !== undefined;
  const target = isOfWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
  await configuration.update(key, isOn, target);
}
