import * as l10n from '@vscode/l10n';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject } from '../protocol/lazySchema';
import { configFolder } from './configFolder';
import { settingsPlaces, settingsText } from './ruleFiles';

/**
 * Faults of the CLI's own files that it passes over in silence (facts, section 13, launch faults):
 * settings that are not valid JSON are ignored as a whole, and in a folder that cannot be written
 * neither a login nor a conversation is kept.
 */
export interface ConfigHealthOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The working folder, where the CLI reads its settings too; undefined where it must not. */
  readonly cwd: string | undefined;
}

/** One sentence for each fault, for the person: what is wrong, and what to do. Never throws. */
export function configProblems(options: ConfigHealthOptions): string[] {
  const folder = configFolder({ ...options, folder: options.cwd });
  const { platform } = process;
  const places = settingsPlaces({ ...options, folder: options.cwd, platform });
  return [
    ...places
      // What an administrator has set, the person cannot mend.
      .filter(([source, file]) => source !== 'policySettings' && isBroken(file))
      .map(([, file]) =>
        l10n.t(
          'The settings file {0} is not valid JSON, so the CLI ignores all of it. Mend it; the next conversation reads it again.',
          file,
        ),
      ),
    ...(canKeep(folder)
      ? []
      : [
          l10n.t(
            'The CLI cannot write to {0}: neither a login nor this conversation is kept there. Correct the rights of the folder.',
            folder,
          ),
        ]),
  ];
}

/** A file that is not there, or cannot be read, is not broken. */
function isBroken(file: string): boolean {
  let text: string;
  try {
    text = settingsText(readFileSync(file));
  } catch {
    return false;
  }
  try {
    return !isJsonObject(JSON.parse(text));
  } catch {
    return text.trim() !== '';
  }
}

/** Whether the folder, or the nearest one above that is there, can be written. */
function canKeep(folder: string): boolean {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) {
    const above = path.dirname(folder);
    return above === folder || canKeep(above);
  }
  if (!stat.isDirectory()) return false;
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
