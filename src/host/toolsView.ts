import {
  EventEmitter,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  type TreeView,
  window,
} from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import type { Event } from '../base/event';
import type { Logger } from '../base/logger';
import { commands } from './commands';
import type { RowTone, ToolsRow } from './toolRows';
import { views } from './views';

/** What the view shows. It is loaded when the view is first seen. */
export interface ToolsSource {
  rows(): Promise<readonly ToolsRow[]>;
  /** A line above the rows; undefined for none. */
  readonly message: string | undefined;
  /** Behind the view's name: the set of tools that is used. */
  readonly usedSet: string | undefined;
  /** Fires when {@link rows} may give something else, once for all changes of a moment. */
  readonly onDidChange: Event<void>;
}

/** The tree of all servers and their tools. Stands from activation on, and loads nothing unseen. */
export class ToolsView implements TreeDataProvider<ToolsRow>, Disposable {
  readonly #load: () => Promise<ToolsSource>;
  readonly #log: Logger;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<undefined>());
  readonly #view: TreeView<ToolsRow>;
  #source: ToolsSource | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(load: () => Promise<ToolsSource>, log: Logger) {
    this.#load = load;
    this.#log = log;
    const options = { treeDataProvider: this, showCollapseAll: true };
    this.#view = this.#store.add(window.createTreeView(views.tools.id, options));
  }

  async getChildren(row?: ToolsRow): Promise<ToolsRow[]> {
    if (row) return [...row.children];
    try {
      const source = this.#source ?? (await this.#follow());
      const rows = await source.rows();
      this.#view.message = source.message;
      this.#view.description = source.usedSet;
      return [...rows];
    } catch (error) {
      // An empty view says what to do.
      this.#log.error('The tools could not be listed', error);
      return [];
    }
  }

  getTreeItem(row: ToolsRow): TreeItem {
    const { None, Collapsed } = TreeItemCollapsibleState;
    const item = new TreeItem(row.label, row.children.length > 0 ? Collapsed : None);
    item.id = row.id;
    item.description = row.description;
    item.tooltip = new MarkdownString(row.tooltip);
    item.iconPath = new ThemeIcon(row.icon, colorOf(row.tone));
    item.accessibilityInformation = { label: row.said };
    // Words, so that a menu asks for one of them.
    item.contextValue = [row.target.kind, ...row.actions].join(' ');
    const opens = row.target.kind === 'file' ? commands.openToolFile : commands.showToolToModel;
    if (row.actions.includes('openFile') || row.actions.includes('showModel')) {
      item.command = { command: opens.id, title: '', arguments: [row] };
    }
    return item;
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #follow(): Promise<ToolsSource> {
    const source = await this.#load();
    if (this.#source === undefined) {
      this.#source = source;
      this.#store.add(source.onDidChange(() => this.#changed.fire(undefined)));
    }
    return source;
  }
}

function colorOf(tone: RowTone): ThemeColor | undefined {
  switch (tone) {
    case 'error':
      return new ThemeColor('list.errorForeground');
    case 'warning':
      return new ThemeColor('list.warningForeground');
    case undefined:
      return undefined;
  }
}
