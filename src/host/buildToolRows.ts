import * as l10n from '@vscode/l10n';
import { oneLine } from '../chat/boundedText';
import { visibleText } from '../chat/visibleText';
import { wireName } from '../mcp/names';
import { MANY_TOKENS_OF_SERVER, MANY_TOKENS_OF_TOOL, tokensOfTool } from '../mcp/tokenEstimate';
import type { ToolSwitches } from '../mcp/toolSwitches';
import type { WireTool } from '../mcp/wire';
import type { ToolFile, ToolFolder } from '../workspaceTools/toolFile';
import { fileRows } from './fileRows';
import type { LastCall } from './lastCalls';
import { codeInMarkdown, plainInMarkdown } from './markdownText';
import type { ServerRow } from './serverRows';
import { estimateText, lastCallDetail, lastCallText, offText, tokensText } from './toolRowWords';
import type { RowAction, RowTone, ToolsRow } from './toolRows';

export interface ToolRowFacts {
  readonly servers: readonly ServerRow[];
  /** All tools of an in-process server, hidden ones as well; undefined for any other server. */
  readonly toolsOf: (server: string) => readonly WireTool[] | undefined;
  /** Names of the tools that the running agent has of an external server. */
  readonly namesOf: (server: string) => readonly string[];
  readonly folders: readonly ToolFolder[];
  /** Below the workspace folder, with `/`: the file of a workspace's tool. */
  readonly fileOf: (server: string, tool: string) => string | undefined;
  readonly switches: Pick<ToolSwitches, 'serverOffBy' | 'toolOffBy'>;
  /** By the name that the model uses. */
  readonly lastCall: (wire: string) => LastCall | undefined;
  readonly now: number;
}

const DESCRIPTION_LIMIT = 600;

/** All servers with their tools. */
export function buildToolRows(facts: ToolRowFacts): readonly ToolsRow[] {
  return facts.servers.map((row) => serverRow(row, facts));
}

function serverRow(row: ServerRow, facts: ToolRowFacts): ToolsRow {
  const { name } = row;
  const folder =
    row.origin.kind === 'toolFiles'
      ? facts.folders.find(({ server }) => server === name)
      : undefined;
  // What has its name is another server's.
  const isLeftOut = row.isLeftOut === true;
  const tools = isLeftOut ? undefined : facts.toolsOf(name);
  const offBy = isLeftOut ? undefined : facts.switches.serverOffBy(name);
  const on = (tools ?? []).filter(
    (tool) => facts.switches.toolOffBy(name, tool.name) === undefined,
  );
  const tokens = on.reduce((sum, tool) => sum + tokensOfTool(name, tool), 0);
  const isMany = folder !== undefined && tokens > MANY_TOKENS_OF_SERVER;
  const state = offBy === undefined ? row.state : offText(offBy);
  const figure = tools === undefined || offBy !== undefined ? '' : tokensText(tokens);
  const tone = isMany ? 'warning' : toneOf(row.icon);
  const warning = isMany ? manyOfServer() : '';
  return {
    id: `server ${name}`,
    label: shown(name),
    description: joined([state, figure]),
    tooltip: lines([
      `**${plainInMarkdown(shown(name))}**  \n${plainInMarkdown(row.detail)}`,
      plainInMarkdown(state),
      tools === undefined ? '' : plainInMarkdown(countText(on.length, tools.length)),
      figure === '' ? '' : `${plainInMarkdown(figure)}. ${plainInMarkdown(estimateText())}`,
      plainInMarkdown(warning),
    ]),
    icon: isMany ? 'warning' : row.icon.slice(2, -1),
    tone,
    said: joined([shown(name), state, row.detail, figure, warning], ', '),
    actions: row.actions,
    target: { kind: 'server', row, folder },
    children: [
      ...(folder === undefined ? [] : fileRows(folder)),
      ...(isLeftOut ? [] : toolRows(row, tools, folder, facts)),
    ],
  };
}

function toolRows(
  { name: server }: ServerRow,
  tools: readonly WireTool[] | undefined,
  folder: ToolFolder | undefined,
  facts: ToolRowFacts,
): readonly ToolsRow[] {
  if (tools === undefined)
    return facts.namesOf(server).map((name) => namedRow(server, name, facts));
  return tools.map((tool) => {
    const source = folder && facts.fileOf(server, tool.name);
    const file = folder?.files.find(({ relativePath }) => relativePath === source);
    return toolRow(server, tool, file && { file, folder: folder?.path ?? '' }, facts);
  });
}

interface Origin {
  readonly file: ToolFile;
  /** The workspace folder. */
  readonly folder: string;
}

/** A tool whose file waits is listed, and says so when it is called: not the file's code. */
function waitText(origin: Origin | undefined): string {
  const kind = origin?.file.state.kind;
  if (kind === 'needsApproval') return l10n.t('needs your approval');
  return kind === 'refused' ? l10n.t('refused by you') : '';
}

function toolRow(
  server: string,
  tool: WireTool,
  origin: Origin | undefined,
  facts: ToolRowFacts,
): ToolsRow {
  const wire = wireName(server, tool.name);
  const serverOff = facts.switches.serverOffBy(server);
  const offBy = serverOff ?? facts.switches.toolOffBy(server, tool.name);
  const tokens = tokensOfTool(server, tool);
  const isMany = tokens > MANY_TOKENS_OF_TOOL;
  const call = facts.lastCall(wire);
  const waits = waitText(origin);
  const state = offBy === undefined ? waits : offText(offBy);
  const last = call === undefined ? '' : lastCallText(call, facts.now);
  const warning = isMany ? l10n.t('More than {0} tokens', MANY_TOKENS_OF_TOOL) : '';
  const words = [state, tokensText(tokens), last];
  return {
    id: `tool ${wire}`,
    label: shown(tool.name),
    description: joined(words),
    tooltip: lines([
      `**${plainInMarkdown(shown(tool.title ?? tool.name))}**  \n${codeInMarkdown(wire)}`,
      plainInMarkdown(oneLine(visibleText(tool.description), DESCRIPTION_LIMIT)),
      plainInMarkdown(state),
      `${plainInMarkdown(tokensText(tokens))}. ${plainInMarkdown(estimateText())}`,
      plainInMarkdown(warning),
      call === undefined ? '' : plainInMarkdown(lastCallDetail(call)),
    ]),
    ...(waits !== '' && offBy === undefined
      ? ({ icon: 'question', tone: 'warning' } as const)
      : iconOf(offBy !== undefined, isMany, call)),
    said: joined(
      [shown(tool.title ?? tool.name), state || l10n.t('ready'), ...words.slice(1), warning],
      ', ',
    ),
    actions: toolActions(serverOff !== undefined, offBy, origin, waits !== ''),
    target: {
      ...{ kind: 'tool', server, tool: tool.name, wire: tool },
      ...{ file: origin?.file.path, folder: origin?.folder },
    },
    children: [],
  };
}

function toolActions(
  isServerOff: boolean,
  offBy: string | undefined,
  origin: Origin | undefined,
  waits: boolean,
): readonly RowAction[] {
  const open: RowAction[] = origin === undefined ? [] : ['openFile'];
  // Of a server that is off no tool can be switched: it is the server that is off.
  if (isServerOff) return ['showModel', ...open];
  if (offBy === 'setting') return ['showModel', 'openSetting', ...open];
  if (offBy !== undefined) return ['showModel', 'switchOn', ...open];
  return [waits ? 'approve' : 'run', 'showModel', 'switchOff', ...open];
}

/** A tool of which the agent tells the name only. */
function namedRow(server: string, name: string, facts: ToolRowFacts): ToolsRow {
  const wire = wireName(server, name);
  const call = facts.lastCall(wire);
  const last = call === undefined ? '' : lastCallText(call, facts.now);
  return {
    id: `tool ${wire}`,
    label: shown(name),
    description: last,
    tooltip: lines([
      codeInMarkdown(wire),
      plainInMarkdown(
        l10n.t('The agent itself is connected to this server: only it knows more of the tool.'),
      ),
      call === undefined ? '' : plainInMarkdown(lastCallDetail(call)),
    ]),
    ...iconOf(false, false, call),
    said: joined([shown(name), last], ', '),
    actions: [],
    target: { kind: 'tool', server, tool: name, wire: undefined },
    children: [],
  };
}

function iconOf(
  isOff: boolean,
  isMany: boolean,
  call: LastCall | undefined,
): { readonly icon: string; readonly tone: RowTone } {
  if (isOff) return { icon: 'circle-slash', tone: undefined };
  if (isMany) return { icon: 'warning', tone: 'warning' };
  return { icon: 'tools', tone: call?.outcome === 'error' ? 'error' : undefined };
}

function toneOf(icon: string): RowTone {
  if (icon === '$(error)') return 'error';
  return icon === '$(question)' || icon === '$(key)' ? 'warning' : undefined;
}

function countText(on: number, all: number): string {
  return on === all ? l10n.t('{0} tools', all) : l10n.t('{0} of {1} tools are on', on, all);
}

/** What the tools of a workspace cost together, and what helps. */
export function manyOfServer(): string {
  return l10n.t(
    'These tools take more than {0} tokens of each conversation. Shorten descriptions, or switch off what is not needed.',
    MANY_TOKENS_OF_SERVER,
  );
}

function shown(text: string): string {
  return oneLine(visibleText(text), 120);
}

function joined(parts: readonly string[], by = ' · '): string {
  return parts.filter((part) => part !== '').join(by);
}

function lines(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
