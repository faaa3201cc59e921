import type { HookCallbackRequest } from '../protocol/controlRequests';
import { type PermissionMode, tryParseMode } from '../rules/modes';
import { refusesInsteadOfAsking } from '../rules/modeVerdicts';
import type { CallPolicy } from './callPolicy';
import { refusedByMode } from './modeTexts';
import type { AskPerson, WriteCheck } from './writeCheck';

/**
 * The tools before which the guard is asked, in every permission mode: those by which the CLI edits,
 * all of MCP, since the CLI does not hold those of this process to its modes, and shells, for lines that
 * name the tool files of the workspace. What else a shell writes cannot be foreseen, and Read is left to
 * the CLI's own rules.
 */
export const EDIT_GUARD_MATCHER =
  /^(?:Edit|MultiEdit|Write|NotebookEdit|Bash|PowerShell|Monitor|mcp__.*)$/;

export interface EditGuardPorts {
  readonly check: Pick<WriteCheck, 'clear'>;
  readonly policy: Pick<CallPolicy, 'before'>;
  /** As it is now, for a CLI that does not say it. */
  readonly mode: () => PermissionMode;
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

export type EditGuard = (
  request: HookCallbackRequest,
  context: {
    readonly requestId: string;
    readonly signal: AbortSignal;
    /** Why an extension wants the person to be asked; it stands on the guard's card. */
    readonly alsoAsks?: string | undefined;
  },
) => Promise<HookAnswer>;

/** Answers the PreToolUse hook. */
export function createEditGuardHook(ports: EditGuardPorts): EditGuard {
  return async ({ input, tool_use_id: toolUseId }, { requestId, signal, alsoAsks }) => {
    const toolName = input.tool_name ?? '';
    const mode = tryParseMode(input.permission_mode) ?? ports.mode();
    const own = await ports.policy.before(toolName, input.tool_input ?? {}, mode);
    if (own !== undefined) return ownAnswer(toolName, mode, own);
    const call = {
      toolName,
      input: input.tool_input ?? {},
      toolUseId: toolUseId ?? input.tool_use_id,
      cwd: input.cwd ?? '.',
    };
    const ask = refusesInsteadOfAsking(mode)
      ? refuse(toolName, mode)
      : withReason(ports.ask, alsoAsks);
    const verdict = await ports.check.clear(call, requestId, signal, ask);
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

/**
 * Fact: an allow of a hook does not stand above a rule of the person's that asks or denies. What is
 * refused in plan mode the CLI asks about, and has a better answer there.
 */
function ownAnswer(
  toolName: string,
  mode: PermissionMode,
  { verdict, reason }: NonNullable<Awaited<ReturnType<CallPolicy['before']>>>,
): HookAnswer {
  switch (verdict) {
    case 'run':
      return decision('allow', '');
    case 'ask':
      return decision('ask', reason ?? '');
    case 'refuse':
      return mode === 'plan' ? {} : decision('deny', refusedByMode(toolName, mode, reason));
    case 'cli':
      return {};
  }
}

/** One card for both: the question of the CLI that follows an allow is answered by it as well. */
function withReason(ask: AskPerson, reason = ''): AskPerson {
  if (reason === '') return ask;
  return (cardId, question, signal) => {
    const reasons = [question.decision_reason ?? '', reason].filter((text) => text !== '');
    return ask(cardId, { ...question, decision_reason: reasons.join('\n') }, signal);
  };
}

function refuse(toolName: string, mode: PermissionMode): AskPerson {
  return (_id, { decision_reason: reason }) =>
    Promise.resolve({ behavior: 'deny', message: refusedByMode(toolName, mode, reason) });
}

function decision(kind: 'allow' | 'ask' | 'deny', reason: string): HookAnswer {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: kind,
      permissionDecisionReason: reason,
    },
  };
}
