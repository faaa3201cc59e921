import { existsSync } from 'node:fs';
import { type ExtensionContext, ExtensionMode, Uri, workspace } from 'vscode';
import * as z from 'zod/mini';
import type { Logger } from '../base/logger';
import type { CliSettings } from '../cli/prepareCli';
import { currentSetting } from './hostFields';
import { settings, unreadableStart, variablesLeftOut } from './settings';

const proxySchema = z.catch(z.string(), '');
const hostsSchema = z.catch(z.array(z.string()), []);

/** What the settings say about the CLI, ours and those of the editor, as they stand now. */
export function cliSettings(log: Logger): CliSettings {
  const http = workspace.getConfiguration('http');
  const get = (key: string): unknown => workspace.getConfiguration().get(key);
  return {
    unreadable: unreadableStart(get),
    variablesLeftOut: variablesLeftOut(get),
    cliPath: currentSetting(settings.cliPath, log),
    cliEnvironment: currentSetting(settings.cliEnvironment, log),
    cliWrapper: currentSetting(settings.cliWrapper, log),
    proxy: {
      proxy: proxySchema.parse(http.get('proxy')),
      noProxy: hostsSchema.parse(http.get('noProxy')),
      support: proxySchema.parse(http.get('proxySupport')),
    },
  };
}

/** The checkout, when the extension runs out of it and its development CLI is there. */
export function developmentRoot(context: ExtensionContext): string | undefined {
  if (context.extensionMode === ExtensionMode.Production) return undefined;
  const packages = Uri.joinPath(context.extensionUri, 'node_modules', '@anthropic-ai');
  return existsSync(packages.fsPath) ? context.extensionUri.fsPath : undefined;
}
