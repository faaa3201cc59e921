import * as l10n from '@vscode/l10n';
import type { ErrorFields } from './chatEvent';
import type { ErrorAction } from './viewStateProtocol';

/** What the CLI told of a failed turn (facts, section 13). */
export interface ApiFailure {
  /** `assistant.error` of the synthetic row: `rate_limit`, `server_error` … */
  readonly error: string | undefined;
  /** HTTP status; absent where there was no answer, or no request. */
  readonly status: number | undefined;
  /** `terminal_reason` of the result. */
  readonly reason: string | undefined;
  /** The CLI's own words, for the folded details. */
  readonly details: string | undefined;
  /** The model declined; told by a message of its own. */
  readonly refused: boolean;
}

interface Words {
  readonly message: string;
  readonly next: string;
  readonly login?: boolean;
}

/** The alert for a turn that the API failed: what failed, what was kept, what to do. */
export function apiFailureError(failure: ApiFailure): ErrorFields {
  const { message, next, login } = failureWords(failure);
  const first: readonly ErrorAction[] = login === true ? ['login'] : [];
  return {
    message,
    kept: l10n.t('Your message and everything above are kept.'),
    next,
    ...(failure.details ? { details: failure.details } : {}),
    actions: [...first, 'retry', 'showLog'],
  };
}

function failureWords(failure: ApiFailure): Words {
  const { error, status, reason } = failure;
  if (failure.refused) {
    return {
      message: l10n.t('The model declined to answer.'),
      next: l10n.t('Say it in other words, or choose another model.'),
    };
  }
  if (reason === 'prompt_too_long') {
    return {
      message: l10n.t('The conversation is too long for the model.'),
      next: l10n.t('Send /compact to shorten it, or start a new conversation.'),
    };
  }
  if (reason === 'image_error' || status === 413) {
    return {
      message: l10n.t('The message is too large for the API.'),
      next: l10n.t('Send less at once, or smaller attachments.'),
    };
  }
  switch (error) {
    case 'authentication_failed':
    case 'oauth_org_not_allowed':
      return authenticationWords(status);
    case 'billing_error':
      return {
        message: l10n.t('The account has no credit left.'),
        next: l10n.t('Add credit or log in with another account, then retry.'),
        login: true,
      };
    case 'model_not_found':
      return {
        message: l10n.t('The selected model does not exist, or your account may not use it.'),
        next: l10n.t('Choose another model, then retry.'),
      };
    case 'rate_limit':
      return {
        message: l10n.t('The API takes no more requests from this account for now.'),
        next: l10n.t('Wait a little, then retry.'),
      };
    case 'server_error':
    case 'overloaded':
      return serverWords(status);
    case 'max_output_tokens':
      return {
        message: l10n.t('The answer was longer than the model can write in one turn.'),
        next: l10n.t('Ask for a shorter answer, or for one part of it.'),
      };
    case undefined:
    default:
      return {
        message:
          status === undefined
            ? l10n.t('The request to the API failed.')
            : l10n.t('The API refused the request (status {0}).', status),
        next: l10n.t('Read the details, then retry or change the message.'),
      };
  }
}

function authenticationWords(status: number | undefined): Words {
  if (status === undefined) {
    return {
      message: l10n.t('You are not logged in to Claude.'),
      next: l10n.t('Log in, then retry.'),
      login: true,
    };
  }
  return {
    message: l10n.t('The API did not accept your login or key (status {0}).', status),
    next: l10n.t('Check the key or log in again, then retry.'),
    login: true,
  };
}

function serverWords(status: number | undefined): Words {
  if (status === undefined) {
    return {
      message: l10n.t('The connection to the API was lost.'),
      next: l10n.t('Check the network, then retry.'),
    };
  }
  return {
    message:
      status === 529
        ? l10n.t('The API is overloaded.')
        : l10n.t('The API had an error of its own (status {0}).', status),
    next: l10n.t('Wait a little, then retry.'),
  };
}
