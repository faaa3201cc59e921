import type { PermissionResult } from '../protocol/permissions';
import type { AskReply, PlanCard, PlanReview } from './askProtocol';
import type { PermissionRequest } from './permissionRequest';
import { keepPlanningMessage } from './planFeedback';
import { withPlainEnds } from '../base/lineEnds';
import { PLAN_TOOL, planPart, shownPart } from './planPart';
import { toolTitle } from './toolPresentation';

/** What the model reads when the plan was put away without an answer. */
export const PLAN_PUT_AWAY =
  'The user has put the plan away without approving it. Do not carry it out; say what you need and stop.';

/**
 * The card for a plan that the CLI wants approved; undefined where the request is none. Fact: the
 * CLI fills the plan in from its file, and where there is no file the input is empty.
 */
export function tryCreatePlanCard(
  requestId: string,
  { tool_name: name, input, tool_use_id: toolUseId }: PermissionRequest,
): PlanCard | undefined {
  if (name !== PLAN_TOOL) return undefined;
  const given = input.plan ?? '';
  // What cannot be drawn could not be judged: the ordinary card shows the input as it came.
  if (typeof given !== 'string') return undefined;
  const card = { kind: 'plan', id: requestId, toolUseId, comments: [] } as const;
  const title = toolTitle(name, new Map());
  if (given.trim() === '') return { ...card, title };
  const { text: plan, shown, isCut } = planPart(given);
  return { ...card, title, plan, shown, ...(isCut === true ? { cutFrom: given.length } : {}) };
}

/** The card with what the person makes of its plan. An edit that changes nothing is none. */
export function reviewedPlan(card: PlanCard, { edited, comments }: PlanReview): PlanCard {
  const { plan = '', cutFrom } = card;
  const isChanged =
    edited !== undefined && cutFrom === undefined && withPlainEnds(edited) !== withPlainEnds(plan);
  const mine = isChanged ? edited : undefined;
  return { ...card, comments, edited: mine, shown: shownPart(mine ?? plan).shown };
}

/** The plan as it is now: as the person has changed it, else as the agent wrote it. */
export function planText({ edited, plan = '' }: PlanCard): string {
  return edited ?? plan;
}

/** The answer that goes to the CLI; undefined where the reply is none to a plan. */
export function planAnswer(
  request: PermissionRequest,
  card: PlanCard,
  reply: AskReply,
): PermissionResult | undefined {
  switch (reply.action) {
    case 'accept':
      return undefined;
    case 'decline':
      return { behavior: 'deny', message: PLAN_PUT_AWAY };
    case 'keepPlanning':
      return { behavior: 'deny', message: keepPlanningMessage(card, reply.words) };
    case 'approve': {
      const { edited } = card;
      const updatedInput =
        edited === undefined ? request.input : { ...request.input, plan: edited };
      if (!reply.acceptEdits) return { behavior: 'allow', updatedInput };
      const mode = { type: 'setMode', mode: 'acceptEdits', destination: 'session' } as const;
      return { behavior: 'allow', updatedInput, updatedPermissions: [mode] };
    }
  }
}
