import type { PermissionMode } from '../../src/rules/modes';

/** What becomes of a call: it ran without a card, a card stood before it, or it did not run and no card stood. */
export type Outcome = 'ran' | 'asked' | 'refused';

const modes = ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'] as const;

type Row = Readonly<Record<PermissionMode, Outcome>>;

function row(...outcomes: readonly [Outcome, Outcome, Outcome, Outcome, Outcome, Outcome]): Row {
  const [ask, edits, plan, auto, never, bypass] = outcomes;
  return {
    default: ask,
    acceptEdits: edits,
    plan,
    auto,
    dontAsk: never,
    bypassPermissions: bypass,
  };
}

/** What stands in `.patchbay` runs inside the editor. */
const asked = row('asked', 'asked', 'asked', 'asked', 'asked', 'asked');

/**
 * Every kind of call in every mode, with the real CLI. docs/permissions.md has the same table; the
 * keys are its first column. Auto as it is without the CLI's safety check, which offline is not there.
 */
export const MODE_MATRIX = {
  'our tool that reads': row('ran', 'ran', 'ran', 'ran', 'ran', 'ran'),
  'a call that only reads, of our tool that acts': row('ran', 'ran', 'ran', 'ran', 'ran', 'ran'),
  'our tool that edits, inside': row('asked', 'ran', 'refused', 'ran', 'refused', 'ran'),
  'our tool that edits, outside': row('asked', 'asked', 'refused', 'asked', 'refused', 'asked'),
  'our tool that edits, protected': row('asked', 'asked', 'refused', 'asked', 'refused', 'asked'),
  'the same, allowed by a rule': row('asked', 'asked', 'refused', 'asked', 'refused', 'asked'),
  'our tool that runs something': row('asked', 'asked', 'refused', 'refused', 'refused', 'ran'),
  'the same tool, allowed by a rule': row('ran', 'ran', 'refused', 'ran', 'ran', 'ran'),
  'our tool that needs the person': row('asked', 'asked', 'refused', 'asked', 'refused', 'asked'),
  'Write inside': row('asked', 'ran', 'refused', 'ran', 'refused', 'ran'),
  'Write outside': row('asked', 'asked', 'refused', 'asked', 'refused', 'asked'),
  'Write to a protected path': row('asked', 'asked', 'refused', 'asked', 'refused', 'asked'),
  'our tool that edits .patchbay, allowed by a rule': asked,
  'our tool that edits .patchbay and more': asked,
  'Write to .patchbay, allowed by a rule': asked,
  'Edit of a file of .patchbay': asked,
  'Bash that changes .patchbay, allowed by a rule': asked,
  'Bash that changes files': row('asked', 'ran', 'refused', 'ran', 'refused', 'ran'),
  'Read inside': row('ran', 'ran', 'ran', 'ran', 'ran', 'ran'),
} as const satisfies Readonly<Record<string, Row>>;

export type CallName = keyof typeof MODE_MATRIX;

export const matrixModes: readonly PermissionMode[] = modes;
