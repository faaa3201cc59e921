import * as l10n from '@vscode/l10n';

/** The permission modes by the names of the CLI. `manual`, which it also takes, means `default`. */
export const PERMISSION_MODES = [
  'default',
  'acceptEdits',
  'plan',
  'auto',
  'dontAsk',
  'bypassPermissions',
] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

export interface ModeText {
  readonly label: string;
  readonly description: string;
}

interface ModeEntry {
  readonly text: () => ModeText;
  /** Shown in the panel's list. The CLI may still refuse it; then it is shown disabled with its reason. */
  readonly offered: boolean;
}

// Texts are made on demand, since the translation is set only after this file was loaded.
const MODES: Readonly<Record<PermissionMode, ModeEntry>> = {
  default: {
    text: () => ({
      label: l10n.t('Ask'),
      description: l10n.t('Asks before each edit and each command that changes something.'),
    }),
    offered: true,
  },
  acceptEdits: {
    text: () => ({
      label: l10n.t('Accept edits'),
      description: l10n.t(
        'Edits files in the workspace without asking; still asks before commands.',
      ),
    }),
    offered: true,
  },
  plan: {
    text: () => ({
      label: l10n.t('Plan'),
      description: l10n.t('Reads and plans; no change before you approve a plan.'),
    }),
    offered: true,
  },
  auto: {
    text: () => ({
      label: l10n.t('Auto'),
      description: l10n.t(
        'A safety check decides what needs a question; other steps run without asking.',
      ),
    }),
    offered: true,
  },
  dontAsk: {
    text: () => ({
      label: l10n.t('Never ask'),
      description: l10n.t('Refuses everything that is not already allowed, without asking.'),
    }),
    offered: false,
  },
  bypassPermissions: {
    text: () => ({
      label: l10n.t('Bypass permissions'),
      description: l10n.t('Runs everything without asking, except writes to protected places.'),
    }),
    // Only where the person's own settings allow it: the CLI has to be started for it.
    offered: false,
  },
};

export function modeText(mode: PermissionMode): ModeText {
  return MODES[mode].text();
}

/** The modes for the panel's list, in its order. */
export function offeredModes(): readonly PermissionMode[] {
  return PERMISSION_MODES.filter((mode) => MODES[mode].offered);
}

/** Reads a mode that the CLI reports; undefined for one that we do not know. */
export function tryParseMode(value: unknown): PermissionMode | undefined {
  if (value === 'manual') return 'default';
  return PERMISSION_MODES.find((mode) => mode === value);
}

/**
 * The mode behind this one, for the key that goes round. Bypassing permissions is never reached by
 * it, only by the list: a key pressed once too often must not take all questions away.
 * @param enabled the modes of the panel's list that can be chosen, in its order
 */
export function nextMode(current: string, enabled: readonly string[]): PermissionMode | undefined {
  const round = offeredModes().filter((mode) => enabled.includes(mode));
  const at = round.findIndex((mode) => mode === current);
  const next = round[(at + 1) % round.length];
  return next === current ? undefined : next;
}
