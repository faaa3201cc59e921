import * as l10n from '@vscode/l10n';
import { oneLine } from '../chat/boundedText';
import { visibleText } from '../chat/visibleText';
import { codeInMarkdown, plainInMarkdown } from './markdownText';
import type { FolderSets } from './toolSetFiles';
import type { ToolsRow } from './toolRows';

/** What is wrong with the sets of tools: each bad entry, and a used set that its file lacks. */
export function setRows(
  folders: readonly FolderSets[],
  lost: string | undefined,
): readonly ToolsRow[] {
  const faults = folders.flatMap(({ folder, file, faults: found }) =>
    found.map((fault) => noteRow(oneLine(visibleText(fault), 300), file, folder)),
  );
  if (lost === undefined) return faults;
  const text = l10n.t(
    'The tool set {0} is not in its file: it goes on as you chose it',
    oneLine(visibleText(lost), 100),
  );
  return [...faults, noteRow(text)];
}

function noteRow(text: string, file?: string, folder = ''): ToolsRow {
  const label = file === undefined ? l10n.t('Tool set') : 'toolsets.json';
  return {
    id: `set ${file ?? ''} ${text}`,
    label,
    description: text,
    tooltip: [codeInMarkdown(file ?? ''), plainInMarkdown(text)]
      .filter((part) => part !== '')
      .join('\n\n'),
    icon: 'warning',
    tone: 'warning',
    said: `${label}, ${text}`,
    actions: file === undefined ? [] : ['openFile'],
    target: file === undefined ? { kind: 'note' } : { kind: 'file', path: file, folder },
    children: [],
  };
}
