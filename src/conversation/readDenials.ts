import { realpath } from 'node:fs/promises';
import os from 'node:os';
import type { CliSession } from '../cli/cliSession';
import { permissionRulesSchema } from '../protocol/controlResults';
import { fit } from '../protocol/lazySchema';
import { isReadRule, readDeniedBy, type ReadRule } from '../rules/readRules';

/** Milliseconds that the CLI has to list its rules. */
const WITHIN_MS = 10_000;

/** Tells which rule forbids reading a file, if any does. */
export type ReadDenials = (file: string) => Promise<string | undefined>;

/**
 * The rules against reading that the running CLI knows: those of all its settings files, and those
 * it was given since. An older CLI, which does not list them, still keeps them in what it reads itself.
 */
export async function readDenialsOf(
  session: Pick<CliSession, 'request'>,
  cwd: string,
): Promise<ReadDenials> {
  const body = await session
    .request('list_permission_rules', {}, { timeoutMs: WITHIN_MS })
    .catch(() => undefined);
  const listed = fit(permissionRulesSchema(), body);
  const rules: readonly ReadRule[] = (listed.ok ? (listed.value.state?.rules ?? []) : []).flatMap(
    ({ behavior, rule: text, source = '' }) =>
      behavior === 'deny' && text !== undefined && isReadRule(text) ? [{ text, source }] : [],
  );
  const world = { cwd, home: os.homedir(), platform: process.platform };
  return async (file) => {
    if (rules.length === 0) return undefined;
    const real = await realpath(file).catch(() => file);
    return readDeniedBy(rules, real === file ? [file] : [file, real], world)?.text;
  };
}
