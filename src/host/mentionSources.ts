import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { type Uri, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import { fuzzyScore, pathScore, rank } from '../chat/fuzzyMatch';
import { mentionText } from '../chat/mentions';
import type { SuggestPart, SuggestSource } from '../conversation/conversationPorts';
import type { EditorContext } from '../editor/editorContext';
import { shownDocuments } from '../editor/openTabs';
import { countSeverities } from '../editor/problem';
import { isInWorkspace } from '../editor/servedFiles';
import { GitIgnored } from './gitIgnored';
import { mentionPath } from './mentionPath';
import { problemsOf } from './problemMentions';
import { countWords } from './suggestionTexts';
import { WorkspaceFiles } from './workspaceFiles';

type Row = SuggestPart['rows'][number];

/** Files that git is asked about for one list, and that one list has. */
const CANDIDATES = 120;
const FILES = 40;

/** What the editor offers behind an `@`: the selection, problems, and the files of the workspace. */
export class MentionSources implements Disposable {
  readonly #editor: EditorContext;
  readonly #store = new DisposableStore();
  readonly #files = this.#store.add(new WorkspaceFiles());
  readonly #git: GitIgnored;

  constructor(editor: EditorContext, env: () => Readonly<Record<string, string>>) {
    this.#editor = editor;
    this.#git = this.#store.add(
      new GitIgnored({
        mayRun: () => workspace.isTrusted && usesIgnoreFiles(),
        env,
        now: Date.now,
      }),
    );
    this.#store.add(
      workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.path.endsWith('/.gitignore')) this.#git.forget();
      }),
    );
  }

  /** @param folder in which the agent works: paths are relative to it */
  sources(text: string, folder: string | undefined): readonly SuggestSource[] {
    return [
      {
        name: l10n.t('The editor'),
        rows: () => Promise.resolve({ rows: this.#editorRows(text, folder) }),
      },
      { name: l10n.t('Files'), rows: (signal) => this.#fileRows(text, folder, signal) },
    ];
  }

  dispose(): void {
    this.#store.dispose();
  }

  #editorRows(text: string, folder: string | undefined): readonly Row[] {
    const active = this.#editor.activeEditor()?.document.uri;
    const selection = this.#editor.activeSelection();
    const rows: Row[] = [];
    if (selection !== undefined && selection.text !== '' && selection.uri.scheme === 'file') {
      const { from, to } = selection;
      const where = `${mentionPath(selection.uri.fsPath, folder)}:${from === to ? from : `${from}-${to}`}`;
      const fits = fuzzyScore(text, l10n.t('Selection')) ?? pathScore(text, where);
      if (fits !== undefined) {
        rows.push({
          id: 'selection',
          icon: 'list-selection',
          label: l10n.t('Selection'),
          detail: where,
          insert: `${mentionText(where)} `,
          score: fits + 500,
        });
      }
    }
    const file = active?.scheme === 'file' ? active : undefined;
    return [...rows, ...problemRows(text, undefined, folder), ...problemRows(text, file, folder)];
  }

  async #fileRows(
    text: string,
    folder: string | undefined,
    signal: AbortSignal,
  ): Promise<SuggestPart> {
    const found = await this.#files.matching(text);
    signal.throwIfAborted();
    const near = this.#editor.nearness();
    const open = [...shownDocuments().values()].filter(
      (uri) => uri.scheme === 'file' && isInWorkspace(uri),
    );
    // What is open counts, whatever hides it elsewhere.
    const all = new Map([...open, ...found].map((uri) => [uri.toString(), uri]));
    const ranked = rank([...all.values()], (uri) => {
      const score = pathScore(text, mentionPath(uri.fsPath, folder));
      return score === undefined ? undefined : score + nearScore(near(uri));
    }).slice(0, CANDIDATES);
    const kept = await this.#withoutIgnored(ranked.map(({ item }) => item));
    signal.throwIfAborted();
    const isOpen = new Set(open.map(String));
    return {
      rows: ranked
        .filter(({ item }) => isOpen.has(item.toString()) || kept.has(item.fsPath))
        .slice(0, FILES)
        .map(({ item, score }) => fileRow(item, score, folder)),
    };
  }

  async #withoutIgnored(uris: readonly Uri[]): Promise<ReadonlySet<string>> {
    const byFolder = new Map<string, string[]>();
    for (const uri of uris) {
      const root = workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? path.dirname(uri.fsPath);
      byFolder.set(root, [...(byFolder.get(root) ?? []), uri.fsPath]);
    }
    const kept = await Promise.all(
      [...byFolder].map(([root, files]) => this.#git.without(root, files)),
    );
    return new Set(kept.flat());
  }
}

function fileRow(uri: Uri, score: number, folder: string | undefined): Row {
  const whole = mentionPath(uri.fsPath, folder);
  const name = path.basename(uri.fsPath);
  const where = whole.slice(0, -name.length - 1);
  return {
    id: `file ${uri.toString()}`,
    icon: 'file',
    label: name,
    ...(where === '' ? {} : { detail: where }),
    insert: `${mentionText(whole)} `,
    score,
  };
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

/** 0 the active file, 1 seen, 2 in a tab, more by folders. */
function nearScore(nearness: number): number {
  return nearness <= 2 ? 90 - 10 * nearness : Math.max(0, 30 - 3 * nearness);
}

function usesIgnoreFiles(): boolean {
  return workspace.getConfiguration('search').get('useIgnoreFiles') !== false;
}
