import * as l10n from '@vscode/l10n';
import { object } from 'zod/mini';
import * as vscode from 'vscode';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import { selectedLines, type EditorContext } from './editorContext';
import { formatOpenEditors, type EditorGroup, type OpenEditor } from './formatOpenEditors';
import { tellNamed } from './namedFiles';
import { shownDocuments, tabUris } from './openTabs';
import { type DeniedBy, leftByRules, lookAtRules, type ReadGuard } from './readGuard';
import { count, oneLine } from './resultBudget';
import { holderOf, shownPath } from './servedFiles';

export function createOpenEditorsTool(deps: {
  readonly context: EditorContext;
  readonly readGuard?: ReadGuard;
}): ToolDefinition {
  return defineTool({
    name: 'open_editors',
    title: l10n.t('Open editors'),
    description:
      'What the person has open: tabs by editor group, which one is active, which are visible or unsaved, and the selected lines.',
    input: object({}),
    annotations: { readOnlyHint: true },
    alwaysLoad: true,
    run: async (_input, ctx) => {
      const unsaved = hiddenDirty();
      const open = [...shownDocuments().values()];
      const denied = await lookAtRules(deps.readGuard, [...open, ...unsaved]);
      const isGiven = (uri: vscode.Uri): boolean => denied(uri) === undefined;
      const hidden = unsaved.filter(isGiven).map((uri) => shownPath(uri));
      const shown = open.filter(isGiven).map((uri) => shownPath(uri));
      const left = open.length - shown.length + unsaved.length - hidden.length;
      const text = formatOpenEditors(editorGroups(deps.context, denied), hidden);
      return tellNamed([text, ...leftByRules(left)].join('\n'), [...shown, ...hidden], ctx);
    },
  });
}

function editorGroups(context: EditorContext, denied: DeniedBy): readonly EditorGroup[] {
  const active = context.activeEditor();
  return vscode.window.tabGroups.all.map((group) =>
    group.tabs
      .filter((tab) => tabUris(tab).every((uri) => denied(uri) === undefined))
      .map((tab) => describeTab(tab, active)),
  );
}

function describeTab(tab: vscode.Tab, active: vscode.TextEditor | undefined): OpenEditor {
  const uris = tabUris(tab);
  const [uri] = uris;
  const base = { dirty: tab.isDirty, visible: tab.isActive };
  if (uri === undefined) {
    return {
      ...base,
      ...otherTab(tab),
      active: tab.isActive && tab.group.isActive,
    };
  }
  const key = uri.toString();
  const isActive = active !== undefined && showsEditor(tab, active);
  const editor =
    isActive && active.document.uri.toString() === key
      ? active
      : vscode.window.visibleTextEditors.find(
          (other) =>
            other.document.uri.toString() === key && other.viewColumn === tab.group.viewColumn,
        );
  const selection = tab.isActive ? editor?.selection : undefined;
  return {
    ...base,
    name: shownPath(uri),
    kind: textKind(tab, uris.length),
    active: isActive || (active === undefined && tab.isActive && tab.group.isActive),
    ...(selection ? { cursor: selection.active.line + 1 } : {}),
    ...(selection && !selection.isEmpty ? { selection: selectedLines(selection) } : {}),
  };
}

/** The same file may be shown in several groups; of a diff both sides count, of a notebook its cells. */
function showsEditor(tab: vscode.Tab, { document, viewColumn }: vscode.TextEditor): boolean {
  if (!tab.isActive) return false;
  const key = holderOf(document.uri).toString();
  if (!tabUris(tab).some((uri) => uri.toString() === key)) return false;
  // An editor within another one, as that of a cell is, has no column.
  return viewColumn === undefined ? tab.group.isActive : viewColumn === tab.group.viewColumn;
}

function textKind({ input }: vscode.Tab, documents: number): string | undefined {
  if (input instanceof vscode.TabInputTextDiff) return 'diff';
  if (input instanceof vscode.TabInputNotebookDiff) return 'diff of notebooks';
  if (input instanceof vscode.TabInputNotebook) return 'notebook';
  if (input instanceof vscode.TabInputCustom) return 'custom editor';
  return documents > 1 ? `with ${count(documents - 1, 'more document')}` : undefined;
}

/** The label of a tab into which nobody can look may name a file that is kept back. */
function otherTab({ input, label }: vscode.Tab): Pick<OpenEditor, 'name' | 'kind'> {
  if (input instanceof vscode.TabInputTerminal) return { name: oneLine(label), kind: 'terminal' };
  if (input instanceof vscode.TabInputWebview) {
    return { name: input.viewType.replace(/^mainThreadWebview-/u, ''), kind: 'webview' };
  }
  return { name: '(no text)', kind: 'other' };
}

/** Documents with unsaved changes that no tab shows: edited in the background. */
function hiddenDirty(): readonly vscode.Uri[] {
  const shown = new Set(
    vscode.window.tabGroups.all.flatMap(({ tabs }) =>
      tabs.flatMap((tab) => tabUris(tab).map((uri) => uri.toString())),
    ),
  );
  return vscode.workspace.textDocuments
    .filter((document) => document.isDirty && !shown.has(document.uri.toString()))
    .map(({ uri }) => uri);
}
