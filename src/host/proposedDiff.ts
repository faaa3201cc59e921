import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { commands, type Disposable, EventEmitter, Uri, window, workspace } from 'vscode';
import { UserFacingError } from '../base/errors';
import { tabUris } from '../editor/openTabs';
import type { Conversation } from '../conversation/conversationPorts';

const SCHEME = 'patchbay-proposed';

/** A file as it was, and as it is now. */
export interface FileTexts {
  /** Absolute. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Shows what a card asks for in editors: a proposed edit as a difference, a long request as a text.
 * All of it can only be read, and nothing is on the disk.
 */
export class ProposedDiffs implements Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new EventEmitter<Uri>();
  readonly #registration: Disposable;
  /** A text is kept for as long as it has a tab: one in the background may be asked for again. */
  readonly #closing = window.tabGroups.onDidChangeTabs(({ closed }) => {
    for (const uri of closed.flatMap(tabUris)) this.#texts.delete(uri.toString());
  });

  constructor() {
    this.#registration = workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? '',
    });
  }

  /** @throws UserFacingError when the card is gone or its edit cannot be shown as texts */
  async show(conversation: Conversation, cardId: string): Promise<void> {
    const edit = await conversation.requests.edit(cardId);
    if (edit === undefined) {
      throw new UserFacingError(l10n.t('There is no difference to show for this request.'));
    }
    // Of a notebook it is one cell, or text that an editor of notebooks may not take.
    const file = edit.path.endsWith('.ipynb') ? `${edit.path}.txt` : edit.path;
    const before = this.#uri(file, cardId, 'before', edit.before);
    const after = this.#uri(file, cardId, 'after', edit.after);
    const title = l10n.t('{0} (proposed)', path.basename(edit.path));
    await commands.executeCommand('vscode.diff', before, after, title, { preview: true });
  }

  /**
   * Shows all that a card asks for as a text that can only be read.
   * @throws UserFacingError when the card is gone
   */
  async showRequest(conversation: Conversation, cardId: string): Promise<void> {
    const text = conversation.requests.whole(cardId);
    if (text === undefined) {
      throw new UserFacingError(l10n.t('This request does not wait any more.'));
    }
    await this.showText(l10n.t('Whole request'), cardId, text);
  }

  /** @param key tells apart texts of one name */
  async showText(name: string, key: string, text: string): Promise<void> {
    await window.showTextDocument(this.#uri(name, key, 'whole', text), { preview: true });
  }

  /**
   * Two texts of a file side by side, in a tab that only shows them.
   * @param key tells apart what is shown of one file at different times
   */
  async showTexts(
    texts: FileTexts,
    key: string,
    options: { readonly title: string; readonly preview: boolean },
  ): Promise<void> {
    const [before, after] = this.sides(texts, key);
    await commands.executeCommand('vscode.diff', before, after, options.title, {
      preview: options.preview,
    });
  }

  /** Addresses of the two texts, for a view of many files. They are kept until a tab of them is closed. */
  sides({ file, before, after }: FileTexts, key: string): readonly [before: Uri, after: Uri] {
    return [this.#uri(file, key, 'before', before), this.#uri(file, key, 'after', after)];
  }

  dispose(): void {
    this.#registration.dispose();
    this.#closing.dispose();
    this.#changed.dispose();
    this.#texts.clear();
  }

  // The file's own name at the end, so that the language and the icon are right.
  #uri(file: string, cardId: string, side: 'before' | 'after' | 'whole', text: string): Uri {
    const name = Uri.file(file).path;
    const uri = Uri.from({ scheme: SCHEME, path: name, query: `${side}:${cardId}` });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    return uri;
  }
}
