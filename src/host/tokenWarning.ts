import * as l10n from '@vscode/l10n';
import { oneLine } from '../chat/boundedText';
import { visibleText } from '../chat/visibleText';
import { wireName } from '../mcp/names';
import { MANY_TOKENS_OF_SERVER, MANY_TOKENS_OF_TOOL, tokensOfTool } from '../mcp/tokenEstimate';
import type { WireTool } from '../mcp/wire';

/** Something that takes much room in each conversation. */
export interface HeavyThing {
  /** The tool's whole name, or the server's. */
  readonly id: string;
  readonly tokens: number;
}

/** Tools above 500 tokens, and a server whose tools are above 3,000 together. */
export function heavyThings(server: string, tools: readonly WireTool[]): readonly HeavyThing[] {
  const costs = tools.map((tool) => ({
    id: wireName(server, tool.name),
    tokens: tokensOfTool(server, tool),
  }));
  const all = costs.reduce((sum, { tokens }) => sum + tokens, 0);
  return [
    ...(all > MANY_TOKENS_OF_SERVER ? [{ id: server, tokens: all }] : []),
    ...costs.filter(({ tokens }) => tokens > MANY_TOKENS_OF_TOOL),
  ];
}

export interface TokenWarningPorts {
  /** Servers of the workspace's tool files, with the tools that are on. */
  readonly servers: () => readonly { readonly name: string; readonly tools: readonly WireTool[] }[];
  /** Ids that the person was told of in this workspace. */
  readonly told: () => readonly string[];
  readonly keep: (told: readonly string[]) => PromiseLike<void>;
  /** Says it once, without taking the focus. */
  readonly tell: (text: string) => void;
}

/** Tells of what is heavy in a workspace's own tools: each thing once, and all of a moment together. */
export async function warnOfTokens(ports: TokenWarningPorts): Promise<void> {
  const told = new Set(ports.told());
  const heavy = ports.servers().flatMap(({ name, tools }) => heavyThings(name, tools));
  const fresh = heavy.filter(({ id }) => !told.has(id));
  if (fresh.length === 0) return;
  await ports.keep([...told, ...fresh.map(({ id }) => id)]);
  ports.tell(warning(fresh));
}

/** More names are not read. */
const MOST_NAMED = 3;

function warning(heavy: readonly HeavyThing[]): string {
  const names = heavy
    .slice(0, MOST_NAMED)
    .map(({ id, tokens }) => `${oneLine(visibleText(id), 80)} (≈${tokens})`)
    .join(', ');
  const more = heavy.length - MOST_NAMED;
  const all = more > 0 ? l10n.t('{0} and {1} more', names, more) : names;
  return l10n.t(
    'Tools of this workspace take much room in each conversation, in tokens: {0}. The view of the tools shows what each one takes.',
    all,
  );
}
