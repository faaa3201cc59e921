import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import type { CliSession } from '../cli/cliSession';
import { settingsResultSchema, usageResultSchema } from '../protocol/controlResults';
import { fit } from '../protocol/lazySchema';
import type { PermissionMode } from '../protocol/permissions';
import type { SessionGrants } from './sessionGrants';

type Asked = Pick<CliSession, 'request'>;

/** Milliseconds for each request; without an answer the conversation goes on without it. */
const within = { timeoutMs: 10_000 };

/** What a resumed session does not bring back by itself (seen with CLI 2.1.332). */
export interface Carried {
  readonly grants: Pick<SessionGrants, 'rules' | 'folders'>;
  /** Undefined where nobody chose one. */
  readonly effort: string | undefined;
  /** Set where the process was started in the mode that plan mode leads back to. */
  readonly mode: PermissionMode | undefined;
}

/**
 * Brings a CLI that has just started to where the conversation was. Told over the wire and not by
 * flags: every process of the machine can read those, and a rule may quote a whole command.
 * Settings that the CLI does not take are logged: then it asks the person again.
 * @throws when the mode is not taken: the process would be in one that allows more
 */
export async function carryOver(session: Asked, carried: Carried, log: Logger): Promise<void> {
  const settings = settingsOf(carried);
  const { mode } = carried;
  const told =
    settings === undefined
      ? undefined
      : session.request('apply_flag_settings', { settings }, within).catch((error: unknown) => {
          log.warn(`Not carried over to the new process: ${errorMessage(error)}`);
        });
  if (mode !== undefined) await session.request('set_permission_mode', { mode }, within);
  await told;
}

function settingsOf({ grants, effort }: Carried): Record<string, unknown> | undefined {
  const { rules, folders } = grants;
  if (rules.length === 0 && folders.length === 0 && effort === undefined) return undefined;
  return {
    permissions: { allow: rules, additionalDirectories: folders },
    ...(effort === undefined ? {} : { effortLevel: effort }),
  };
}

/**
 * US dollars that a process counts on from; undefined where it does not tell.
 * Fact: a resumed CLI goes on with what the session had cost at its last orderly end, and with 0
 * after a kill.
 */
export async function countedCost(session: Asked): Promise<number | undefined> {
  const body = await ask(() => session.request('get_usage', { skip_behaviors: true }, within));
  const usage = fit(usageResultSchema(), body);
  return usage.ok ? usage.value.session?.total_cost_usd : undefined;
}

/** The model and the effort in force; undefined where it does not tell. */
export async function appliedSettings(
  session: Asked,
): Promise<{ readonly model?: string | undefined; readonly effort?: string | null | undefined }> {
  const body = await ask(() => session.request('get_settings', {}, within));
  const settings = fit(settingsResultSchema(), body);
  return (settings.ok ? settings.value.applied : undefined) ?? {};
}

/** An older CLI does not know the question, and one that ends does not answer. */
function ask(request: () => Promise<unknown>): Promise<unknown> {
  return request().catch(() => undefined);
}
