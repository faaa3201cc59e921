import * as l10n from '@vscode/l10n';
import { cutText } from '../base/cutText';
import { jsonText } from '../base/jsonText';
import { isJsonObject } from '../protocol/lazySchema';
import { oneLine } from './boundedText';
import { conversationGrant } from './conversationGrant';
import { displayPath } from './displayPath';
import { editedPath, proposedDiff } from './proposedEdit';
import type { ToolTitles } from './toolTitles';
import { toolTitle } from './toolPresentation';
import type { PermissionRequest } from './permissionRequest';
import type { PermissionCard } from './viewStateProtocol';
import { visibleText } from './visibleText';

/** Longer bodies are cut in the middle: both ends of what is asked stay in sight. */
export const BODY_LIMIT = 100_000;

export interface PermissionCardOptions {
  /** `request_id` of the control request. */
  readonly requestId: string;
  readonly request: PermissionRequest;
  /** Absolute path of the working folder. */
  readonly folder?: string;
  readonly toolTitles?: ToolTitles;
  /**
   * The text of the file that an Edit or Write would change: undefined when there is no such file,
   * null (or left out) when it was not looked up.
   */
  readonly currentText?: string | undefined | null;
}

/** Makes the card for a `can_use_tool` request. Everything in it that the model wrote is made visible. */
export function createPermissionCard(options: PermissionCardOptions): PermissionCard {
  const { requestId, request, folder } = options;
  const name = request.tool_name;
  const current = 'currentText' in options ? options.currentText : null;
  const diff = proposedDiff(name, request.input, current, folder);
  const { body, bodyKind } = bodyOf(request, folder);
  const reason = reasonOf(request, folder);
  const grant = conversationGrant(request);
  return {
    id: requestId,
    toolName: name,
    title: toolTitle(name, options.toolTitles ?? new Map<string, string>()),
    body: boundBody(visibleText(body)),
    bodyKind,
    ...(request.tool_use_id === undefined ? {} : { toolUseId: request.tool_use_id }),
    ...(diff ? { diff } : {}),
    ...(reason === undefined ? {} : { reason: oneLine(visibleText(reason), 300) }),
    ...(grant ? { conversationRule: visibleText(grant.rule) } : {}),
  };
}

type Body = Pick<PermissionCard, 'body' | 'bodyKind'>;

/** Which field of a tool's input is the thing itself. */
const BODY_FIELDS: ReadonlyMap<string, readonly [field: string, kind: Body['bodyKind']]> = new Map([
  ['Bash', ['command', 'command']],
  ['PowerShell', ['command', 'command']],
  ['Monitor', ['command', 'command']],
  ['Read', ['file_path', 'path']],
  ['WebFetch', ['url', 'url']],
  ['WebSearch', ['query', 'command']],
  ['ExitPlanMode', ['plan', 'command']],
]);

function bodyOf({ tool_name: name, input }: PermissionRequest, folder: string | undefined): Body {
  const edited = editedPath(name, input);
  if (edited !== undefined) return { body: displayPath(edited, folder), bodyKind: 'path' };
  const entry = BODY_FIELDS.get(name);
  const text = entry && isJsonObject(input) ? input[entry[0]] : undefined;
  if (entry && typeof text === 'string') {
    const body = entry[1] === 'path' ? displayPath(text, folder) : text;
    return { body, bodyKind: entry[1] };
  }
  return { body: jsonText(input), bodyKind: 'json' };
}

/** Cut in the middle where it is too long to be read. */
export function boundBody(body: string): string {
  if (body.length <= BODY_LIMIT) return body;
  const half = BODY_LIMIT / 2;
  const left = body.length - BODY_LIMIT;
  const middle = l10n.t('… {0} characters are not shown …', left);
  return `${cutText(body, half)}\n${middle}\n${body.slice(-half)}`;
}

/** Facts, section 2: the CLI gives a text, or only the kind of its reason. */
function reasonOf(request: PermissionRequest, folder: string | undefined): string | undefined {
  switch (request.decision_reason_type) {
    case 'workingDir':
      return l10n.t('Outside the working folder.');
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
  return request.agent_id === undefined ? undefined : l10n.t('Asked by a sub-agent.');
}
