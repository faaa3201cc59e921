import path from 'node:path';
import { suggestedRules } from '../chat/conversationGrant';
import { displayPath } from '../chat/displayPath';
import type { FileForm } from '../chat/fileForm';
import type { SettingsPlaces } from '../chat/lastingGrant';
import { createPermissionCard } from '../chat/permissionCard';
import type { PermissionRequest } from '../chat/permissionRequest';
import type { CallPlace } from '../chat/permissionWords';
import { changedPath, editedPath } from '../chat/proposedEdit';
import type { PermissionCard } from '../chat/viewStateProtocol';
import { segmentsBelow, shapePath } from '../rules/pathShape';
import { resolveRealPath } from '../workFiles/realPath';
import type { ConversationPorts } from './conversationPorts';
import { liveTools } from './knownTools';
import { plannedFiles } from './plannedFiles';
import { isProjectTrusted, settingsFiles, shortHome } from './settingsFiles';
import { liveTitles } from './toolTitles';
import { withDeadline } from './withDeadline';

/** The file that a question is about, absolute; undefined for a call that edits no file. */
export function targetPath(
  ports: Pick<ConversationPorts, 'folder'>,
  request: PermissionRequest,
): string | undefined {
  return absolute(ports, editedPath(request.tool_name, request.input));
}

/** The same of a call of our own `edit` as well, which looks at its file itself once it runs. */
export function changedTarget(
  ports: Pick<ConversationPorts, 'folder'>,
  request: PermissionRequest,
): string | undefined {
  return absolute(ports, changedPath(request.tool_name, request.input));
}

function absolute({ folder }: Pick<ConversationPorts, 'folder'>, file: unknown) {
  return typeof file === 'string' ? path.resolve(folder?.path ?? '.', file) : undefined;
}

/** Milliseconds for reading the file; a pipe or a dead network folder must not hold the question. */
const READ_WITHIN_MS = 3000;

export type DescribePorts = Pick<
  ConversationPorts,
  'folder' | 'buffers' | 'registry' | 'workspaceRoots' | 'hostEnvironment' | 'settings'
>;

/** Builds the card, with the change computed from the file as it is now, not from what the CLI says. */
export async function describePermission(
  ports: DescribePorts,
  requestId: string,
  request: PermissionRequest,
): Promise<PermissionCard> {
  const target = changedTarget(ports, request);
  const edited = editedPath(request.tool_name, request.input) === undefined ? undefined : target;
  const [currentText, place, settings, form, planned] = await Promise.all([
    target === undefined ? null : inTime(ports.buffers.read(target)),
    inTime(placeOf(ports, target ?? readPath(ports, request))),
    suggestedRules(request) === undefined ? undefined : inTime(settingsPlaces(ports)),
    edited === undefined ? undefined : inTime(formOf(ports, edited)),
    inTime(plannedFiles(ports, request)),
  ]);
  return createPermissionCard({
    requestId,
    request,
    folder: ports.folder?.path,
    folderName: ports.folder?.name,
    toolTitles: liveTitles(ports.registry),
    knownTools: liveTools(ports.registry),
    place: place ?? undefined,
    settings: settings ?? undefined,
    currentText,
    form: form ?? undefined,
    planned: planned ?? undefined,
  });
}

async function formOf({ buffers }: DescribePorts, file: string): Promise<FileForm | undefined> {
  return buffers.form?.(file);
}

/** Null where it cannot be had: then the card shows what the call says. */
export async function inTime<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await withDeadline(work, READ_WITHIN_MS, 'not looked up in time');
  } catch {
    return null;
  }
}

function readPath(ports: DescribePorts, { tool_name: name, input }: PermissionRequest) {
  return absolute(ports, name === 'Read' ? input.file_path : undefined);
}

/** Where a path leads, links followed: the same way as the guard looks at it. */
async function placeOf(
  ports: DescribePorts,
  target: string | undefined,
): Promise<CallPlace | undefined> {
  if (target === undefined) return undefined;
  const folder = ports.folder?.path ?? '.';
  const [realPath, realFolder, ...roots] = await Promise.all(
    [target, folder, ...ports.workspaceRoots()].map(resolveRealPath),
  );
  if (realPath === undefined || realFolder === undefined) return undefined;
  const shape = shapePath(realPath, process.platform);
  const isInside = [realFolder, ...roots].some(
    (root) => segmentsBelow(shape, shapePath(root, process.platform)) !== undefined,
  );
  const leadsTo = displayPath(realPath, realFolder);
  return {
    isOutside: !isInside,
    // A workspace that is itself behind a link is nothing to tell of.
    ...(leadsTo === displayPath(target, folder) ? {} : { leadsTo }),
  };
}

async function settingsPlaces(ports: DescribePorts): Promise<SettingsPlaces> {
  const { alwaysLocal, alwaysProject, alwaysUser } = settingsFiles(ports);
  const folder = ports.folder?.path;
  return {
    files: {
      alwaysLocal: displayPath(alwaysLocal, folder),
      alwaysProject: displayPath(alwaysProject, folder),
      alwaysUser: shortHome(alwaysUser, ports),
    },
    isTrusted: await isProjectTrusted(ports),
  };
}
