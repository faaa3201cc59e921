import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { FileType, Uri, window, workspace } from 'vscode';
import { UserFacingError } from '../base/errors';
import { IMAGE_HEAD, imageTypeOf, MAX_IMAGE_FILE, MAX_IMAGES } from '../chat/imageProtocol';
import { mentionText } from '../chat/mentions';
import { formatBytes } from '../chat/toolResult';
import type { GivenFile } from '../chat/viewProtocol';
import { mentionPath } from './mentionPath';
import type { FoundFiles } from './viewAttachments';

const NONE: FoundFiles = { pictures: [], mentions: [] };

/** Lets the person choose files of the machine that the agent works on. */
export async function chooseFiles(folder: string | undefined): Promise<FoundFiles> {
  const chosen = await window.showOpenDialog({
    canSelectMany: true,
    openLabel: l10n.t('Attach'),
    title: l10n.t('Attach files'),
    ...(folder === undefined ? {} : { defaultUri: Uri.file(folder) }),
  });
  return chosen === undefined ? NONE : filesFound(chosen, folder);
}

/** Files and folders as the editor hands them over when they are dropped. */
export function filesDropped(
  uris: readonly string[],
  folder: string | undefined,
): Promise<FoundFiles> {
  return filesFound(
    uris.map((uri) => Uri.parse(uri)),
    folder,
  );
}

/**
 * Pictures are read, all else is mentioned: then the agent reads it itself, by its rules.
 * @throws UserFacingError for what lies on no disk here
 */
async function filesFound(uris: readonly Uri[], folder: string | undefined): Promise<FoundFiles> {
  const pictures: GivenFile[] = [];
  const mentions: string[] = [];
  for (const uri of uris) {
    // In a remote window the explorer names files by the window's own scheme.
    const file = uri.scheme === 'vscode-remote' ? Uri.file(uri.path) : uri;
    if (file.scheme !== 'file') {
      throw new UserFacingError(
        l10n.t('{0} is no file on a disk, so it cannot be attached.', path.basename(uri.path)),
      );
    }
    const picture = pictures.length < MAX_IMAGES ? await pictureOf(file) : undefined;
    if (picture) pictures.push(picture);
    else mentions.push(mentionText(await mentionOf(file, folder)));
  }
  return { pictures, mentions };
}

async function mentionOf(uri: Uri, folder: string | undefined): Promise<string> {
  const { type } = await workspace.fs.stat(uri);
  const name = mentionPath(uri.fsPath, folder);
  return (type & FileType.Directory) === 0 || name.endsWith('/') ? name : `${name}/`;
}

/** Undefined for what is no picture. @throws UserFacingError for one that is too large */
async function pictureOf(uri: Uri): Promise<GivenFile | undefined> {
  if (!/\.(?:png|jpe?g|gif|webp|jfif)$/iu.test(uri.path)) return undefined;
  const { size, type } = await workspace.fs.stat(uri);
  if ((type & FileType.File) === 0) return undefined;
  const name = path.basename(uri.fsPath);
  if (size > MAX_IMAGE_FILE) {
    throw new UserFacingError(
      l10n.t(
        '{0} has {1}; a picture may have {2} at most.',
        name,
        formatBytes(size),
        formatBytes(MAX_IMAGE_FILE),
      ),
    );
  }
  const bytes = await workspace.fs.readFile(uri);
  // Whatever else it is, the agent's own tools say more of it.
  if (imageTypeOf(bytes.subarray(0, IMAGE_HEAD)) === undefined) return undefined;
  return { name, data: Buffer.from(bytes).toString('base64') };
}
