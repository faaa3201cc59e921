import type { ModelOption, ModeOption } from '../chat/viewStateProtocol';
import type { ModelInfo } from '../protocol/controlResults';
import { modeText, offeredModes, PERMISSION_MODES, type PermissionMode } from '../rules/modes';

/** The models that the CLI reports, in its order. */
export function modelOptions(models: readonly ModelInfo[]): ModelOption[] {
  return models.map((model) => ({
    id: model.value,
    // "Default (recommended)": what stands in brackets is said by the description too.
    label: (model.displayName ?? model.value).replace(/ \([^)]*\)$/, ''),
    description: model.description,
  }));
}

/**
 * The modes of our table. The one in force is listed even where it is not offered, and one that the
 * CLI refused is disabled with its words.
 */
export function modeOptions(
  current: PermissionMode,
  refused: ReadonlyMap<string, string>,
  offersBypass: boolean,
): ModeOption[] {
  const offered: readonly PermissionMode[] = offersBypass
    ? [...offeredModes(), 'bypassPermissions']
    : offeredModes();
  const ids = PERMISSION_MODES.filter(
    (mode) => offered.includes(mode) || mode === current || refused.has(mode),
  );
  return ids.map((id) => ({ id, ...modeText(id), disabledReason: refused.get(id) }));
}
