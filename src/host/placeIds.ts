/** The place of the conversation in the side bar: one a window. */
export const WINDOW_PLACE = 'window';

/** A place for a new editor tab. Not by `node:crypto`, which would be loaded with the activation. */
export function newTabPlace(): string {
  return `tab-${crypto.randomUUID()}`;
}

/** The place that a restored tab's state names; undefined when there is none in it. */
export function placeOfState(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('place' in state)) return undefined;
  const { place } = state;
  return typeof place === 'string' && /^tab-[\w-]{1,64}$/.test(place) ? place : undefined;
}
