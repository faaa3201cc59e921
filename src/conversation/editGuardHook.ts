import type { HookCallbackRequest } from '../protocol/controlRequests';
import type { HookMatcher } from '../protocol/outboundRequests';
import type { AskPerson, WriteCheck } from './writeCheck';

/** The hook's id on the wire. */
export const EDIT_GUARD_ID = 'patchbay-edit-guard';

/** Seconds that a person may take before a card of the guard: a day. Then the CLI refuses the call. */
const ANSWER_WITHIN_S = 24 * 60 * 60;

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
  readonly check: Pick<WriteCheck, 'clear'>;
  /**
   * Asks the person by a card of ours. The hook's own answer `ask` will not do: with CLI 2.1.332 it
   * is lost for places that the CLI checks itself (`.vscode/`, `.git/`), which bypassPermissions
   * then writes without a question and plan, auto and dontAsk refuse without one.
   */
  readonly ask: AskPerson;
  /** Ends the turn: the person chose Deny and stop. */
  readonly stop: () => void;
}

type HookAnswer = Record<string, unknown>;

/** Answers the PreToolUse hook. */
export function createEditGuardHook(
  ports: EditGuardPorts,
): (
  request: HookCallbackRequest,
  context: { readonly requestId: string; readonly signal: AbortSignal },
) => Promise<HookAnswer> {
  return async ({ input, tool_use_id: toolUseId }, { requestId, signal }) => {
    const call = {
      toolName: input.tool_name ?? '',
      input: input.tool_input ?? {},
      toolUseId: toolUseId ?? input.tool_use_id,
      cwd: input.cwd ?? '.',
    };
    const verdict = await ports.check.clear(call, requestId, signal, ports.ask);
    switch (verdict.kind) {
      case 'none':
        return {};
      case 'allowed':
        return decision('allow', verdict.reason);
      case 'denied':
        if (verdict.interrupt) ports.stop();
        return decision('deny', verdict.message);
    }
  };
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
