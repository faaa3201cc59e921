import * as l10n from '@vscode/l10n';
import { workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import { wireTool } from '../mcp/wireTool';
import type { WireTool } from '../mcp/wire';
import { buildToolRows } from './buildToolRows';
import { Later } from './later';
import type { LastCalls } from './lastCalls';
import type { McpServers } from './mcpServers';
import { currentServers, type ServersMenuPorts, type ToolFilesPort } from './mcpServersMenu';
import { withOwnIds } from './ownRowIds';
import { pumpClock } from './pumpClock';
import { setRows } from './setRows';
import type { ToolsRow } from './toolRows';
import type { ToolSetFiles } from './toolSetFiles';
import type { ToolsSource } from './toolsView';

/** Changes come in bursts: a file that is saved takes tools away and brings them again. */
const TOGETHER_MS = 80;

export interface ToolsTreePorts {
  /** Undefined where the conversations could not be loaded. */
  readonly menu: () => ServersMenuPorts | undefined;
  /** The same two, without a look at which conversation is in view. */
  readonly servers: McpServers | undefined;
  readonly toolFiles: ToolFilesPort | undefined;
  readonly calls: LastCalls;
  readonly sets: ToolSetFiles | undefined;
  /** Turns begin and end: the agent connects to servers, and lets go of them. */
  readonly onDidChangeTurn: Event<unknown>;
}

/** What the view of the tools shows. Nothing is gathered before it is asked for. */
export class ToolsTree implements ToolsSource, Disposable {
  readonly #ports: ToolsTreePorts;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange: Event<void> = this.#changed.event;
  /** As last drawn, by id: a command is given a row by whoever calls it. */
  #rows: ReadonlyMap<string, ToolsRow> = new Map();

  constructor(ports: ToolsTreePorts) {
    this.#ports = ports;
    const later = this.#store.add(
      new Later(pumpClock, TOGETHER_MS, () => {
        this.#changed.fire();
      }),
    );
    const soon = (): void => {
      later.start();
    };
    const { calls, sets, onDidChangeTurn, servers, toolFiles } = ports;
    const listeners: (Disposable | undefined)[] = [
      calls.onDidChange(soon),
      onDidChangeTurn(soon),
      sets?.onDidChange(soon),
      servers?.all.onDidChange(soon),
      servers?.switches.onDidChange(soon),
      servers?.book.onDidChange(soon),
      servers?.attached.onDidChange(soon),
      toolFiles?.onDidChange(soon),
      workspace.onDidGrantWorkspaceTrust(soon),
    ];
    for (const listener of listeners) if (listener) this.#store.add(listener);
  }

  get message(): string | undefined {
    return workspace.isTrusted
      ? undefined
      : l10n.t(
          'This workspace is not trusted: its own tools and servers are not used, and tools that act refuse.',
        );
  }

  get usedSet(): string | undefined {
    return this.#ports.servers?.switches.state.set?.name;
  }

  async rows(): Promise<readonly ToolsRow[]> {
    const { calls, sets } = this.#ports;
    const menu = this.#ports.menu();
    if (menu === undefined) return [];
    const { rows: servers, status } = await currentServers(menu);
    const lost = sets && !sets.usedSet ? this.usedSet : undefined;
    const rows = withOwnIds([
      ...setRows(sets?.folders ?? [], lost),
      ...buildToolRows({
        servers,
        toolsOf: (server) => toolsOf(menu, server),
        namesOf: (server) => status.find(({ name }) => name === server)?.tools ?? [],
        folders: menu.toolFiles?.folders() ?? [],
        fileOf: (server, tool) => menu.servers.all.get(server)?.sourceOfTool(tool),
        switches: menu.servers.switches,
        lastCall: (wire) => calls.get(wire),
        now: Date.now(),
      }),
    ]);
    this.#rows = new Map(rows.flatMap(withChildren).map((row) => [row.id, row]));
    return rows;
  }

  /** The row that a command was given, as it is drawn now; undefined for what is none. */
  async find(target: unknown): Promise<ToolsRow | undefined> {
    const id: unknown =
      typeof target === 'object' && target !== null && 'id' in target ? target.id : target;
    if (typeof id !== 'string') return undefined;
    if (this.#rows.size === 0) await this.rows();
    return this.#rows.get(id);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

function withChildren(row: ToolsRow): readonly ToolsRow[] {
  return [row, ...row.children.flatMap(withChildren)];
}

/** All tools of a server in this process, hidden ones as well; undefined for any other. */
export function toolsOf(
  { servers }: Pick<ServersMenuPorts, 'servers'>,
  name: string,
): readonly WireTool[] | undefined {
  const server = servers.all.find(name);
  if (server === undefined) return undefined;
  if (server.kind === 'own') return server.allTools().map(wireTool);
  return server.allTools?.() ?? server.manifest?.()?.toolsListResult.tools;
}
