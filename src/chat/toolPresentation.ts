import * as l10n from '@vscode/l10n';
import { stripAnsi } from '../base/ansiText';
import { isJsonObject } from '../protocol/lazySchema';
import { firstLine, oneLine } from './boundedText';
import { displayPath } from './displayPath';
import { planTitle } from './planName';
import { ToolFields } from './toolFields';
import {
  agentOutcome,
  answersOutcome,
  editOutcome,
  globOutcome,
  grepOutcome,
  noFigure,
  type OutcomeWords,
  planOutcome,
  readOutcome,
  shellOutcome,
  sizeInTokens,
  tokens,
  type ToolOutcome,
  webFetchOutcome,
  webSearchOutcome,
} from './toolOutcomes';
import type { ToolTitles } from './toolTitles';
import { visibleText } from './visibleText';

interface Presentation {
  readonly title: () => string;
  /** One line from the input: what the call is about. */
  readonly about: (input: ToolFields, folder: string | undefined) => string;
  readonly outcome?: (outcome: ToolOutcome) => OutcomeWords;
}

const path =
  (key: string) =>
  (input: ToolFields, folder: string | undefined): string =>
    displayPath(input.text(key), folder);
const field =
  (...keys: readonly string[]) =>
  (input: ToolFields): string =>
    keys.map((key) => input.text(key)).find((text) => text !== '') ?? '';
const nothing = (): string => '';
const todoTitle = (): string => l10n.t('To-dos');

function firstQuestion(input: ToolFields): string {
  const questions = input.value('questions');
  const first: unknown = Array.isArray(questions) ? questions[0] : undefined;
  return isJsonObject(first) && typeof first.question === 'string' ? first.question : '';
}

const agent: Presentation = {
  title: () => l10n.t('Agent'),
  about: field('description', 'subagent_type', 'prompt'),
  outcome: agentOutcome,
};

/** The CLI's own tools, by their name on the wire. A `Map`, since `constructor` may be a name. */
const PRESENTATIONS: ReadonlyMap<string, Presentation> = new Map<string, Presentation>([
  ['Agent', agent],
  ['Task', agent],
  ['Read', { title: () => l10n.t('Read a file'), about: path('file_path'), outcome: readOutcome }],
  ['Edit', { title: () => l10n.t('Edit'), about: path('file_path'), outcome: editOutcome }],
  [
    'Write',
    { title: () => l10n.t('Write a file'), about: path('file_path'), outcome: editOutcome },
  ],
  [
    'NotebookEdit',
    { title: () => l10n.t('Edit a notebook'), about: path('notebook_path'), outcome: editOutcome },
  ],
  [
    'Bash',
    { title: () => l10n.t('Run a command'), about: field('command'), outcome: shellOutcome },
  ],
  [
    'PowerShell',
    { title: () => l10n.t('Run a command'), about: field('command'), outcome: shellOutcome },
  ],
  ['Monitor', { title: () => l10n.t('Watch a command'), about: field('command', 'description') }],
  [
    'Grep',
    { title: () => l10n.t('Search in files'), about: field('pattern'), outcome: grepOutcome },
  ],
  ['Glob', { title: () => l10n.t('Find files'), about: field('pattern'), outcome: globOutcome }],
  ['LS', { title: () => l10n.t('List a folder'), about: path('path') }],
  [
    'WebFetch',
    { title: () => l10n.t('Fetch a page'), about: field('url'), outcome: webFetchOutcome },
  ],
  [
    'WebSearch',
    { title: () => l10n.t('Search the web'), about: field('query'), outcome: webSearchOutcome },
  ],
  ['ToolSearch', { title: () => l10n.t('Find tools'), about: field('query') }],
  ['Skill', { title: () => l10n.t('Use a skill'), about: field('skill', 'command', 'name') }],
  [
    'AskUserQuestion',
    { title: () => l10n.t('Ask a question'), about: firstQuestion, outcome: answersOutcome },
  ],
  ['EnterPlanMode', { title: () => l10n.t('Start planning'), about: nothing, outcome: noFigure }],
  [
    'ExitPlanMode',
    {
      title: () => l10n.t('Propose a plan'),
      about: (input) => planTitle(input.text('plan')),
      outcome: planOutcome,
    },
  ],
  [
    'TaskStop',
    { title: () => l10n.t('Stop a background task'), about: nothing, outcome: noFigure },
  ],
  ['TodoWrite', { title: todoTitle, about: nothing, outcome: noFigure }],
  ['TaskList', { title: todoTitle, about: nothing, outcome: noFigure }],
  ['TaskCreate', { title: () => l10n.t('Add a to-do'), about: field('subject') }],
  ['TaskUpdate', { title: () => l10n.t('Update a to-do'), about: field('subject', 'status') }],
  ['TaskGet', { title: () => l10n.t('Look at a to-do'), about: field('taskId') }],
  ['SendMessage', { title: () => l10n.t('Message an agent'), about: field('summary', 'message') }],
  ['ListAgents', { title: () => l10n.t('List agents'), about: nothing }],
  ['CronCreate', { title: () => l10n.t('Schedule a prompt'), about: field('cron', 'prompt') }],
  ['CronDelete', { title: () => l10n.t('Remove a schedule'), about: field('id') }],
  ['CronList', { title: () => l10n.t('List schedules'), about: nothing }],
  ['ScheduleWakeup', { title: () => l10n.t('Schedule a wake-up'), about: field('reason') }],
  ['EnterWorktree', { title: () => l10n.t('Enter a worktree'), about: field('name') }],
  ['ExitWorktree', { title: () => l10n.t('Leave the worktree'), about: nothing }],
  ['ReportFindings', { title: () => l10n.t('Report findings'), about: field('summary') }],
  ['Workflow', { title: () => l10n.t('Run a workflow'), about: field('name', 'description') }],
]);

/** The tool's title in words: from the CLI's table, from ours, else made readable from its name. */
export function toolTitle(name: string, titles: ToolTitles): string {
  return titles.get(name) ?? PRESENTATIONS.get(name)?.title() ?? readableName(name);
}

/** What a call is about, one line, from its input. */
export function toolSummary(name: string, input: unknown, folder: string | undefined): string {
  const fields = new ToolFields(input);
  const about = PRESENTATIONS.get(name)?.about(fields, folder) ?? genericAbout(input);
  return oneLine(visibleText(oneLine(about, 400)));
}

/** What a call came to, for its row. */
export function toolOutcome(name: string, outcome: ToolOutcome): OutcomeWords {
  const known = PRESENTATIONS.get(name);
  if (known) return (known.outcome ?? sizeInTokens)(outcome);
  const summary = visibleText(firstLine(stripAnsi(outcome.text.slice(0, 8000))));
  return { figure: tokens(outcome.text), ...(summary === '' ? {} : { summary }) };
}

/** `mcp__my_server__do_thing` → `Do thing (my server)`; `DoThing` → `Do thing`. */
function readableName(name: string): string {
  const parts = /^mcp__(.+?)__(.+)$/.exec(name);
  const spaced = (parts?.[2] ?? name)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_\-.\s]+/g, ' ')
    .trim();
  const words = spaced.charAt(0).toUpperCase() + spaced.slice(1).toLowerCase();
  const server = parts?.[1];
  const title = words === '' ? name : words;
  return visibleText(
    server === undefined ? title : l10n.t('{0} ({1})', title, server.replaceAll('_', ' ')),
  );
}

/** The first short values of an input that no table knows. */
function genericAbout(input: unknown): string {
  if (!isJsonObject(input)) return '';
  const values = Object.values(input).filter(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  return values
    .slice(0, 3)
    .map((value) => oneLine(String(value), 60))
    .join(' · ');
}
