import type { PermissionResult } from '../protocol/permissions';
import { conversationGrant } from './conversationGrant';
import { lastingUpdates } from './lastingGrant';
import type { PermissionRequest } from './permissionRequest';
import type { LastingAnswer } from './viewStateProtocol';

/** What the person can say to a request; the `always…` ones also write a rule to a settings file. */
export type PermissionAnswerKind =
  'allowOnce' | 'allowConversation' | LastingAnswer | 'deny' | 'denyAndStop';

export function isAllow(answer: PermissionAnswerKind): boolean {
  return answer !== 'deny' && answer !== 'denyAndStop';
}

export function isLasting(answer: PermissionAnswerKind): answer is LastingAnswer {
  return answer === 'alwaysLocal' || answer === 'alwaysProject' || answer === 'alwaysUser';
}

/** What the model reads when the person gave no reason. */
const DEFAULT_DENIAL =
  'The user does not allow this tool call. Do not try it again in another way; go on without it, or ask what to do instead.';

/**
 * The answer that goes to the CLI. The input goes back as the very object that came: a copy could
 * lose an own `__proto__` key. A deny always has a message, without one the model is told that the
 * host is broken; with `interrupt` the CLI drops the message (facts, section 2).
 */
export function permissionAnswer(
  request: PermissionRequest,
  answer: PermissionAnswerKind,
  reason?: string,
): PermissionResult {
  switch (answer) {
    case 'allowOnce':
      return { behavior: 'allow', updatedInput: request.input };
    case 'allowConversation': {
      const grant = conversationGrant(request);
      return {
        behavior: 'allow',
        updatedInput: request.input,
        ...(grant ? { updatedPermissions: [...grant.updates] } : {}),
      };
    }
    case 'alwaysLocal':
    case 'alwaysProject':
    case 'alwaysUser': {
      const updates = lastingUpdates(request, answer);
      return {
        behavior: 'allow',
        updatedInput: request.input,
        ...(updates ? { updatedPermissions: updates } : {}),
      };
    }
    case 'deny':
      return { behavior: 'deny', message: denialMessage(reason) };
    case 'denyAndStop':
      return { behavior: 'deny', message: denialMessage(reason), interrupt: true };
  }
}

function denialMessage(reason: string | undefined): string {
  const words = reason?.trim() ?? '';
  return words === '' ? DEFAULT_DENIAL : words;
}
