import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../protocol/lazySchema';
import { countLines, oneLine } from './boundedText';
import { planTitle } from './planName';
import { ToolFields } from './toolFields';
import { formatBytes, formatTokens } from './toolResult';
import type { FileDiff } from './viewStateProtocol';

/** What a call came to, for its row. */
export interface ToolOutcome {
  /** The whole text that the model got. */
  readonly text: string;
  /** The CLI's own account, `tool_use_result`: an object on success, a string on failure. */
  readonly data: unknown;
  readonly isError: boolean;
  readonly diff?: FileDiff;
}

/** What a row says at its end. An absent summary leaves that of the input. */
export interface OutcomeWords {
  readonly summary?: string;
  readonly figure?: string;
}

const lines = (count: number): string =>
  count === 1 ? l10n.t('1 line') : l10n.t('{0} lines', count);
const files = (count: number): string =>
  count === 1 ? l10n.t('1 file') : l10n.t('{0} files', count);
const matches = (count: number): string =>
  count === 1 ? l10n.t('1 match') : l10n.t('{0} matches', count);

/** What a result costs the model. */
export const tokens = (text: string): string => l10n.t('≈{0} tok', formatTokens(text.length / 4));

export const sizeInTokens = ({ text }: ToolOutcome): OutcomeWords => ({ figure: tokens(text) });
export const noFigure = (): OutcomeWords => ({});

export function readOutcome({ data, text }: ToolOutcome): OutcomeWords {
  const read = new ToolFields(data);
  const file = read.inner('file');
  const content = file.value('content');
  if (typeof content === 'string') return { figure: lines(countLines(content)) };
  const size = file.count('originalSize');
  if (size !== undefined) return { figure: formatBytes(size) };
  const cells = file.list('cells').length;
  if (cells > 0) return { figure: l10n.t('{0} cells', cells) };
  return { figure: tokens(text) };
}

export function editOutcome({ diff }: ToolOutcome): OutcomeWords {
  return diff ? { figure: `+${diff.added} −${diff.removed}` } : {};
}

/** The exit code of a command that failed, as the CLI puts it in front of what it printed. */
export function exitCode(text: string): string | undefined {
  return /^(?:Error: )?Exit code (\d+)/.exec(text)?.[1];
}

export function shellOutcome({ text, data, isError }: ToolOutcome): OutcomeWords {
  if (isError) {
    const code = exitCode(text);
    return code === undefined ? {} : { figure: l10n.t('exit {0}', code) };
  }
  const output = new ToolFields(data);
  if (output.text('backgroundTaskId') !== '') return { figure: l10n.t('in the background') };
  const stdout = output.value('stdout');
  const printed = typeof stdout === 'string' ? stdout : text;
  return { figure: printed === '' ? l10n.t('no output') : lines(countLines(printed)) };
}

/** Facts of the CLI's types: `numMatches` in mode `count`, `numLines` in mode `content`. */
export function grepOutcome({ data, text, isError }: ToolOutcome): OutcomeWords {
  if (isError) return {};
  const found = new ToolFields(data);
  const inFiles = found.count('totalFiles') ?? found.count('numFiles');
  const count =
    found.count('numMatches') ?? found.count('totalLines') ?? found.count('numLines') ?? undefined;
  if (count !== undefined && count > 0) {
    return {
      figure:
        inFiles === undefined || inFiles === 0
          ? matches(count)
          : l10n.t('{0} in {1}', matches(count), files(inFiles)),
    };
  }
  if (inFiles !== undefined) return { figure: inFiles === 0 ? noMatches() : files(inFiles) };
  const told = /^Found (\d+) files?/.exec(text)?.[1];
  if (told !== undefined) return { figure: files(Number(told)) };
  return /^No (?:matches|files) found/.test(text)
    ? { figure: noMatches() }
    : { figure: lines(countLines(text)) };
}

export function globOutcome({ data, text, isError }: ToolOutcome): OutcomeWords {
  if (isError) return {};
  const found = new ToolFields(data);
  const shown = found.count('numFiles');
  if (shown === undefined) {
    return text.startsWith('No files found')
      ? { figure: noMatches() }
      : { figure: files(countLines(text)) };
  }
  if (shown === 0) return { figure: noMatches() };
  const total = found.count('totalMatches');
  if (total !== undefined && total > shown) {
    return { figure: l10n.t('{0} of {1}', shown, files(total)) };
  }
  return {
    figure: found.isTrue('truncated') ? l10n.t('more than {0}', files(shown)) : files(shown),
  };
}

function noMatches(): string {
  return l10n.t('no matches');
}

export function webSearchOutcome({ data, text, isError }: ToolOutcome): OutcomeWords {
  if (isError) return {};
  const count = new ToolFields(data)
    .list('results')
    .reduce((sum, result) => sum + result.list('content').length, 0);
  if (count === 0) return { figure: tokens(text) };
  return { figure: count === 1 ? l10n.t('1 result') : l10n.t('{0} results', count) };
}

export function webFetchOutcome({ data, text }: ToolOutcome): OutcomeWords {
  const page = new ToolFields(data);
  const parts = [
    page.count('code')?.toString(),
    page.count('bytes') === undefined ? undefined : formatBytes(page.count('bytes') ?? 0),
  ].filter((part) => part !== undefined);
  return { figure: parts.length > 0 ? parts.join(' · ') : tokens(text) };
}

/** What a subagent used: `6 tools · 12k tok`. */
export function agentOutcome({ data, isError }: ToolOutcome): OutcomeWords {
  if (isError) return {};
  const used = new ToolFields(data);
  const figure = agentFigure(used.count('totalToolUseCount'), used.count('totalTokens'));
  return figure === '' ? {} : { figure };
}

export function agentFigure(toolUses: number | undefined, tokenCount: number | undefined): string {
  return [
    ...(toolUses === undefined || toolUses === 0
      ? []
      : [toolUses === 1 ? l10n.t('1 call') : l10n.t('{0} calls', toolUses)]),
    ...(tokenCount === undefined || tokenCount === 0
      ? []
      : [l10n.t('{0} tok', formatTokens(tokenCount))]),
  ].join(' · ');
}

export function answersOutcome({ data }: ToolOutcome): OutcomeWords {
  if (!isJsonObject(data)) return {};
  const { answers, response } = data;
  if (typeof response === 'string') return { summary: oneLine(response) };
  if (!isJsonObject(answers)) return {};
  const given = Object.values(answers).flatMap((answer) =>
    typeof answer === 'string' ? [answer] : Array.isArray(answer) ? [answer.join(', ')] : [],
  );
  return { summary: given.length > 0 ? oneLine(given.join(' · ')) : l10n.t('Not answered') };
}

export function planOutcome({ data, isError }: ToolOutcome): OutcomeWords {
  if (isError) return {};
  const planned = new ToolFields(data);
  const plan = planTitle(planned.text('plan'));
  return {
    figure: planned.isTrue('planWasEdited')
      ? l10n.t('approved with your edits')
      : l10n.t('approved'),
    ...(plan === '' ? {} : { summary: plan }),
  };
}
