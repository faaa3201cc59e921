import * as z from 'zod/mini';

/** Where a setting may be set, as package.json names it. */
export type SettingScope = 'machine' | 'window' | 'resource';

export interface SettingSpec<T> {
  readonly key: string;
  readonly schema: z.ZodMiniType<T>;
  readonly fallback: T;
  /** Of a value that does not fit: what of it does; undefined for nothing. */
  readonly fitting?: (value: unknown) => T | undefined;
  readonly scope: SettingScope;
  /** In an untrusted workspace its workspace value is ignored. */
  readonly restricted: boolean;
}

const spec = <T>(value: SettingSpec<T>): SettingSpec<T> => value;

/** The modes that may stand in a settings file. `bypassPermissions` is not one of them: it is chosen
 * anew in each conversation. */
export const initialModes = ['', 'default', 'acceptEdits', 'plan', 'auto', 'dontAsk'] as const;

export const sendKeys = ['enter', 'modEnter'] as const;
export const notificationTimes = ['always', 'whenUnfocused', 'never'] as const;

/** Every setting of ours, as package.json contributes it. Held to it by a test. */
export const settings = {
  /** Names a program: from the machine's settings only, never from a workspace's file. */
  cliPath: spec({
    key: 'patchbay.cli.path',
    schema: z.string(),
    fallback: '',
    scope: 'machine',
    restricted: true,
  }),
  /** Flags can name programs and files, and switch questions off. */
  cliArguments: spec<readonly string[]>({
    key: 'patchbay.cli.arguments',
    schema: z.array(z.string()),
    fallback: [],
    scope: 'machine',
    restricted: true,
  }),
  cliWrapper: spec<readonly string[]>({
    key: 'patchbay.cli.wrapper',
    schema: z.array(z.string()),
    fallback: [],
    scope: 'machine',
    restricted: true,
  }),
  /** Can name a program in many ways, so it is treated as one. */
  cliEnvironment: spec<Readonly<Record<string, string>>>({
    key: 'patchbay.cli.environment',
    schema: z.record(z.string(), z.string()),
    fallback: {},
    // All of them gone for one number, the agent would talk to another service than is meant.
    fitting: (value) => textsOf(value),
    scope: 'machine',
    restricted: true,
  }),
  parkAfterMinutes: spec({
    key: 'patchbay.cli.parkAfterMinutes',
    // A week at most: a timer takes no more than 2^31 milliseconds.
    schema: z.number().check(z.minimum(0), z.maximum(10_080)),
    fallback: 10,
    scope: 'window',
    restricted: false,
  }),
  /** Names programs and holds tokens. Each entry is read on its own, so that one bad one is only that. */
  mcpServers: spec<Readonly<Record<string, unknown>>>({
    key: 'patchbay.mcpServers',
    schema: z.record(z.string(), z.unknown()),
    fallback: {},
    scope: 'machine',
    restricted: true,
  }),
  mcpConfigFile: spec({
    key: 'patchbay.mcpConfigFile',
    schema: z.string(),
    fallback: '',
    scope: 'machine',
    restricted: true,
  }),
  /** Switches questions off, so a workspace cannot set it. */
  allowedTools: spec<readonly string[]>({
    key: 'patchbay.allowedTools',
    schema: z.array(z.string()),
    fallback: [],
    scope: 'machine',
    restricted: true,
  }),
  /** Takes all questions away, so neither a workspace nor its trust alone can say so. */
  allowBypassPermissions: spec({
    key: 'patchbay.allowBypassPermissions',
    schema: z.boolean(),
    fallback: false,
    scope: 'machine',
    restricted: true,
  }),
  initialPermissionMode: spec<(typeof initialModes)[number]>({
    key: 'patchbay.initialPermissionMode',
    schema: z.enum(initialModes),
    fallback: '',
    scope: 'window',
    restricted: true,
  }),
  model: spec({
    key: 'patchbay.model',
    schema: z.string(),
    fallback: '',
    scope: 'window',
    restricted: false,
  }),
  /** Takes something away only, so whoever says so is listened to. */
  disabledTools: spec<readonly string[]>({
    key: 'patchbay.disabledTools',
    schema: z.array(z.string()),
    fallback: [],
    scope: 'window',
    restricted: false,
  }),
  ignore: spec<readonly string[]>({
    key: 'patchbay.ignore',
    schema: z.array(z.string()),
    fallback: [],
    scope: 'window',
    restricted: false,
  }),
  /** Takes something away only: a workspace or a folder may say no, and none can say more than the person. */
  toolFilesEnabled: spec({
    key: 'patchbay.toolFiles.enabled',
    schema: z.boolean(),
    fallback: true,
    scope: 'resource',
    restricted: false,
  }),
  /** Takes a question away, so a workspace cannot set it. Unset: the person was not asked yet. */
  toolFilesTrustMyEdits: spec({
    key: 'patchbay.toolFiles.trustMyEdits',
    schema: z.boolean(),
    fallback: false,
    scope: 'machine',
    restricted: true,
  }),
  /** In seconds. */
  toolFilesTimeout: spec({
    key: 'patchbay.toolFiles.timeout',
    // A day at most: nobody waits longer for one call, and a timer takes no more than 2^31 milliseconds.
    schema: z.number().check(z.minimum(1), z.maximum(86_400)),
    fallback: 60,
    scope: 'window',
    restricted: false,
  }),
  toolFilesMaxResultChars: spec({
    key: 'patchbay.toolFiles.maxResultChars',
    schema: z.number().check(z.minimum(1_000), z.maximum(500_000)),
    fallback: 50_000,
    scope: 'window',
    restricted: false,
  }),
  attachSelection: spec({
    key: 'patchbay.chat.attachSelection',
    schema: z.boolean(),
    fallback: true,
    scope: 'window',
    restricted: false,
  }),
  attachUserChanges: spec({
    key: 'patchbay.chat.attachUserChanges',
    schema: z.boolean(),
    fallback: false,
    scope: 'window',
    restricted: false,
  }),
  focusView: spec({
    key: 'patchbay.chat.focusView',
    schema: z.boolean(),
    fallback: false,
    scope: 'window',
    restricted: false,
  }),
  fontSize: spec({
    key: 'patchbay.chat.fontSize',
    // Pixels; 0 for the editor's own.
    schema: z.number().check(z.minimum(0), z.maximum(40)),
    fallback: 0,
    scope: 'window',
    restricted: false,
  }),
  notifications: spec<(typeof notificationTimes)[number]>({
    key: 'patchbay.chat.notifications',
    schema: z.enum(notificationTimes),
    fallback: 'always',
    scope: 'window',
    restricted: false,
  }),
  sendKey: spec<(typeof sendKeys)[number]>({
    key: 'patchbay.chat.sendKey',
    schema: z.enum(sendKeys),
    fallback: 'enter',
    scope: 'window',
    restricted: false,
  }),
};

/**
 * They say which program is started, where and how: without one of them another one would run, or
 * outside of the container that it is meant for.
 */
const STARTING = [settings.cliPath, settings.cliWrapper, settings.cliArguments] as const;

/** Those of them that have a value of a wrong type, by their keys: with one of them nothing is started. */
export function unreadableStart(get: (key: string) => unknown): readonly string[] {
  const wrong: string[] = [];
  for (const setting of STARTING) readSetting<unknown>(setting, get, (key) => wrong.push(key));
  return wrong;
}

/** Variables whose values are no texts, by their names. */
export function variablesLeftOut(get: (key: string) => unknown): readonly string[] {
  const value = get(settings.cliEnvironment.key);
  const kept = textsOf(value) ?? {};
  return isObject(value) ? Object.keys(value).filter((name) => !Object.hasOwn(kept, name)) : [];
}

function textsOf(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isObject(value)) return undefined;
  const texts = Object.entries(value).flatMap(([name, text]: [string, unknown]) =>
    typeof text === 'string' ? [[name, text] as const] : [],
  );
  return Object.fromEntries(texts);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads one setting. A value of a wrong type, written by hand into settings.json, counts as absent
 * but for what of it fits, and is told to `onInvalid`.
 */
export function readSetting<T>(
  setting: SettingSpec<T>,
  get: (key: string) => unknown,
  onInvalid: (key: string) => void = () => undefined,
): T {
  const value = get(setting.key);
  if (value === undefined) return setting.fallback;
  const parsed = setting.schema.safeParse(value);
  if (parsed.success) return parsed.data;
  onInvalid(setting.key);
  return setting.fitting?.(value) ?? setting.fallback;
}
