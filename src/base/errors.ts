/**
 * The only error whose message is shown to the person word for word.
 * `message` says what failed; `kept` what was not lost; `next` what to do. All are localized.
 */
export class UserFacingError extends Error {
  readonly kept: string | undefined;
  readonly next: string | undefined;
  /** Technical text for the folded details, such as the last lines of stderr. */
  readonly details: string | undefined;

  constructor(
    message: string,
    options: { kept?: string; next?: string; details?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'UserFacingError';
    this.kept = options.kept;
    this.next = options.next;
    this.details = options.details;
  }
}

/** The readable part of anything that was thrown. Never throws itself. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error === 'string') return error;
  try {
    // `undefined` and functions have no JSON.
    return typeof error === 'object' && error !== null ? JSON.stringify(error) : String(error);
  } catch {
    return 'unknown error';
  }
}
