import type { AskCard } from '../chat/askProtocol';
import type { Patch } from '../chat/patchProtocol';
import type { PermissionCard, TurnStatusKind, ViewState } from '../chat/viewStateProtocol';

/** What the host itself wants to know of a conversation, beside handing it to the views. */
export interface TurnState {
  readonly kind: TurnStatusKind;
  readonly permissions: readonly PermissionCard[];
  readonly asks: readonly AskCard[];
  readonly title: string;
}

const RUNNING: Readonly<Record<TurnStatusKind, boolean>> = {
  idle: false,
  starting: true,
  waitingForModel: true,
  working: true,
  retrying: true,
  waitingForPermission: true,
  waitingForAnswer: true,
  stopping: true,
  failed: false,
  notConnected: false,
};

/** Whether there is something to stop. */
export function isRunning(turn: TurnState): boolean {
  return RUNNING[turn.kind];
}

export function turnStateOf(state: ViewState): TurnState {
  const { status, permissions, asks, title } = state;
  return { kind: status.kind, permissions, asks, title };
}

/** The state after the patches; the same object when they do not touch it. */
export function nextTurnState(turn: TurnState, patches: readonly Patch[]): TurnState {
  let next = turn;
  for (const patch of patches) {
    if (patch.op !== 'set') continue;
    const { status, permissions, asks, title } = patch.fields;
    if ((status ?? permissions ?? asks ?? title) === undefined) continue;
    next = {
      kind: status?.kind ?? next.kind,
      permissions: permissions ?? next.permissions,
      asks: asks ?? next.asks,
      title: title ?? next.title,
    };
  }
  return next;
}
