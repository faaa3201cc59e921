import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import type { PermissionRequest } from '../chat/permissionRequest';
import { editedPath } from '../chat/proposedEdit';
import type { HookCallbackRequest } from '../protocol/controlRequests';
import type { HookMatcher } from '../protocol/outboundRequests';
import type { PermissionResult } from '../protocol/permissions';
import { type EditVerdict, guardEdit } from '../rules/editGuard';
import { resolveRealPath } from '../workFiles/realPath';
import type { BuffersPort } from './conversationPorts';

/** The hook's id on the wire. */
export const EDIT_GUARD_ID = 'patchbay-edit-guard';

/** Seconds that a person may take before a card of the guard: a day. Then the CLI refuses the call. */
const ANSWER_WITHIN_S = 24 * 60 * 60;

/** Milliseconds for looking at the paths; a dead network folder must not hold the tool. */
const LOOK_WITHIN_MS = 10_000;

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
  /**
   * Asks the person by a card of ours. The hook's own answer `ask` will not do: with CLI 2.1.332 it
   * is lost for places that the CLI checks itself (`.vscode/`, `.git/`), which bypassPermissions
   * then writes without a question and plan, auto and dontAsk refuse without one.
   */
  readonly ask: (
    requestId: string,
    question: PermissionRequest,
    signal: AbortSignal,
  ) => Promise<PermissionResult>;
  /** Ends the turn: the person chose Deny and stop. */
  readonly stop: () => void;
}

type HookAnswer = Record<string, unknown>;

/** Answers the PreToolUse hook. A guard that cannot judge asks: an allowed write would be a hole. */
export function createEditGuardHook(
  ports: EditGuardPorts,
): (
  request: HookCallbackRequest,
  context: { readonly requestId: string; readonly signal: AbortSignal },
) => Promise<HookAnswer> {
  return async (request, { requestId, signal }) => {
    const verdict = await judge(ports, request);
    if (verdict.decision === 'none') return {};
    const toolUseId = request.tool_use_id ?? request.input.tool_use_id;
    if (verdict.decision === 'deny') {
      if (toolUseId !== undefined && verdict.dirtyPaths) {
        ports.onRefused(toolUseId, verdict.dirtyPaths);
      }
      return decision('deny', verdict.reason);
    }
    const question = {
      tool_name: request.input.tool_name ?? '',
      input: request.input.tool_input ?? {},
      tool_use_id: toolUseId,
      decision_reason: verdict.reason,
      decision_reason_type: 'hook',
    };
    const answer = await ports.ask(requestId, question, signal);
    if (answer.behavior === 'allow') return decision('allow', verdict.reason);
    if (answer.interrupt === true) ports.stop();
    return decision('deny', answer.message);
  };
}

async function judge(ports: EditGuardPorts, request: HookCallbackRequest): Promise<EditVerdict> {
  try {
    return await withDeadline(look(ports, request), LOOK_WITHIN_MS);
  } catch (error) {
    ports.log.error('The guard could not look at a path; the person is asked', error);
    const reason = l10n.t('The path could not be checked: {0}', errorMessage(error));
    return { decision: 'ask', reason };
  }
}

async function look(ports: EditGuardPorts, request: HookCallbackRequest): Promise<EditVerdict> {
  const { tool_name: toolName = '', tool_input: input, cwd = '.' } = request.input;
  const target = editedPath(toolName, input);
  // A call without a path fails in the CLI's own check of its input.
  if (target === undefined) return { decision: 'none', reason: '' };
  const absolute = path.resolve(cwd, target);
  const [realPath, planFolder, ...workspaceRoots] = await Promise.all([
    resolveRealPath(absolute),
    resolveRealPath(ports.planFolder),
    ...ports.workspaceRoots().map(resolveRealPath),
  ]);
  const dirty = ports.buffers.isDirty(absolute) || ports.buffers.isDirty(realPath);
  return guardEdit({
    toolName,
    targets: [{ path: absolute, realPath, dirty }],
    workspaceRoots,
    planFolder,
    platform: process.platform,
  });
}

function decision(kind: 'allow' | 'deny', reason: string): HookAnswer {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: kind,
      permissionDecisionReason: reason,
    },
  };
}

async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer of the disk within ${ms} ms`));
    }, ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
