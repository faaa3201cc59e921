import * as l10n from '@vscode/l10n';
import { wireName } from '../mcp/names';
import { tokensOfTool } from '../mcp/tokenEstimate';
import type { WireTool } from '../mcp/wire';
import { blockInMarkdown, plainInMarkdown } from './markdownText';
import { estimateText } from './toolRowWords';

/** What the model sees of a tool, as a markdown text, and the entry as it goes over the wire. */
export function modelText(server: string, tool: WireTool, state: string | undefined): string {
  const wire = wireName(server, tool.name);
  const tokens = l10n.t('About {0} tokens. {1}', tokensOfTool(server, tool), estimateText());
  return [
    `# ${wire}`,
    plainInMarkdown(tokens),
    ...(state === undefined ? [] : [plainInMarkdown(state)]),
    `## ${l10n.t('Description')}`,
    blockInMarkdown(tool.description, 'text'),
    `## ${l10n.t('Input schema')}`,
    blockInMarkdown(JSON.stringify(tool.inputSchema, undefined, 2), 'json'),
    `## ${l10n.t('As it is listed')}`,
    l10n.t('The whole entry that the server sends to the agent, hints included.'),
    blockInMarkdown(JSON.stringify(tool), 'json'),
    '',
  ].join('\n\n');
}

/** Of a result of many megabytes an editor would stand still. */
const MAX_SHOWN = 1_000_000;

/** What a call gave, as the model would get it. */
export function runText(facts: {
  readonly wireName: string;
  readonly input: unknown;
  readonly seconds: string;
  readonly isError: boolean;
  readonly text: string;
}): string {
  const { wireName: wire, input, seconds, isError, text } = facts;
  const whole = text.length;
  const shown = whole > MAX_SHOWN ? text.slice(0, MAX_SHOWN) : text;
  return [
    `# ${wire}`,
    isError
      ? l10n.t('Failed after {0} s. The model is told that it is an error.', seconds)
      : l10n.t('Done after {0} s.', seconds),
    `## ${l10n.t('Arguments')}`,
    blockInMarkdown(JSON.stringify(input, undefined, 2), 'json'),
    `## ${l10n.t('What the model would get')}`,
    ...(whole > MAX_SHOWN
      ? [l10n.t('The first {0} of {1} characters are shown.', MAX_SHOWN, whole)]
      : []),
    shown === '' ? l10n.t('(nothing)') : blockInMarkdown(shown, 'text'),
    '',
  ].join('\n\n');
}
