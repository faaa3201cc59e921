import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { oneLine } from '../chat/boundedText';
import { visibleText } from '../chat/visibleText';
import type { ToolFile, ToolFileFault, ToolFolder } from '../workspaceTools/toolFile';
import { codeInMarkdown, plainInMarkdown } from './markdownText';
import type { RowTone, ToolsRow } from './toolRows';

/** What a workspace's tool files do not offer, and why. What they offer stands there as tools. */
export function fileRows(folder: ToolFolder): readonly ToolsRow[] {
  const { hold } = folder;
  if (hold !== undefined) {
    return folder.files.length === 0 && hold === 'switchedOff' ? [] : [holdRow(folder, hold)];
  }
  const rows = folder.files.flatMap((file) =>
    file.state.kind === 'ready'
      ? file.faults.map((fault) => faultRow(fault, file.relativePath, folder))
      : [fileRow(file, folder)],
  );
  const others = folder.faults.map((fault) =>
    faultRow(fault, path.relative(folder.path, fault.path), folder),
  );
  return [...rows, ...others];
}

function holdRow(folder: ToolFolder, hold: 'untrusted' | 'switchedOff'): ToolsRow {
  const text =
    hold === 'untrusted'
      ? l10n.t('Not used: this workspace is not trusted')
      : l10n.t('Not used: switched off by {0}', 'patchbay.toolFiles.enabled');
  return {
    id: `hold ${folder.server}`,
    label: text,
    description: '',
    tooltip: plainInMarkdown(text),
    icon: hold === 'untrusted' ? 'workspace-untrusted' : 'circle-slash',
    tone: undefined,
    said: text,
    actions: [],
    target: { kind: 'note' },
    children: [],
  };
}

interface Words {
  readonly state: string;
  readonly icon: string;
  readonly tone: RowTone;
}

function fileRow(file: ToolFile, folder: ToolFolder): ToolsRow {
  const [first] = file.faults;
  const { state, icon, tone } = wordsOf(file);
  const reason = first === undefined ? '' : oneLine(visibleText(first.message), 300);
  const name = path.posix.basename(file.relativePath);
  const description = reason === '' ? state : `${state}: ${reason}`;
  const isOpen = file.state.kind === 'needsApproval' || file.state.kind === 'refused';
  return {
    id: `file ${file.path}`,
    label: name,
    description,
    tooltip: [
      codeInMarkdown(file.relativePath),
      plainInMarkdown(state),
      ...file.faults.map((fault) => plainInMarkdown(placed(fault))),
    ].join('\n\n'),
    icon,
    tone,
    said: `${name}, ${description}`,
    actions: isOpen ? ['approve', 'openFile'] : ['openFile'],
    target: {
      kind: 'file',
      path: first?.path ?? file.path,
      line: first?.line,
      column: first?.column,
      folder: folder.path,
    },
    children: [],
  };
}

function wordsOf({ state }: ToolFile): Words {
  switch (state.kind) {
    case 'loading':
      return { state: l10n.t('loading'), icon: 'sync', tone: undefined };
    case 'ready':
      return { state: l10n.t('ready'), icon: 'file-code', tone: undefined };
    case 'needsApproval':
      return { state: l10n.t('needs your approval'), icon: 'question', tone: 'warning' };
    case 'refused':
      return { state: l10n.t('refused by you'), icon: 'circle-slash', tone: undefined };
    case 'failed':
      return { state: l10n.t('failed'), icon: 'error', tone: 'error' };
  }
}

/** A part of a file that is left out, while the rest of it is there. */
function faultRow(fault: ToolFileFault, relativePath: string, folder: ToolFolder): ToolsRow {
  const name = path.basename(relativePath);
  const message = oneLine(visibleText(fault.message), 300);
  return {
    id: `fault ${fault.path} ${fault.line ?? 0} ${fault.message}`,
    label: name,
    description: message,
    tooltip: `${codeInMarkdown(relativePath)}\n\n${plainInMarkdown(placed(fault))}`,
    icon: 'warning',
    tone: 'warning',
    said: `${name}, ${message}`,
    actions: ['openFile'],
    target: {
      kind: 'file',
      path: fault.path,
      line: fault.line,
      column: fault.column,
      folder: folder.path,
    },
    children: [],
  };
}

function placed({ message, line }: ToolFileFault): string {
  const text = visibleText(message);
  return line === undefined ? text : l10n.t('Line {0}: {1}', line, text);
}
