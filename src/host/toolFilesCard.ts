import path from 'node:path';
import { diffTexts } from '../chat/fileDiff';
import { formatBytes } from '../chat/toolResult';
import type { ApprovalFile, FileDiff, ToolFilesApprovalCard } from '../chat/viewStateProtocol';
import { visibleDiff } from '../chat/visibleDiff';
import { visibleText } from '../chat/visibleText';
import type { FileChange, ToolFilesQuestion } from '../workspaceTools/toolFile';

/** Files that a card names; the rest is counted. */
const FILES = 20;
/** Lines of difference that a card draws, of all files together. */
const LINES = 240;
/** Characters of the texts of one file above which it is not compared for a card. */
const LONGEST = 200_000;

/** What the panel shows of a question about tool files. */
export function toolFilesCard(question: ToolFilesQuestion): ToolFilesApprovalCard {
  const { id, folder, changes, packages, isFirst } = question;
  let room = LINES;
  const files = changes.slice(0, FILES).map((change): ApprovalFile => {
    const diff = drawnDiff(change, room);
    room -= diff === undefined ? 0 : linesOf(diff);
    return {
      path: visibleText(change.relativePath),
      change: change.kind,
      ...(change.kind === 'removed' ? {} : { size: formatBytes(change.bytes) }),
      ...(diff === undefined ? {} : { diff }),
      ...(change.hasLooped === true ? { hasLooped: true } : {}),
    };
  });
  const more = changes.length - files.length;
  return {
    kind: 'toolFiles',
    id,
    folder: visibleText(path.basename(folder)),
    isFirst,
    files,
    ...(more > 0 ? { moreFiles: more } : {}),
    packages: packages.map(visibleText),
  };
}

/** Whole or not at all: half a change would be approved for its harmless half. */
function drawnDiff(change: FileChange, room: number): FileDiff | undefined {
  const { before = '', after = '' } = change;
  if (isOpaque(change) || before.length + after.length > LONGEST) return undefined;
  const diff = visibleDiff(diffTexts(change.relativePath, before, after));
  const isWhole = diff.omittedLines === undefined && diff.hasCutLines !== true;
  return isWhole && linesOf(diff) <= room && linesOf(diff) > 0 ? diff : undefined;
}

/** Whether one side is there and is no text, so that there is nothing to compare. */
export function isOpaque({ kind, before, after }: FileChange): boolean {
  return (kind !== 'added' && before === undefined) || (kind !== 'removed' && after === undefined);
}

function linesOf({ hunks }: FileDiff): number {
  return hunks.reduce((sum, { lines }) => sum + lines.length, 0);
}
