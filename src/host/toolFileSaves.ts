import * as l10n from '@vscode/l10n';
import path from 'node:path';
import {
  ConfigurationTarget,
  type TextDocument,
  TextDocumentSaveReason,
  window,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import type { Logger } from '../base/logger';
import { ownEdits } from '../editor/ownEdits';
import type { ToolFolder } from '../workspaceTools/toolFile';
import { currentSetting } from './hostFields';
import { PersonSaves } from './personSaves';
import { settings } from './settings';

export interface ToolFileSavesPorts {
  readonly log: Logger;
  readonly folders: () => readonly ToolFolder[];
  /** One of the documents was changed. */
  readonly changed: (file: string) => void;
  /** One is about to be written. */
  readonly willSave: (file: string) => void;
  /** @param text of it where it is the person's own, and such a change counts as approved */
  readonly saved: (file: string, text: string | undefined) => void;
}

export interface ToolFileSaves extends Disposable {
  /** The person approved the files of this folder as they are on the disk. */
  approved(folder: string): void;
}

/** Follows the documents of tool files: who changes them, and who saves them. */
export function watchToolFileSaves(ports: ToolFileSavesPorts): ToolFileSaves {
  const store = new DisposableStore();
  const saves = new PersonSaves();
  const question = new TrustQuestion(ports);
  for (const document of workspace.textDocuments) opened(saves, document);
  const listeners: Disposable[] = [
    workspace.onDidOpenTextDocument((document) => opened(saves, document)),
    workspace.onDidCloseTextDocument((document) => saves.closed(keyOf(document))),
    workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
      if (!isOfTools(document)) return;
      if (contentChanges.length > 0) ports.changed(document.uri.fsPath);
      saves.changed(keyOf(document), {
        isOwn: ownEdits.isOwnChange({ document, contentChanges }),
        isDirty: document.isDirty,
        hasText: contentChanges.length > 0,
        isReplay: reason !== undefined,
        isShown: window.visibleTextEditors.some((editor) => editor.document === document),
      });
    }),
    workspace.onWillSaveTextDocument(({ document, reason }) => {
      const isManual = reason === TextDocumentSaveReason.Manual && !ownEdits.isOwn(document.uri);
      saves.willSave(keyOf(document), isManual);
      // Before it is written: a watcher may tell of the change before the editor tells of the save.
      if (!isOfTools(document)) return;
      question.willSave(document.uri.fsPath);
      ports.willSave(document.uri.fsPath);
    }),
    workspace.onDidSaveTextDocument((document) => {
      if (!isOfTools(document)) return;
      const { fsPath } = document.uri;
      const isOwnWork = saves.saved(keyOf(document)) && !ownEdits.isOwn(document.uri);
      const counts = isOwnWork && currentSetting(settings.toolFilesTrustMyEdits, ports.log);
      if (isOwnWork && !counts) question.mayAsk(fsPath);
      ports.saved(fsPath, counts ? document.getText() : undefined);
    }),
  ];
  for (const listener of listeners) store.add(listener);
  return {
    approved: (folder) => {
      const inFolder = `${folder}${path.sep}`;
      for (const document of workspace.textDocuments) {
        if (document.uri.fsPath.startsWith(inFolder)) saves.approved(keyOf(document));
      }
    },
    dispose: () => store.dispose(),
  };
}

/** Asked once, when it first matters: at a person's own save of a file that they had approved. */
class TrustQuestion {
  readonly #ports: ToolFileSavesPorts;
  /** As they were before they were saved. */
  readonly #approved = new Set<string>();
  #isAsked = false;

  constructor(ports: ToolFileSavesPorts) {
    this.#ports = ports;
  }

  willSave(file: string): void {
    const isApproved = this.#ports
      .folders()
      .some(({ files }) => files.some((one) => one.path === file && one.state.kind === 'ready'));
    if (isApproved) this.#approved.add(file);
    else this.#approved.delete(file);
  }

  mayAsk(file: string): void {
    if (!this.#approved.has(file) || this.#isAsked || isDecided()) return;
    this.#isAsked = true;
    this.#ask(file).catch((error: unknown) => {
      this.#ports.log.error('The answer about own edits of tool files could not be kept', error);
    });
  }

  async #ask(file: string): Promise<void> {
    const count = l10n.t('Count my saves');
    const ask = l10n.t('Ask each time');
    const answer = await window.showInformationMessage(
      l10n.t(
        'You changed {0}, a tool file that you had approved. Count what you save yourself as approved from now on? What the agent, git or another program changes still asks.',
        path.basename(file),
      ),
      count,
      ask,
    );
    if (answer === undefined) return;
    const { key } = settings.toolFilesTrustMyEdits;
    await workspace.getConfiguration().update(key, answer === count, ConfigurationTarget.Global);
  }
}

function isDecided(): boolean {
  const found = workspace.getConfiguration().inspect(settings.toolFilesTrustMyEdits.key);
  return found?.globalValue !== undefined;
}

function opened(saves: PersonSaves, document: TextDocument): void {
  if (isOfTools(document)) saves.opened(keyOf(document), document.isDirty);
}

/** Below a `.patchbay`; whether that is one of a workspace folder the room knows. */
function isOfTools({ uri }: TextDocument): boolean {
  return uri.scheme === 'file' && uri.path.includes('/.patchbay/');
}

function keyOf({ uri }: TextDocument): string {
  return uri.toString();
}
