import type { PermissionMode } from './modes';

/**
 * What a call of an in-process tool does, as far as a permission mode cares. Of an editing tool it
 * hangs on where its paths lead: `editsToolFiles` when any is in a `.patchbay`, `editsElsewhere` when any
 * is protected otherwise, or outside the workspace.
 */
export const callKinds = [
  ...(['reads', 'editsInside', 'editsToolFiles', 'editsElsewhere', 'runs', 'needsPerson'] as const),
] as const;
export type CallKind = (typeof callKinds)[number];

/**
 * `run`: allowed by us, no card. `ask`: the person, whatever rule allows it. `refuse`: without a
 * card, whatever rule allows it. `cli`: the rules and the mode of the CLI decide.
 */
export type ModeVerdict = 'run' | 'ask' | 'refuse' | 'cli';

type Row = Readonly<Record<CallKind, ModeVerdict>>;

const row = (
  editsInside: ModeVerdict,
  editsElsewhere: ModeVerdict,
  others: ModeVerdict = 'cli',
): Row => ({
  reads: 'run',
  editsInside,
  editsToolFiles: 'ask',
  editsElsewhere,
  runs: others,
  needsPerson: others,
});

/** The same table stands in docs/permissions.md; a test holds both together. */
export const MODE_VERDICTS: Readonly<Record<PermissionMode, Row>> = {
  default: row('cli', 'ask'),
  acceptEdits: row('run', 'ask'),
  plan: row('refuse', 'refuse', 'refuse'),
  // What runs is judged by the CLI's own safety check; what edits the workspace runs there without it.
  auto: row('run', 'ask'),
  dontAsk: row('cli', 'refuse'),
  bypassPermissions: row('cli', 'ask'),
};

/** The modes in which the person is asked about no write but one of tool files: others are refused instead. */
export function refusesInsteadOfAsking(mode: PermissionMode): boolean {
  return MODE_VERDICTS[mode].editsElsewhere === 'refuse';
}
