import * as l10n from '@vscode/l10n';
import type { Platform } from './pathShape';
import { classifyPath, isOfToolFiles, isPlanFile, namedProtectedFolder } from './protectedPaths';

export interface EditTarget {
  /** Absolute, as the call names it. */
  readonly path: string;
  /** Absolute, links resolved. */
  readonly realPath: string;
  /** An editor holds changes of this file that are not saved; the file as the editor names it. */
  readonly dirtyAs?: string | undefined;
}

export interface EditQuestion {
  readonly toolName: string;
  readonly targets: readonly EditTarget[];
  /** Absolute, links resolved. */
  readonly workspaceRoots: readonly string[];
  /** Absolute, links resolved; the CLI's own plan files `*.md` in it pass. */
  readonly planFolder: string;
  readonly platform: Platform;
}

export interface EditVerdict {
  /** `none`: the guard has nothing to say and the usual rules decide. */
  readonly decision: 'none' | 'ask' | 'deny';
  /** With `ask` the person reads it, with `deny` the model; empty with `none`. */
  readonly reason: string;
  /** With `deny`: the files that hold unsaved changes, as the editor names them. */
  readonly dirtyPaths?: readonly string[];
  /** With `ask`: it writes tool files, so the person is asked in modes too that ask nobody. */
  readonly isOfToolFiles?: boolean;
}

/**
 * Judges a write before it happens, whatever the permission mode. A file with unsaved changes is
 * refused, since the write would go behind the editor's back; protected folders and what lies
 * outside the workspace ask.
 */
export function guardEdit(question: EditQuestion): EditVerdict {
  const dirty = question.targets.filter((target) => target.dirtyAs !== undefined);
  if (dirty.length > 0) {
    const named = dirty.map((target) => target.path);
    return {
      decision: 'deny',
      reason: unsavedReason(question.toolName, named),
      dirtyPaths: dirty.map((target) => target.dirtyAs ?? target.path),
    };
  }
  const { workspaceRoots, platform } = question;
  let first: string | undefined;
  for (const target of question.targets) {
    const reason = askReason(target, question);
    const isCode = [target.path, target.realPath].some((path) =>
      isOfToolFiles(path, workspaceRoots, platform),
    );
    if (isCode && reason !== undefined) return { decision: 'ask', reason, isOfToolFiles: true };
    first ??= reason;
  }
  return first === undefined
    ? { decision: 'none', reason: '' }
    : { decision: 'ask', reason: first };
}

function askReason(target: EditTarget, question: EditQuestion): string | undefined {
  const { workspaceRoots, platform } = question;
  const place = classifyPath({ realPath: target.realPath, workspaceRoots, platform });
  // The plan folder lies in `.claude`, which may lie in a workspace that is the home folder.
  const mayHoldPlans = place.kind !== 'protected' || place.folder === '.claude';
  if (mayHoldPlans && isPlanFile(target.realPath, question.planFolder, platform)) return undefined;
  const folder = place.folder ?? namedProtectedFolder(target.path, workspaceRoots, platform);
  if (folder !== undefined) return protectedReason(target, folder);
  if (place.kind !== 'outside') return undefined;
  return target.realPath === target.path
    ? l10n.t('{0} lies outside the workspace.', target.path)
    : l10n.t(
        '{0} leads to {1}, which may lie outside the workspace.',
        target.path,
        target.realPath,
      );
}

function protectedReason({ path, realPath }: EditTarget, name: string): string {
  const isFile = [path, realPath].some((one) => one.toLowerCase().endsWith(name));
  return isFile
    ? l10n.t('{0} is read by a program that then runs what stands in it.', path)
    : l10n.t(
        '{0} lies in {1}, where a change can run code or alter how the editor works.',
        path,
        name,
      );
}

/** The model reads this: what happened, that nothing was written, and what to do next. */
function unsavedReason(toolName: string, paths: readonly string[]): string {
  const one = paths.length === 1;
  const files = paths.join(', ');
  return (
    `${toolName} was not run and nothing was written: ${files} ${one ? 'has' : 'have'} unsaved changes in the editor, ` +
    `which a write to disk would conflict with. Ask the person to save or discard ${one ? 'them' : 'those changes'}; ` +
    `then read the ${one ? 'file' : 'files'} again and try again. The tool edit of the server editor, where there is one, changes the unsaved text itself.`
  );
}
