import * as l10n from '@vscode/l10n';
import { firstLine, oneLine } from './boundedText';
import { displayPath } from './displayPath';
import { diffFromToolResult, diffTexts } from './fileDiff';
import { resultTable } from './resultTable';
import { ToolFields } from './toolFields';
import { toolOutcome } from './toolPresentation';
import { boundResult, type ReadResult } from './toolResult';
import type { WebLink } from './toolPartsProtocol';
import type { FileDiff, ToolBlock, ToolResult, ToolState } from './viewStateProtocol';
import { visibleText } from './visibleText';

/** How a call ended, as the CLI told it. */
export interface ToolEnd {
  readonly read: ReadResult;
  /** `tool_use_result` of the row. */
  readonly data: unknown;
  readonly isError: boolean;
  readonly state: ToolState;
  /** What is said of a call that nobody was asked about. */
  readonly unasked?: (toolName: string, isAllowed: boolean) => string | undefined;
}

const SHELLS = new Set(['Bash', 'PowerShell']);
/** What these give is written for a reader. */
const MARKDOWN = new Set(['Agent', 'Task', 'WebFetch']);
const MAX_LINKS = 100;

/** What the model got, as the view shows it. */
export function shownResult(name: string, { read, data, isError }: ToolEnd): ToolResult {
  const printed = SHELLS.has(name) ? wholeOutput(read.text, data) : read.text;
  const result = boundResult(
    { ...read, text: printed },
    isError,
    SHELLS.has(name) ? 'end' : 'start',
  );
  const ending = SHELLS.has(name) ? shellEnding(data) : undefined;
  const table = isError || !name.startsWith('mcp__') ? undefined : resultTable(read.text);
  return {
    ...result,
    ...(ending === undefined ? {} : { ending }),
    ...(table ? { table } : isMarkdown(name, read.text, isError) ? { isMarkdown: true } : {}),
  };
}

/**
 * Of a long output the model gets a preview, and the words that tell it so; the CLI's own account has
 * more of it.
 */
function wholeOutput(text: string, data: unknown): string {
  const stdout = new ToolFields(data).text('stdout');
  return text.startsWith('<persisted-output>') && stdout.length > text.length ? stdout : text;
}

/** What an exit code means that is no failure, such as that of a search without matches. */
function shellEnding(data: unknown): string | undefined {
  const output = new ToolFields(data);
  const meaning = output.text('returnCodeInterpretation');
  if (meaning !== '') return visibleText(oneLine(meaning, 200));
  return output.isTrue('interrupted') ? l10n.t('Interrupted') : undefined;
}

function isMarkdown(name: string, text: string, isError: boolean): boolean {
  if (isError) return false;
  // A table in a server's text.
  return MARKDOWN.has(name) || (name.startsWith('mcp__') && TABLE.test(text.slice(0, 20_000)));
}

const TABLE = /^\|.+\|[ \t]*\n\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/m;

/** @param path the file that the call edits, as the call names it */
export function shownDiff(
  name: string,
  path: string | undefined,
  { data, isError }: ToolEnd,
  folder: string | undefined,
): FileDiff | undefined {
  if (path === undefined || isError) return undefined;
  const shown = displayPath(path, folder);
  if (name !== 'NotebookEdit') return diffFromToolResult(shown, data);
  const cell = new ToolFields(data);
  const [before, after] = [cell.value('old_source') ?? '', cell.value('new_source')];
  if (typeof before !== 'string' || typeof after !== 'string') return undefined;
  const mode = cell.text('edit_mode');
  const diff = diffTexts(shown, mode === 'insert' ? '' : before, mode === 'delete' ? '' : after);
  return diff.hunks.length > 0 ? diff : undefined;
}

/** What a search of the web found; undefined for every other call. */
export function foundLinks(name: string, data: unknown): readonly WebLink[] | undefined {
  if (name !== 'WebSearch') return undefined;
  const links = new ToolFields(data)
    .list('results')
    .flatMap((result) => result.list('content'))
    .map((hit) => ({
      title: visibleText(oneLine(hit.text('title') || hit.text('url'), 300)),
      url: hit.text('url'),
    }))
    .filter(({ url }) => /^https?:\/\//i.test(url) && url.length <= 4000)
    .slice(0, MAX_LINKS);
  return links.length > 0 ? links : undefined;
}

/** The words of the row at its end. */
export function describeEnd(block: ToolBlock, about: string, end: ToolEnd): void {
  const { data, isError, read } = end;
  const outcome = { text: read.text, data, isError, ...(block.diff ? { diff: block.diff } : {}) };
  const words = toolOutcome(block.name, outcome);
  delete block.figure;
  if (block.state === 'done') {
    block.summary = words.summary ?? about;
    if (words.figure !== undefined) block.figure = words.figure;
    return;
  }
  block.summary = about;
  if (block.plan && block.state === 'denied') block.figure = l10n.t('not approved');
  if (block.state !== 'failed') return;
  if (SHELLS.has(block.name) && words.figure !== undefined) block.figure = words.figure;
  else block.summary = oneLine([about, firstLine(read.text)].filter(Boolean).join(': '));
}
