import { array, literal, object, optional, string, union, enum as oneOf } from 'zod/mini';
import { lazySchema, type Parsed } from './lazySchema';

/** Modes that the CLI accepts; `manual` is another word for `default`. */
export const permissionModes = [
  'default',
  'acceptEdits',
  'bypassPermissions',
  'plan',
  'dontAsk',
  'auto',
] as const;
export type PermissionMode = (typeof permissionModes)[number];

const destination = () =>
  oneOf(['userSettings', 'projectSettings', 'localSettings', 'session', 'cliArg']);
const behavior = () => oneOf(['allow', 'deny', 'ask']);
const rules = () => array(object({ toolName: string(), ruleContent: optional(string()) }));

/**
 * A change of permissions: suggested by the CLI in `can_use_tool`, sent back in an allow answer.
 * Fact: `projectSettings` is written but not applied in a folder that is not trusted.
 */
export const permissionUpdate = lazySchema(() =>
  union([
    object({
      type: oneOf(['addRules', 'replaceRules', 'removeRules']),
      rules: rules(),
      behavior: behavior(),
      destination: destination(),
    }),
    object({
      type: literal('setMode'),
      mode: oneOf(permissionModes),
      destination: destination(),
    }),
    object({
      type: oneOf(['addDirectories', 'removeDirectories']),
      directories: array(string()),
      destination: destination(),
    }),
  ]),
);

export type PermissionUpdate = Parsed<typeof permissionUpdate>;

/**
 * The answer to `can_use_tool`. `updatedInput` is always sent: some CLI versions refuse an allow
 * without it. A deny always has a message: without one the CLI tells the model that the host is
 * broken. With `interrupt` the message is lost, so it is for Stop only.
 */
export type PermissionResult =
  | {
      behavior: 'allow';
      updatedInput: Record<string, unknown>;
      updatedPermissions?: PermissionUpdate[];
    }
  | { behavior: 'deny'; message: string; interrupt?: boolean };
