import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { type Uri, window } from 'vscode';
import type { Disposable } from '../base/disposable';
import { fuzzyScore, pathScore } from '../chat/fuzzyMatch';
import { mentionText } from '../chat/mentions';
import { CHANGES_MENTION, TERMINAL_MENTION } from '../chat/namedMentions';
import type { SuggestPart, SuggestSource } from '../conversation/conversationPorts';
import type { EditorContext } from '../editor/editorContext';
import { countSeverities } from '../editor/problem';
import type { ReadGuard } from '../editor/readGuard';
import { ConversationMentions, type PastPorts } from './conversationMentions';
import { CopiedCode } from './copiedCode';
import { FileMentions } from './fileMentions';
import { countChanges } from './gitChanges';
import { mentionPath } from './mentionPath';
import { problemsOf } from './problemMentions';
import { countWords } from './suggestionTexts';
import { symbolRows } from './symbolMentions';

type Row = SuggestPart['rows'][number];

export interface MentionDeps {
  readonly editor: EditorContext;
  /** The environment that git gets. */
  readonly env: () => Readonly<Record<string, string>>;
  /** Undefined where the conversations could not be loaded. */
  readonly guard: ReadGuard | undefined;
  readonly past: PastPorts;
}

/** What the editor and the disk offer behind an `@`. */
export class MentionSources implements Disposable {
  readonly #deps: MentionDeps;
  readonly #files: FileMentions;
  readonly #past: ConversationMentions;
  readonly copied: CopiedCode;

  constructor(deps: MentionDeps) {
    this.#deps = deps;
    this.#files = new FileMentions(deps.editor, deps.env, deps.guard);
    this.#past = new ConversationMentions(deps.past);
    this.copied = new CopiedCode(deps.guard);
  }

  /**
   * @param folder in which the agent works: paths are relative to it
   * @param session of the conversation that asks, where it has one
   */
  sources(
    text: string,
    folder: string | undefined,
    session: string | undefined,
  ): readonly SuggestSource[] {
    const { guard } = this.#deps;
    return [
      {
        name: l10n.t('The editor'),
        rows: () => Promise.resolve({ rows: this.#editorRows(text, folder) }),
      },
      { name: l10n.t('Files'), rows: (signal) => this.#files.rows(text, folder, signal) },
      { name: l10n.t('Symbols'), rows: (signal) => symbolRows(text, folder, guard, signal) },
      ...(folder === undefined
        ? []
        : [
            {
              name: l10n.t('Conversations'),
              rows: () => this.#past.rows(text, folder, session),
            },
          ]),
    ];
  }

  dispose(): void {
    this.#files.dispose();
    this.copied.dispose();
  }

  #editorRows(text: string, folder: string | undefined): readonly Row[] {
    const { editor } = this.#deps;
    const active = editor.activeEditor()?.document.uri;
    const file = active?.scheme === 'file' ? active : undefined;
    return [
      ...selectionRows(editor, text, folder),
      ...problemRows(text, undefined, folder),
      ...problemRows(text, file, folder),
      ...changesRows(text, folder),
      ...terminalRows(text),
    ];
  }
}

function selectionRows(
  editor: EditorContext,
  text: string,
  folder: string | undefined,
): readonly Row[] {
  const selection = editor.activeSelection();
  if (selection === undefined || selection.text === '' || selection.uri.scheme !== 'file') {
    return [];
  }
  const { from, to } = selection;
  const where = `${mentionPath(selection.uri.fsPath, folder)}:${from === to ? from : `${from}-${to}`}`;
  const fits = fuzzyScore(text, l10n.t('Selection')) ?? pathScore(text, where);
  if (fits === undefined) return [];
  return [
    {
      id: 'selection',
      icon: 'list-selection',
      label: l10n.t('Selection'),
      detail: where,
      insert: `${mentionText(where)} `,
      score: fits + 500,
    },
  ];
}

/** Of all files, or of the one that the person looks at. */
function problemRows(
  text: string,
  uri: Uri | undefined,
  folder: string | undefined,
): readonly Row[] {
  const listed = problemsOf(uri);
  const counts = countSeverities(listed.flatMap(({ problems }) => problems));
  if (counts.error + counts.warning === 0) return [];
  const file = uri && mentionPath(uri.fsPath, folder);
  const label =
    uri === undefined ? l10n.t('Problems') : l10n.t('Problems in {0}', path.basename(uri.fsPath));
  const fits = fuzzyScore(text, label) ?? fuzzyScore(text, 'problems');
  if (fits === undefined) return [];
  return [
    {
      id: uri === undefined ? 'problems' : `problems ${uri.toString()}`,
      icon: 'warning',
      label,
      detail: countWords(counts.error, counts.warning),
      insert: `${mentionText(file === undefined ? 'problems' : `problems:${file}`)} `,
      score: fits + (uri === undefined ? 400 : 390),
    },
  ];
}

/** Behind a bare sign they stand after what is open. */
const AT_HAND = 60;

/** What differs from the last commit, where something does. */
function changesRows(text: string, folder: string | undefined): readonly Row[] {
  const count = folder === undefined ? undefined : countChanges(folder);
  if (count === undefined || count === 0) return [];
  const label = l10n.t('Git changes');
  const fits = fuzzyScore(text, label) ?? fuzzyScore(text, CHANGES_MENTION);
  if (fits === undefined) return [];
  return [
    {
      id: 'changes',
      icon: 'source-control',
      label,
      detail: count === 1 ? l10n.t('1 file') : l10n.t('{0} files', count),
      insert: `${mentionText(CHANGES_MENTION)} `,
      score: fits + AT_HAND,
    },
  ];
}

/** Whether something is selected there is not told before it is asked for. */
function terminalRows(text: string): readonly Row[] {
  const terminal = window.activeTerminal;
  if (terminal === undefined) return [];
  const label = l10n.t('Terminal selection');
  const fits = fuzzyScore(text, label) ?? fuzzyScore(text, TERMINAL_MENTION);
  if (fits === undefined) return [];
  return [
    {
      id: 'terminal',
      icon: 'terminal',
      label,
      detail: terminal.name,
      insert: `${mentionText(TERMINAL_MENTION)} `,
      score: fits + AT_HAND - 1,
    },
  ];
}
