/**
 * Which fault ended a turn, from what the CLI says of it: `assistant.error`, the HTTP status and
 * `terminal_reason` (facts, section 13, and the SDK's types). Each kind has its own words and
 * actions in `turnFaults`.
 */
export type TurnFaultKind =
  | 'keyRejected'
  | 'accessDenied'
  | 'notLoggedIn'
  | 'organizationBlocked'
  | 'accountOnHold'
  | 'verificationNeeded'
  | 'cloudCredentials'
  | 'modelNotFound'
  | 'requestRefused'
  | 'promptTooLong'
  | 'requestTooLarge'
  | 'imageRejected'
  | 'creditEmpty'
  | 'rateLimited'
  | 'serverFailed'
  | 'overloaded'
  | 'connectionLost'
  | 'offline'
  | 'answerTooLong'
  | 'declined'
  | 'contextFull'
  | 'contextRefills'
  | 'brokenToolCalls'
  | 'toolUnavailable'
  | 'hookStopped'
  | 'setupFailed'
  | 'modelFailed'
  | 'maxTurns'
  | 'maxBudget'
  | 'wrongForm'
  | 'unknown';

/** What the CLI told of a failed turn. */
export interface TurnFailure {
  /** `assistant.error` of the synthetic row: `rate_limit`, `server_error` … */
  readonly error: string | undefined;
  /** HTTP status; absent where there was no answer, or no request. */
  readonly status: number | undefined;
  /** `terminal_reason` of the result. */
  readonly reason: string | undefined;
  /** `subtype` of the result; absent where a file tells of it. */
  readonly subtype?: string | undefined;
  /** The CLI's own words, for the folded details. */
  readonly details: string | undefined;
  /** The model declined; told by a message of its own. */
  readonly refused: boolean;
}

type Classify = (status: number | undefined) => TurnFaultKind;
const always =
  (kind: TurnFaultKind): Classify =>
  () =>
    kind;

/** By `assistant.error`. A test holds it to the SDK's list. */
export const kindByError = {
  authentication_failed: (status) =>
    status === undefined ? 'notLoggedIn' : status === 403 ? 'accessDenied' : 'keyRejected',
  oauth_org_not_allowed: always('organizationBlocked'),
  account_on_hold: always('accountOnHold'),
  verification_required: always('verificationNeeded'),
  cloud_credential_error: always('cloudCredentials'),
  billing_error: always('creditEmpty'),
  rate_limit: always('rateLimited'),
  overloaded: always('overloaded'),
  model_not_found: always('modelNotFound'),
  server_error: (status) =>
    status === undefined ? 'connectionLost' : status === 529 ? 'overloaded' : 'serverFailed',
  max_output_tokens: always('answerTooLong'),
  invalid_request: (status) => (status === 413 ? 'requestTooLarge' : 'requestRefused'),
  unknown: (status) => (status === undefined ? 'unknown' : 'requestRefused'),
} satisfies Readonly<Record<string, Classify>>;

/** By `terminal_reason`, where that says more than the error. The rest end no turn in a failure. */
export const kindByReason = {
  prompt_too_long: always('promptTooLong'),
  image_error: (status) => (status === 413 ? 'requestTooLarge' : 'imageRejected'),
  blocking_limit: always('contextFull'),
  rapid_refill_breaker: always('contextRefills'),
  malformed_tool_use_exhausted: always('brokenToolCalls'),
  tool_deferred_unavailable: always('toolUnavailable'),
  stop_hook_prevented: always('hookStopped'),
  hook_stopped: always('hookStopped'),
  turn_setup_failed: always('setupFailed'),
  max_turns: always('maxTurns'),
  budget_exhausted: always('maxBudget'),
  structured_output_retry_exhausted: always('wrongForm'),
} satisfies Readonly<Record<string, Classify>>;

const kindBySubtype = new Map<string, TurnFaultKind>([
  ['error_max_turns', 'maxTurns'],
  ['error_max_budget_usd', 'maxBudget'],
  ['error_max_structured_output_retries', 'wrongForm'],
]);

export function turnFaultKind(failure: TurnFailure): TurnFaultKind {
  const { error, status, reason, subtype } = failure;
  if (failure.refused) return 'declined';
  // A conversation read from the disk has no `terminal_reason`.
  if (failure.details?.startsWith('Prompt is too long') === true) return 'promptTooLong';
  if (status === undefined && isUnreachable(failure.details)) return 'offline';
  return (
    lookUp(kindByReason, reason)?.(status) ??
    kindBySubtype.get(subtype ?? '') ??
    lookUp(kindByError, error)?.(status) ??
    (reason === 'model_error' ? 'modelFailed' : byStatus(status))
  );
}

/**
 * No request got as far as the API: the name was not found, the way there is closed, or nobody
 * listens. The CLI says which, in brackets; what is wrong with a certificate it says in words.
 */
function isUnreachable(details = ''): boolean {
  return (
    /\b(?:ENOTFOUND|EAI_AGAIN|E(?:NET|HOST)(?:UNREACH|DOWN)|ECONNREFUSED|ConnectionRefused|FailedToOpenSocket|ERR_PROXY_TUNNEL)\b/.test(
      details,
    ) || /^(?:API Error: )?Unable to connect to API\b(?!.*certificate)/is.test(details)
  );
}

/** Somebody set it: the turn was ended by it, and did not fail. */
export function isLimit(kind: TurnFaultKind): boolean {
  return kind === 'maxTurns' || kind === 'maxBudget';
}

/** An error kind that is not known here, or none at all. */
function byStatus(status: number | undefined): TurnFaultKind {
  if (status === undefined) return 'unknown';
  return status >= 500 ? 'serverFailed' : status === 413 ? 'requestTooLarge' : 'requestRefused';
}

function lookUp(
  table: Readonly<Record<string, Classify>>,
  key: string | undefined,
): Classify | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
}
