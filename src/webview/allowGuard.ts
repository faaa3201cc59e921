/** Milliseconds for which Allow does not answer to a key after the focus came to the card. */
export const ALLOW_KEY_DELAY_MS = 500;

/**
 * Whether a press of an Allow button counts. A key that was meant for the message box must not
 * grant a permission because the focus had just moved: a pointer names its target, a key does not.
 */
export function allowCounts(press: {
  readonly byKey: boolean;
  readonly now: number;
  /** When the focus came into the card; undefined when it did not. */
  readonly focusedAt: number | undefined;
}): boolean {
  if (!press.byKey) return true;
  return press.focusedAt !== undefined && press.now - press.focusedAt >= ALLOW_KEY_DELAY_MS;
}
