import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { commands, type Disposable, EventEmitter, Uri, workspace } from 'vscode';
import { UserFacingError } from '../base/errors';
import type { Conversation } from '../conversation/conversationPorts';

const SCHEME = 'patchbay-proposed';

/** Shows a proposed edit in VS Code's diff editor: two read-only texts, nothing on the disk. */
export class ProposedDiffs implements Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new EventEmitter<Uri>();
  readonly #registration: Disposable;

  constructor() {
    this.#registration = workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? '',
    });
  }

  /** @throws UserFacingError when the card is gone or its edit cannot be shown as texts */
  async show(conversation: Conversation, cardId: string): Promise<void> {
    const edit = await conversation.proposedEdit(cardId);
    if (edit === undefined) {
      throw new UserFacingError(l10n.t('There is no difference to show for this request.'));
    }
    const before = this.#uri(edit.path, cardId, 'before', edit.before);
    const after = this.#uri(edit.path, cardId, 'after', edit.after);
    const title = l10n.t('{0} (proposed)', path.basename(edit.path));
    await commands.executeCommand('vscode.diff', before, after, title, { preview: true });
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
    this.#texts.clear();
  }

  // The file's own name at the end, so that the language and the icon are right.
  #uri(file: string, cardId: string, side: 'before' | 'after', text: string): Uri {
    const name = Uri.file(file).path;
    const uri = Uri.from({ scheme: SCHEME, path: name, query: `${side}:${cardId}` });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    return uri;
  }
}
