/** The three figures of a scrolled box, in CSS pixels. */
export interface ScrollBox {
  readonly top: number;
  readonly height: number;
  readonly client: number;
}

/** Whether the view follows the end, and the box as it was when last seen. */
export interface FollowState {
  readonly following: boolean;
  readonly last: ScrollBox;
}

export const FOLLOWING: FollowState = {
  following: true,
  last: { top: 0, height: 0, client: 0 },
};

/** `scrollTop` is fractional under zoom while the two heights are rounded. */
const ROUNDING = 1;

export function isAtEnd(box: ScrollBox): boolean {
  return box.height - box.top - box.client <= ROUNDING;
}

/**
 * The next state after the box moved or grew. One pixel upwards by the reader stops following;
 * only coming back down to the end starts it again, growth alone never does.
 */
export function follow(state: FollowState, box: ScrollBox): FollowState {
  const { last } = state;
  const shrunk = box.height < last.height || box.client > last.client;
  const movedUp = box.top < last.top - 0.5;
  if (movedUp && !(shrunk && isAtEnd(box))) return { following: false, last: box };
  const reached = box.top > last.top && isAtEnd(box);
  const fits = box.height <= box.client;
  return { following: state.following || reached || fits, last: box };
}
