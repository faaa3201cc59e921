import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import { editedPath } from '../chat/proposedEdit';
import type { HookCallbackRequest } from '../protocol/controlRequests';
import type { HookMatcher } from '../protocol/outboundRequests';
import { guardEdit } from '../rules/editGuard';
import { resolveRealPath } from '../workFiles/realPath';
import path from 'node:path';
import type { BuffersPort } from './conversationPorts';

/** The hook's id on the wire. */
export const EDIT_GUARD_ID = 'patchbay-edit-guard';

/** Seconds after which the CLI refuses the call by itself when the guard does not answer. */
const ANSWER_WITHIN_S = 30;

/**
 * What `initialize` registers: a question before every write of the CLI's editing tools, in every
 * permission mode. What Bash writes cannot be foreseen, and Read is left to the CLI's own rules.
 */
export const editGuardHooks: Readonly<Record<string, readonly HookMatcher[]>> = {
  PreToolUse: [
    {
      matcher: 'Edit|MultiEdit|Write|NotebookEdit',
      timeout: ANSWER_WITHIN_S,
      hookCallbackIds: [EDIT_GUARD_ID],
    },
  ],
};

export interface EditGuardPorts {
  readonly buffers: Pick<BuffersPort, 'isDirty'>;
  readonly workspaceRoots: () => readonly string[];
  /** The CLI's own plan files lie here; writing them is part of plan mode. */
  readonly planFolder: string;
  readonly log: Logger;
  /** A write was refused because these files hold unsaved changes. */
  readonly onRefused: (toolUseId: string, dirtyPaths: readonly string[]) => void;
}

/**
 * Answers the PreToolUse hook. Never rejects: a guard that fails asks, since an unanswered hook
 * would block the tool and an allowed one would open the door.
 */
export function createEditGuardHook(
  ports: EditGuardPorts,
): (request: HookCallbackRequest) => Promise<Record<string, unknown>> {
  return async (request) => {
    try {
      return await judge(ports, request);
    } catch (error) {
      ports.log.error('The guard on writes failed; the person is asked', error);
      return decision('ask', `The path could not be checked: ${errorMessage(error)}`);
    }
  };
}

async function judge(
  ports: EditGuardPorts,
  request: HookCallbackRequest,
): Promise<Record<string, unknown>> {
  const { tool_name: toolName = '', tool_input: input, cwd = '.' } = request.input;
  const target = editedPath(toolName, input);
  // A call without a path fails in the CLI's own check of its input.
  if (target === undefined) return {};
  const absolute = path.resolve(cwd, target);
  const realPath = await resolveRealPath(absolute);
  const roots = await Promise.all(ports.workspaceRoots().map(resolveRealPath));
  const verdict = guardEdit({
    toolName,
    targets: [
      {
        path: absolute,
        realPath,
        dirty: ports.buffers.isDirty(absolute) || ports.buffers.isDirty(realPath),
      },
    ],
    workspaceRoots: roots,
    planFolder: await resolveRealPath(ports.planFolder),
    platform: process.platform,
  });
  if (verdict.decision === 'none') return {};
  const toolUseId = request.tool_use_id ?? request.input.tool_use_id;
  if (verdict.decision === 'deny' && toolUseId !== undefined && verdict.dirtyPaths) {
    ports.onRefused(toolUseId, verdict.dirtyPaths);
  }
  return decision(verdict.decision, verdict.reason);
}

function decision(kind: 'ask' | 'deny', reason: string): Record<string, unknown> {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: kind,
      permissionDecisionReason: reason,
    },
  };
}
