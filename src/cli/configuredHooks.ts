import { isJsonObject } from '../protocol/lazySchema';
import { readSettings, type RuleFilesOptions, settingsPlaces } from './ruleFiles';

/** A hook of the CLI's own settings: something that it runs at an event. */
export interface ConfiguredHook {
  /** Such as `PreToolUse`. */
  readonly event: string;
  /** What it is held against; empty for all. */
  readonly matcher: string;
  /** The command, or what else the entry has; as it is written. */
  readonly runs: string;
  /** The settings file, absolute. */
  readonly file: string;
}

/**
 * The hooks that the settings files name. The CLI does not tell when it runs them (field report C19),
 * so they are shown from where they stand. Never throws: what cannot be read has none.
 */
export async function configuredHooks(
  options: RuleFilesOptions,
): Promise<readonly ConfiguredHook[]> {
  const files = settingsPlaces(options).map(([, file]) => file);
  const all = await Promise.all(
    files.map(async (file) => {
      const settings = await readSettings(file).catch(() => undefined);
      const hooks = isJsonObject(settings) && isJsonObject(settings.hooks) ? settings.hooks : {};
      return Object.entries(hooks).flatMap(([event, groups]) =>
        listOf(groups).flatMap((group) => hooksOf(event, group, file)),
      );
    }),
  );
  return all.flat();
}

function hooksOf(event: string, group: unknown, file: string): ConfiguredHook[] {
  if (!isJsonObject(group)) return [];
  const matcher = typeof group.matcher === 'string' ? group.matcher : '';
  return listOf(group.hooks).flatMap((hook) => {
    if (!isJsonObject(hook)) return [];
    const { command, url, prompt, type } = hook;
    const runs = [command, url, prompt, type].find((one) => typeof one === 'string');
    return [{ event, matcher, runs: typeof runs === 'string' ? runs : '', file }];
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
