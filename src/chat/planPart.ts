import { withPlainEnds } from '../base/lineEnds';
import { isJsonObject } from '../protocol/lazySchema';
import { BODY_LIMIT, boundBody } from './permissionBody';
import type { PlanPart } from './viewStateProtocol';
import { visibleText } from './visibleText';

export const PLAN_TOOL = 'ExitPlanMode';

/** The plan in the input or in the result of a call that proposed one. */
export function proposedPlan(toolName: string, data: unknown): PlanPart | undefined {
  const plan = toolName === PLAN_TOOL && isJsonObject(data) ? data.plan : undefined;
  return typeof plan === 'string' && plan.trim() !== '' ? planPart(plan) : undefined;
}

/** Of one that is longer than a person reads both ends are kept. */
export function planPart(plan: string): PlanPart {
  const text = boundBody(plan);
  return { text, ...shownPart(text), ...(plan.length > BODY_LIMIT ? { isCut: true } : {}) };
}

/** What is drawn where it differs from the text. */
export function shownPart(text: string): { readonly shown?: string } {
  const shown = visiblePlan(boundBody(text));
  return shown === text ? {} : { shown };
}

/** Blanks that other languages write, and what joins two pictures into one, hide nothing in prose. */
const HARMLESS = /([\u00A0\u202F\u3000]|\u200D(?=\p{Extended_Pictographic}))/u;

function visiblePlan(text: string): string {
  return withPlainEnds(text)
    .split(HARMLESS)
    .map((part, index) => (index % 2 === 1 ? part : visibleText(part)))
    .join('');
}
