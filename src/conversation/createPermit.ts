import type { ControlContext } from '../cli/controlChannel';
import type { PermissionRequest } from '../chat/permissionRequest';
import type { PermissionResult } from '../protocol/permissions';
import type { AskDesk } from './askDesk';
import type { PermissionDesk } from './permissionDesk';
import type { SessionGrants } from './sessionGrants';
import type { AskPerson, WriteCheck } from './writeCheck';

export interface PermitOptions {
  readonly desk: PermissionDesk;
  readonly asks: AskDesk;
  readonly writes: WriteCheck;
  readonly grants: SessionGrants;
  readonly cwd: string;
}

/**
 * Answers `can_use_tool`: the model's questions by their own card, all else by a permission card.
 * The guard looked before; what the person took time for it looks at again.
 */
export function createPermit(
  options: PermitOptions,
): (request: PermissionRequest, context: ControlContext) => Promise<PermissionResult> {
  const { desk, asks, writes, grants, cwd } = options;
  const ask: AskPerson = (id, question, until) => desk.ask(id, question, until);
  const permit = async (
    request: PermissionRequest,
    { requestId, signal }: ControlContext,
  ): Promise<PermissionResult> => {
    const answer = await desk.askForCli(requestId, request, signal);
    if (answer.behavior === 'deny') return answer;
    const { tool_name: toolName, input, tool_use_id: toolUseId } = request;
    const call = { toolName, input, toolUseId, cwd };
    const verdict = await writes.clear(call, `${requestId}/guard`, signal, ask);
    if (verdict.kind !== 'denied') {
      grants.learn(answer);
      return answer;
    }
    const { message, interrupt } = verdict;
    return { behavior: 'deny', message, ...(interrupt ? { interrupt } : {}) };
  };
  return (request, context) =>
    asks.question(context.requestId, request, context.signal) ?? permit(request, context);
}
