import * as l10n from '@vscode/l10n';
import os from 'node:os';
import { UserFacingError } from '../base/errors';
import type { CliSession } from '../cli/cliSession';
import { configFolder } from '../cli/configFolder';
import type { RuleFilesOptions } from '../cli/ruleFiles';
import { ControlRequestError } from '../cli/outboundCalls';
import { permissionRulesSchema } from '../protocol/controlResults';
import { fit } from '../protocol/lazySchema';
import { bothPaths } from './fileReadGuard';
import { rulesOf } from './listedRules';
import { compileReadRules, isReadRule, type ReadRule } from '../rules/readRules';

/** Milliseconds that the CLI has to list its rules. */
const WITHIN_MS = 10_000;

/** Tells which rule forbids reading a file, if any does. */
export type ReadDenials = (file: string) => Promise<string | undefined>;

/**
 * The rules against reading that the running CLI knows: those of all its settings files, and those
 * it was given since. An older CLI does not list them, and keeps them only in what it reads itself.
 * @throws UserFacingError where they are not told for another reason: then nothing is read
 */
export async function readDenialsOf(
  session: Pick<CliSession, 'request'>,
  cwd: string,
  { env, home }: Pick<RuleFilesOptions, 'env' | 'home'> = { env: {}, home: os.homedir() },
): Promise<ReadDenials> {
  const rules = await denyRules(session);
  // A rule means the folder, by whichever of its paths it was opened.
  const [cwds, homes] = await Promise.all([bothPaths(cwd), bothPaths(home)]);
  const own = {
    configFolder: configFolder({ env, home, folder: cwd }),
    platform: process.platform,
  };
  const worlds = cwds.flatMap((one) => homes.map((each) => ({ ...own, cwd: one, home: each })));
  const denied = compileReadRules(rules, worlds);
  return async (file) => (rules.length === 0 ? undefined : denied(await bothPaths(file))?.text);
}

async function denyRules(session: Pick<CliSession, 'request'>): Promise<readonly ReadRule[]> {
  let body: unknown;
  try {
    body = await session.request('list_permission_rules', {}, { timeoutMs: WITHIN_MS });
  } catch (error) {
    if (error instanceof ControlRequestError && error.code === 'unsupported_request') return [];
    throw rulesUnknown(error);
  }
  const listed = fit(permissionRulesSchema(), body);
  if (!listed.ok) throw rulesUnknown(new Error(`Not understood: ${listed.place}`));
  return rulesOf(listed.value).filter(
    ({ behavior, text }) => behavior === 'deny' && isReadRule(text),
  );
}

function rulesUnknown(cause: unknown): UserFacingError {
  return new UserFacingError(
    l10n.t('The agent did not tell which files must not be read, so nothing was read.'),
    { next: l10n.t('Try again.'), cause },
  );
}
