import { type Disposable, EventEmitter, Uri, ViewColumn, window, workspace } from 'vscode';
import { DisposableStore } from '../base/disposable';
import { tabUris } from '../editor/openTabs';

const SCHEME = 'patchbay-tool';

/** Texts about tools that can only be read: what the model sees of one, and what a call gave. */
export class ToolTexts implements Disposable {
  readonly #texts = new Map<string, () => string>();
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<Uri>());

  constructor() {
    this.#store.add(
      workspace.registerTextDocumentContentProvider(SCHEME, {
        onDidChange: this.#changed.event,
        provideTextDocumentContent: (uri) => this.#texts.get(uri.toString())?.() ?? '',
      }),
    );
    this.#store.add(
      window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const uri of closed.flatMap(tabUris)) this.#texts.delete(uri.toString());
      }),
    );
  }

  /** @param text asked for anew with each {@link refresh} */
  async show(name: string, text: () => string, where = ViewColumn.Active): Promise<void> {
    const uri = Uri.from({ scheme: SCHEME, path: `/${name}` });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    const options = {
      preview: true,
      viewColumn: where,
      preserveFocus: where !== ViewColumn.Active,
    };
    await window.showTextDocument(uri, options);
  }

  /** The tools are others now. */
  refresh(): void {
    for (const key of this.#texts.keys()) this.#changed.fire(Uri.parse(key));
  }

  dispose(): void {
    this.#store.dispose();
  }
}
