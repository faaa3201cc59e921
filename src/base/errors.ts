/** What a person can do about an error, as a button beside it. */
export type Remedy = 'login' | 'openSettings' | 'openFolder' | 'doctor';

/**
 * The only error whose message is shown to the person word for word.
 * `message` says what failed; `kept` what was not lost; `next` what to do. All are localized.
 */
export class UserFacingError extends Error {
  readonly kept: string | undefined;
  readonly next: string | undefined;
  /** Technical text for the folded details, such as the last lines of stderr. */
  readonly details: string | undefined;
  /** The most helpful first. */
  readonly remedies: readonly Remedy[];

  constructor(message: string, options: UserFacingOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'UserFacingError';
    this.kept = options.kept;
    this.next = options.next;
    this.details = options.details;
    this.remedies = options.remedies ?? ['openSettings'];
  }
}

export interface UserFacingOptions {
  readonly kept?: string;
  readonly next?: string;
  readonly details?: string | undefined;
  /** Default: open the settings. */
  readonly remedies?: readonly Remedy[];
  readonly cause?: unknown;
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

/** What Node names an error by, such as `EACCES`; undefined where it is no such error. */
export function errorCode(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Whether it says that there is no such file. */
export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}

/** Whether it says that there is no such file, nor perhaps the folder that it would be in. */
export function isAbsent(error: unknown): boolean {
  return isMissing(error) || errorCode(error) === 'ENOTDIR';
}

/** @throws what says anything else than that there is no such file */
export function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}
