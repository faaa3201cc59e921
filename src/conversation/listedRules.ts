import type { CliSession } from '../cli/cliSession';
import { ControlRequestError } from '../cli/outboundCalls';
import { permissionRulesSchema } from '../protocol/controlResults';
import { fit, type Parsed } from '../protocol/lazySchema';
import type { RuleText } from '../rules/permissionRule';

/** Milliseconds that the CLI has to list its rules. */
const WITHIN_MS = 10_000;

/** The rules in a list of the CLI; one of a kind that is not known is left out. */
export function rulesOf(listed: Parsed<typeof permissionRulesSchema>): readonly RuleText[] {
  return (listed.state?.rules ?? []).flatMap((one) => {
    const { behavior, rule: text, source = '' } = one ?? {};
    const isKnown = behavior === 'allow' || behavior === 'ask' || behavior === 'deny';
    return isKnown && text !== undefined ? [{ behavior, text, source }] : [];
  });
}

/**
 * The rules that the running CLI applies, from all its sources.
 * @returns undefined for a CLI that does not list them
 */
export async function listRules(
  session: Pick<CliSession, 'request'>,
): Promise<readonly RuleText[] | undefined> {
  try {
    const body = await session.request('list_permission_rules', {}, { timeoutMs: WITHIN_MS });
    const listed = fit(permissionRulesSchema(), body);
    if (!listed.ok) throw new Error(`The list of rules was not understood: ${listed.place}`);
    return rulesOf(listed.value);
  } catch (error) {
    if (error instanceof ControlRequestError && error.code === 'unsupported_request')
      return undefined;
    throw error;
  }
}
