import type { PermissionRequest } from '../chat/permissionRequest';
import type { HookCallbackRequest } from '../protocol/controlRequests';
import type { PermissionResult } from '../protocol/permissions';
import { type PermissionMode, tryParseMode } from '../rules/modes';
import { refusesInsteadOfAsking } from '../rules/modeVerdicts';
import type { CallLook, CallPolicy } from './callPolicy';
import { refusedByMode } from './modeTexts';
import type { AskPerson, WriteCall, WriteCheck, WriteVerdict } from './writeCheck';

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
  readonly policy: Pick<CallPolicy, 'before' | 'clear'>;
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
    const call = {
      toolName,
      input: input.tool_input ?? {},
      toolUseId: toolUseId ?? input.tool_use_id,
      cwd: input.cwd ?? '.',
    };
    const person = withReason(ports.ask, alsoAsks);
    if (own?.verdict === 'ask' && refusesInsteadOfAsking(mode)) {
      // Asked by the CLI it would be refused without a card.
      const verdict = await askAboutOwn(call, own, (question) =>
        person(requestId, question, signal),
      );
      if (verdict.kind === 'allowed') ports.policy.clear(call.toolUseId ?? '', own.place);
      return answerOf(verdict, ports.stop);
    }
    if (own !== undefined) return ownAnswer(toolName, mode, own);
    const ask: AskPerson = refusesInsteadOfAsking(mode)
      ? (id, question, until, isOfToolFiles) =>
          isOfToolFiles === true ? person(id, question, until) : refuse(question, mode)
      : person;
    return answerOf(await ports.check.clear(call, requestId, signal, ask), ports.stop);
  };
}
/** The question about a call of a tool of this process, by a card of ours. */
async function askAboutOwn(
  { toolName, input, toolUseId }: WriteCall,
  { reason = '' }: CallLook,
  ask: (question: PermissionRequest) => Promise<PermissionResult>,
): Promise<WriteVerdict> {
  const answer = await ask({
    tool_name: toolName,
    input: { ...input },
    tool_use_id: toolUseId,
    decision_reason: reason,
    decision_reason_type: 'hook',
  });
  if (answer.behavior === 'allow') return { kind: 'allowed', reason };
  return { kind: 'denied', message: answer.message, interrupt: answer.interrupt === true };
}

function answerOf(verdict: WriteVerdict, stop: () => void): HookAnswer {
  switch (verdict.kind) {
    case 'none':
      return {};
    case 'allowed':
      return decision('allow', verdict.reason);
    case 'denied':
      if (verdict.interrupt) stop();
      return decision('deny', verdict.message);
  }
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

function refuse(
  { tool_name: toolName, decision_reason: reason }: PermissionRequest,
  mode: PermissionMode,
): Promise<PermissionResult> {
  return Promise.resolve({ behavior: 'deny', message: refusedByMode(toolName, mode, reason) });
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
