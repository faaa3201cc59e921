import type { HookSpec } from './hookEvents';
import type { HookAnswer, HookEvent } from './hookTypes';

/** Several answers to one event as one: deny over ask, texts joined, the first changed input counts. */
export function mergeHookAnswers(answers: readonly HookAnswer[]): HookAnswer {
  const joined = (pick: (answer: HookAnswer) => string | undefined, by: string) => {
    const texts = answers.map(pick).filter((text) => text !== undefined);
    return texts.length === 0 ? undefined : texts.filter((text) => text !== '').join(by);
  };
  return {
    deny: joined(({ deny }) => deny, '\n'),
    ask: joined(({ ask }) => ask, '\n'),
    updatedInput: answers.find(({ updatedInput }) => updatedInput !== undefined)?.updatedInput,
    additionalContext: joined(({ additionalContext }) => additionalContext, '\n\n'),
  };
}

/** Keeps what counts for the event and has the right type: handlers may come from plain JavaScript. */
export function readHookAnswer(given: unknown, { answers }: Pick<HookSpec, 'answers'>): HookAnswer {
  if (typeof given !== 'object' || given === null) return {};
  const text = (key: 'deny' | 'ask' | 'additionalContext'): string | undefined => {
    const value: unknown = Reflect.get(given, key);
    return answers.includes(key) && typeof value === 'string' ? value : undefined;
  };
  const input: unknown = Reflect.get(given, 'updatedInput');
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return {
    deny: text('deny'),
    ask: text('ask'),
    additionalContext: text('additionalContext'),
    updatedInput:
      answers.includes('updatedInput') && isObject
        ? Object.fromEntries(Object.entries(input))
        : undefined,
  };
}

/**
 * An answer as the CLI reads it. A deny always has a reason: without one the model does not know
 * what to do instead.
 */
export function wireAnswer(
  event: HookEvent,
  { denial }: Pick<HookSpec, 'denial'>,
  answer: HookAnswer,
): Record<string, unknown> {
  const { deny, ask, updatedInput, additionalContext } = answer;
  const reason = deny === '' ? 'An extension of the editor does not allow it.' : deny;
  const output: Record<string, unknown> = {
    ...(additionalContext === undefined ? {} : { additionalContext }),
    ...(updatedInput === undefined || reason !== undefined ? {} : { updatedInput }),
  };
  const block = denial === 'block' && reason !== undefined ? { decision: 'block', reason } : {};
  if (denial === 'permission') Object.assign(output, permission(reason, ask));
  if (denial === 'request' && reason !== undefined) {
    output.decision = { behavior: 'deny', message: reason };
  }
  return Object.keys(output).length === 0
    ? block
    : { ...block, hookSpecificOutput: { hookEventName: event, ...output } };
}

function permission(deny: string | undefined, ask: string | undefined): Record<string, unknown> {
  if (deny !== undefined) {
    return { permissionDecision: 'deny', permissionDecisionReason: deny };
  }
  return ask === undefined ? {} : { permissionDecision: 'ask', permissionDecisionReason: ask };
}
