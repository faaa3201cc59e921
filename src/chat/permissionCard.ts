import * as l10n from '@vscode/l10n';
import { oneLine } from './boundedText';
import type { FileForm } from './fileForm';
import type { PlannedFile } from './plannedWrites';
import { conversationGrant } from './conversationGrant';
import { displayPath } from './displayPath';
import { lastingOffer, type SettingsPlaces } from './lastingGrant';
import { boundBody, type PermissionBody, permissionBody } from './permissionBody';
import { type CallPlace, permissionWords } from './permissionWords';
import { changedPath, proposedDiff } from './proposedEdit';
import type { KnownTools } from './toolHints';
import type { ToolTitles } from './toolTitles';
import { toolTitle } from './toolPresentation';
import type { PermissionRequest } from './permissionRequest';
import type { FileDiff, PermissionCard } from './viewStateProtocol';
import { visibleDiff } from './visibleDiff';
import { visibleText } from './visibleText';

export interface PermissionCardOptions {
  /** `request_id` of the control request. */
  readonly requestId: string;
  readonly request: PermissionRequest;
  /** Absolute path of the working folder. */
  readonly folder?: string;
  /** As the panel shows it; its last part where left out. */
  readonly folderName?: string | undefined;
  readonly toolTitles?: ToolTitles;
  /** Tools that run in this process. */
  readonly knownTools?: KnownTools | undefined;
  /** Where the path of the call leads, where it has one that was looked up. */
  readonly place?: CallPlace | undefined;
  /** Left out where no rule may be written down. */
  readonly settings?: SettingsPlaces | undefined;
  /**
   * The text of the file that an Edit or Write would change: undefined when there is no such file,
   * null (or left out) when it was not looked up.
   */
  readonly currentText?: string | undefined | null;
  /** How that file is written down; undefined where there is none, or it was not looked up. */
  readonly form?: FileForm | undefined;
  /** What a tool of this process says that the call would write. */
  readonly planned?: readonly PlannedFile[] | undefined;
}

/** Makes the card for a `can_use_tool` request. Everything in it that the model wrote is made visible. */
export function createPermissionCard(options: PermissionCardOptions): PermissionCard {
  const { requestId, request, folder, place, settings } = options;
  const name = request.tool_name;
  const currentText = 'currentText' in options ? options.currentText : null;
  const edit = proposedDiff(name, request.input, currentText, folder);
  const diff = edit && visibleDiff(edit);
  const title = toolTitle(name, options.toolTitles ?? new Map<string, string>());
  const reason = reasonOf(request, folder, place);
  const grant = conversationGrant(request);
  const always = settings && lastingOffer(request, settings);
  return {
    id: requestId,
    toolName: name,
    title,
    ...permissionWords({
      ...{ request, title, place, diff, currentText },
      ...{ form: options.form, planned: options.planned },
      folder: folder === undefined ? undefined : { path: folder, name: nameOf(options, folder) },
      known: options.knownTools?.get(name),
    }),
    ...bodyOf(request, folder, diff),
    ...(request.tool_use_id === undefined ? {} : { toolUseId: request.tool_use_id }),
    ...(diff ? { diff } : {}),
    ...(reason === undefined ? {} : { reason: oneLine(visibleText(reason), 300) }),
    ...(grant ? { conversationRule: visibleText(grant.rule) } : {}),
    ...(always ? { always } : {}),
  };
}

/** The difference says all that the input does: of an edit for which there is none that stands whole. */
function bodyOf(
  request: PermissionRequest,
  folder: string | undefined,
  diff: FileDiff | undefined,
): PermissionBody {
  const changed = diff && changedPath(request.tool_name, request.input);
  if (changed === undefined) return permissionBody(request, folder);
  return { body: visibleText(boundBody(displayPath(changed, folder))), bodyKind: 'path' };
}

function nameOf({ folderName }: PermissionCardOptions, folder: string): string {
  return folderName ?? /[^\\/]*$/.exec(folder.replace(/[\\/]+$/, ''))?.[0] ?? folder;
}

/** Facts, section 2: the CLI gives a text, or only the kind of its reason. */
function reasonOf(
  request: PermissionRequest,
  folder: string | undefined,
  place: CallPlace | undefined,
): string | undefined {
  switch (request.decision_reason_type) {
    case 'workingDir':
      // The sentence says so where it has been looked up.
      return place?.isOutside === true ? undefined : l10n.t('Outside the working folder.');
    case 'mode':
      return l10n.t('The permission mode asks before every change.');
    case 'rule':
      return l10n.t('A rule says to ask for this tool.');
    case 'subcommandResults':
      return l10n.t('Parts of this command are not allowed yet.');
    case 'safetyCheck':
      return l10n.t('This file is protected: it changes what the agent may do.');
    case undefined:
    default:
      break;
  }
  if (request.decision_reason !== undefined && request.decision_reason !== '') {
    return request.decision_reason;
  }
  if (request.blocked_path !== undefined) {
    return l10n.t('Writes to {0}.', displayPath(request.blocked_path, folder));
  }
  return l10n.t('No rule allows this yet.');
}
