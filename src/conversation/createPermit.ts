import path from 'node:path';
import type { ControlContext } from '../cli/controlChannel';
import type { PermissionRequest } from '../chat/permissionRequest';
import { editedPath } from '../chat/proposedEdit';
import type { PermissionResult } from '../protocol/permissions';
import type { PermissionMode } from '../rules/modes';
import type { AskDesk } from './askDesk';
import type { CallPolicy } from './callPolicy';
import type { WriteWatch } from './changeDesk';
import { refusedByMode } from './modeTexts';
import type { PermissionDesk } from './permissionDesk';
import type { SessionGrants } from './sessionGrants';
import type { AskPerson, WriteCheck } from './writeCheck';

export interface PermitOptions {
  readonly desk: Pick<PermissionDesk, 'ask' | 'askForCli'>;
  readonly asks: Pick<AskDesk, 'question'>;
  readonly writes: WriteCheck;
  readonly policy: CallPolicy;
  /** As it is now. */
  readonly mode: () => PermissionMode;
  readonly grants: Pick<SessionGrants, 'learn'>;
  readonly cwd: string;
  readonly watch?: Pick<WriteWatch, 'willWrite'> | undefined;
}

/**
 * Answers `can_use_tool`: the model's questions by their own card, what the permission mode settles
 * at once, all else by a permission card. The guard looked before; what the person took time for it
 * looks at again. A card that is open stays the person's to answer, whatever the mode becomes.
 */
export function createPermit(
  options: PermitOptions,
): (request: PermissionRequest, context: ControlContext) => Promise<PermissionResult> {
  const { desk, asks, writes, policy, grants, cwd, watch } = options;
  const ask: AskPerson = (id, question, until) => desk.ask(id, question, until);
  const permit = async (
    request: PermissionRequest,
    { requestId, signal }: ControlContext,
  ): Promise<PermissionResult> => {
    const card = (): Promise<PermissionResult> => desk.askForCli(requestId, request, signal);
    const refused = await refusedInPlanMode(request, options);
    const answer = refused ?? (await policy.permit(request, card)) ?? (await card());
    if (answer.behavior === 'deny') return answer;
    const { tool_name: toolName, input, tool_use_id: toolUseId } = request;
    const call = { toolName, input, toolUseId, cwd };
    const verdict = await writes.clear(call, `${requestId}/guard`, signal, ask);
    if (verdict.kind !== 'denied') {
      grants.learn(answer);
      const file = editedPath(toolName, input);
      // While the card was open the person may have changed the file.
      if (file !== undefined && toolUseId !== undefined) {
        await watch?.willWrite(toolUseId, [path.resolve(cwd, file)]);
      }
      return answer;
    }
    const { message, interrupt } = verdict;
    return { behavior: 'deny', message, ...(interrupt ? { interrupt } : {}) };
  };
  return (request, context) =>
    asks.question(context.requestId, request, context.signal) ?? permit(request, context);
}

/**
 * Fact: the CLI does not refuse its own edits in plan mode, it asks about them with the reason
 * `mode`. Its plan file it writes without a question; where it asks all the same, the person is asked.
 */
async function refusedInPlanMode(
  request: PermissionRequest,
  { mode, writes, policy, cwd }: Pick<PermitOptions, 'mode' | 'writes' | 'policy' | 'cwd'>,
): Promise<PermissionResult | undefined> {
  const { tool_name: toolName, input, decision_reason_type: reason } = request;
  if (reason !== 'mode' || mode() !== 'plan') return undefined;
  // Of tool files the guard has asked already, in this mode too.
  if (writes.isAllowed(request.tool_use_id)) return undefined;
  // A tool of this process may have calls that only read: its policy knows which.
  if ((await policy.before(toolName, input)) !== undefined) return undefined;
  const file = editedPath(toolName, input);
  if (file !== undefined && (await writes.isPlanFile(file, cwd))) return undefined;
  return mode() === 'plan'
    ? { behavior: 'deny', message: refusedByMode(toolName, 'plan') }
    : undefined;
}
