import * as l10n from '@vscode/l10n';
import { type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import { UserFacingError } from '../base/errors';
import { oneLine } from '../chat/boundedText';
import { visibleText } from '../chat/visibleText';
import { wireName } from '../mcp/names';
import type { WireTool } from '../mcp/wire';
import { modelText } from './modelText';
import type { LastCalls } from './lastCalls';
import type { ServersMenuPorts } from './mcpServersMenu';
import { RunToolPanel } from './runToolPanel';
import { offText } from './toolRowWords';
import { toolsOf } from './toolsTree';
import { ToolTexts } from './toolTexts';
import { workspaceRoots } from './workingFolder';

/** A tool of a server in this process. */
export interface ToolPlace {
  readonly server: string;
  readonly tool: string;
}

export interface ToolRunsPorts {
  readonly menu: () => ServersMenuPorts | undefined;
  readonly calls: LastCalls;
}

/** Tools that the person runs, and what the model sees of them. Loaded with the first. */
export class ToolRuns implements Disposable {
  readonly #ports: ToolRunsPorts;
  readonly #store = new DisposableStore();
  readonly texts = this.#store.add(new ToolTexts());
  readonly #panels = new Map<string, RunToolPanel>();

  constructor(ports: ToolRunsPorts, { servers }: ServersMenuPorts) {
    this.#ports = ports;
    const refresh = (): void => this.texts.refresh();
    this.#store.add(servers.all.onDidChange(refresh));
    this.#store.add(servers.switches.onDidChange(refresh));
  }

  /** For tests: the forms that are open, by the name that the model uses. */
  get panels(): ReadonlyMap<string, RunToolPanel> {
    return this.#panels;
  }

  /** Without a place the person picks one. */
  async run(place?: ToolPlace): Promise<void> {
    const menu = this.#menu();
    const chosen = place ?? (await this.#pick(menu));
    if (chosen === undefined) return;
    const { server, tool } = chosen;
    const wire = wireName(server, tool);
    const found = this.#find(server, tool);
    const { switches, registry } = menu.servers;
    const isOff = switches.isServerOff(server) || switches.isToolOff(server, tool);
    if (found === undefined || isOff) {
      throw new UserFacingError(
        isOff
          ? l10n.t('{0} is switched off. Switch it on first.', wire)
          : l10n.t('{0} is not there any more.', wire),
      );
    }
    const open = this.#panels.get(wire);
    if (open?.isOf(found) === true) {
      open.open();
      return;
    }
    // Its tool has another form by now.
    open?.dispose();
    const { context, log } = menu;
    const cwd = (): string => this.#menu().folder ?? workspaceRoots()[0] ?? '';
    const ports = { context, log, registry, cwd, texts: this.texts, calls: this.#ports.calls };
    const panel: RunToolPanel = new RunToolPanel(ports, server, found, () => {
      this.#panels.delete(wire);
      this.#store.delete(panel);
    });
    this.#panels.set(wire, this.#store.add(panel));
    panel.open();
  }

  async showModel(place: ToolPlace | undefined): Promise<void> {
    const chosen = place ?? (await this.#pick(this.#menu()));
    if (chosen === undefined) return;
    const { server, tool } = chosen;
    await this.texts.show(`${wireName(server, tool)}.md`, () => this.#modelText(server, tool));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #modelText(server: string, tool: string): string {
    const found = this.#find(server, tool);
    const wire = wireName(server, tool);
    if (found === undefined) return l10n.t('{0} is not there any more.', wire);
    const { switches } = this.#menu().servers;
    const offBy = switches.serverOffBy(server) ?? switches.toolOffBy(server, tool);
    const state =
      offBy === undefined
        ? undefined
        : l10n.t('The model does not see it now: {0}.', offText(offBy));
    return modelText(server, found, state);
  }

  #find(server: string, tool: string): WireTool | undefined {
    return toolsOf(this.#menu(), server)?.find(({ name }) => name === tool);
  }

  #menu(): ServersMenuPorts {
    const menu = this.#ports.menu();
    if (menu === undefined) throw new UserFacingError(l10n.t('The tools could not be loaded.'));
    return menu;
  }

  async #pick(menu: ServersMenuPorts): Promise<ToolPlace | undefined> {
    const { registry, switches } = menu.servers;
    const items: (QuickPickItem & { readonly place?: ToolPlace })[] = registry
      .all()
      .flatMap(({ name: server }) => {
        const tools = (toolsOf(menu, server) ?? []).filter(
          ({ name }) => !switches.isToolOff(server, name),
        );
        if (tools.length === 0) return [];
        return [
          { label: server, kind: QuickPickItemKind.Separator },
          ...tools.map((tool) => ({
            label: visibleText(tool.title ?? tool.name),
            description: wireName(server, tool.name),
            detail: oneLine(visibleText(tool.description), 200),
            place: { server, tool: tool.name },
          })),
        ];
      });
    const chosen = await window.showQuickPick(items, {
      title: l10n.t('Run Tool'),
      placeHolder: l10n.t('Choose a tool; its form follows'),
      matchOnDescription: true,
      matchOnDetail: true,
    });
    return chosen?.place;
  }
}
