import path from 'node:path';
import { type Uri, window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { Logger } from '../base/logger';
import type { SelectionOffer, SentSelection } from '../chat/selectionProtocol';
import type { EditorContext } from '../editor/editorContext';
import { lookAtRules, type ReadGuard } from '../editor/readGuard';
import { holderOf } from '../editor/servedFiles';
import { Later } from './later';
import { mentionPath } from './mentionPath';
import { pumpClock } from './pumpClock';

/** How long the selection is left alone before it is offered, in milliseconds. */
const DELAY_MS = 60;
/** A longer one is named only; the agent reads it by itself. */
const MAX_CHARACTERS = 100_000;
/** Of these something is offered: files, unsaved documents, older states in git, cells of notebooks. */
const SCHEMES = new Set(['file', 'untitled', 'git', 'vscode-notebook-cell']);

interface Selected {
  readonly id: string;
  readonly uri: Uri;
  /** Of the text and its place. */
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface SelectionDeps {
  readonly editor: EditorContext;
  readonly guard: ReadGuard;
  readonly log: Logger;
  /** `patchbay.chat.attachSelection`. */
  readonly isOn: () => boolean;
}

/**
 * What is selected in the editor, offered to go with the next message. Never of what a rule, a
 * setting or a secret keeps back, nor of what lies outside the workspace; and no longer than its
 * document is open.
 */
export class SelectionOffers implements Disposable {
  readonly #deps: SelectionDeps;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #soon = this.#store.add(new Later(pumpClock, DELAY_MS, () => void this.#look()));
  #now: Selected | undefined;
  /** A view may send what it was shown a moment ago. */
  #before: Selected | undefined;
  #count = 0;
  /** The looks that have begun: only the last one counts. */
  #looks = 0;

  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(deps: SelectionDeps) {
    this.#deps = deps;
    const soon = (): void => {
      this.#soon.start();
    };
    const listeners: Disposable[] = [
      window.onDidChangeTextEditorSelection(soon),
      window.onDidChangeActiveTextEditor(soon),
      window.onDidChangeVisibleTextEditors(soon),
      workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.toString() === this.#now?.uri.toString()) soon();
      }),
      workspace.onDidSaveTextDocument(soon),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('patchbay')) soon();
      }),
      workspace.onDidCloseTextDocument(({ uri }) => {
        this.#forget(uri);
        soon();
      }),
    ];
    for (const listener of listeners) this.#store.add(listener);
    soon();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** As the panel shows it, for an agent that works in `folder`. */
  offer(folder: string | undefined): SelectionOffer | undefined {
    const selected = this.#now;
    if (selected === undefined) return undefined;
    const { id, from, to, text } = selected;
    const shown = shownPath(selected.uri, folder);
    const lines = from === to ? `${from}` : `${from}-${to}`;
    return {
      id,
      label: `${path.posix.basename(shown)}:${lines}`,
      place: `${shown}:${lines}`,
      isOn: this.#deps.isOn(),
      isLong: text.length > MAX_CHARACTERS,
    };
  }

  /** What goes with a message; undefined where it is not offered any more. */
  take(id: string, folder: string | undefined): SentSelection | undefined {
    const selected = [this.#now, this.#before].find((one) => one?.id === id);
    if (selected === undefined || !this.#deps.isOn()) return undefined;
    const { uri, from, to, text } = selected;
    const file = fileOf(uri);
    return {
      ...(file === undefined ? {} : { file }),
      ...{ path: shownPath(uri, folder), from, to },
      ...(text.length > MAX_CHARACTERS ? {} : { text }),
    };
  }

  async #look(): Promise<void> {
    const look = (this.#looks += 1);
    const selection = this.#deps.editor.activeSelection();
    if (selection === undefined || selection.text === '' || !SCHEMES.has(selection.uri.scheme)) {
      this.#set(undefined);
      return;
    }
    const { uri, from, to, text } = selection;
    const key = JSON.stringify([uri.toString(), from, to, text]);
    let isKept = true;
    try {
      isKept = (await lookAtRules(this.#deps.guard, [uri]))(uri) !== undefined;
    } catch (error) {
      this.#deps.log.warn(`The selection is not offered: ${String(error)}`);
    }
    if (look !== this.#looks) return;
    if (isKept) this.#set(undefined);
    else if (key !== this.#now?.key) {
      this.#set({ id: `s${(this.#count += 1)}`, uri, key, from, to, text });
    } else this.#changed.fire();
  }

  #set(selected: Selected | undefined): void {
    // What must not be given any more is not given out of what was shown before either.
    this.#before = selected === undefined ? undefined : this.#now;
    this.#now = selected;
    this.#changed.fire();
  }

  #forget(uri: Uri): void {
    const closed = uri.toString();
    if (this.#before?.uri.toString() === closed) this.#before = undefined;
    if (this.#now?.uri.toString() === closed) this.#set(undefined);
  }
}

/** Of a cell the notebook's; undefined for what lies on no disk. */
function fileOf(uri: Uri): string | undefined {
  const holder = uri.scheme === 'git' ? uri.with({ scheme: 'file', query: '' }) : holderOf(uri);
  return holder.scheme === 'file' ? holder.fsPath : undefined;
}

function shownPath(uri: Uri, folder: string | undefined): string {
  const file = fileOf(uri);
  return file === undefined ? uri.path : mentionPath(file, folder).replaceAll('\\', '/');
}
