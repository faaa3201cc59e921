import * as l10n from '@vscode/l10n';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { commands, env, Position, Range, Uri, window } from 'vscode';
import { UserFacingError } from '../base/errors';
import { segmentsBelow, shapePath } from '../rules/pathShape';
import { type LinkTarget, parseLink } from './linkTarget';

/**
 * Opens a link of the transcript after a check: the web through VS Code, which asks by itself; a
 * file of the workspace in an editor; any other file after a question; nothing else at all.
 *
 * @param base the folder that relative paths start from
 * @throws UserFacingError when it is refused or not there
 */
export async function openLink(
  href: string,
  base: string | undefined,
  roots: readonly string[],
): Promise<void> {
  const target = parseLink(href);
  switch (target.kind) {
    case 'external':
      await env.openExternal(Uri.parse(target.url, true));
      return;
    case 'file':
      return openFile(target, base, roots);
    case 'refused':
      throw new UserFacingError(
        target.scheme === ''
          ? l10n.t('This link leads nowhere.')
          : l10n.t(
              'Links that start with "{0}:" are not opened from a conversation.',
              target.scheme,
            ),
      );
  }
}

async function openFile(
  target: Extract<LinkTarget, { kind: 'file' }>,
  base: string | undefined,
  roots: readonly string[],
): Promise<void> {
  const found = await findFile(target.path, base, roots);
  if (found === undefined) {
    throw new UserFacingError(l10n.t('The file {0} was not found.', target.path));
  }
  if (!(await isInWorkspace(found.real, roots)) && !(await confirmOutside(found.real))) return;
  const uri = Uri.file(found.path);
  if ((await stat(found.real)).isDirectory()) {
    await commands.executeCommand('revealInExplorer', uri);
    return;
  }
  const position = new Position(
    Math.max(0, (target.line ?? 1) - 1),
    Math.max(0, (target.column ?? 1) - 1),
  );
  // The command and not `showTextDocument`, which knows text only: a link may lead to a picture.
  await commands.executeCommand('vscode.open', uri, {
    ...(target.line === undefined ? {} : { selection: new Range(position, position) }),
    preview: true,
  });
}

/** The first of the folders in which the path exists, with its links resolved. */
async function findFile(
  file: string,
  base: string | undefined,
  roots: readonly string[],
): Promise<{ path: string; real: string } | undefined> {
  const folders = base === undefined ? roots : [base, ...roots];
  const candidates = path.isAbsolute(file)
    ? [file]
    : [
        ...folders.map((folder) => path.resolve(folder, file)),
        // With several folders open our tools write `folder/path`.
        ...roots
          .map((root) => path.resolve(path.dirname(root), file))
          .filter((candidate) => isBelow(candidate, roots)),
      ];
  for (const candidate of candidates) {
    const real = await realpath(candidate).catch(() => undefined);
    if (real !== undefined) return { path: candidate, real };
  }
  return undefined;
}

function isBelow(file: string, roots: readonly string[]): boolean {
  const shape = shapePath(file, process.platform);
  return roots.some(
    (root) => segmentsBelow(shape, shapePath(root, process.platform)) !== undefined,
  );
}

async function isInWorkspace(real: string, roots: readonly string[]): Promise<boolean> {
  return isBelow(real, await Promise.all(roots.map((root) => realpath(root).catch(() => root))));
}

async function confirmOutside(file: string): Promise<boolean> {
  const open = l10n.t('Open');
  const answer = await window.showWarningMessage(
    l10n.t('This file lies outside the workspace. Open it?'),
    { modal: true, detail: file },
    open,
  );
  return answer === open;
}
