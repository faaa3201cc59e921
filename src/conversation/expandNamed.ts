import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { assertNever } from '../base/assertNever';
import { UserFacingError } from '../base/errors';
import type { NamedMention } from '../chat/namedMentions';
import type { MentionSourcesPort } from './conversationPorts';
import type { ExpandedMention } from './expandedMention';
import { attachedText, shownPart } from './promptBlocks';
import type { ReadDenials } from './readDenials';

export interface NamedPorts {
  readonly sources: MentionSourcesPort;
  /** The folder in which the CLI works. */
  readonly cwd: string;
  readonly denials: () => Promise<ReadDenials>;
}

/** Whether somebody knows such a thing here: else it is an ordinary word. */
export function isKnown(named: NamedMention, sources: MentionSourcesPort | undefined): boolean {
  return sources?.[named.kind] !== undefined;
}

/**
 * What the model gets for it; undefined where nobody knows such a thing here.
 * @throws UserFacingError for what must not or cannot be read
 */
export function expandNamed(
  named: NamedMention,
  ports: NamedPorts,
): Promise<ExpandedMention | undefined> {
  switch (named.kind) {
    case 'problems':
      return problems(named.file, ports);
    case 'changes':
      return changes(ports);
    case 'terminal':
      return terminal(ports);
    case 'conversation':
      return conversation(named.start, ports);
    default:
      return assertNever(named, 'mention');
  }
}

async function problems(file: string | undefined, ports: NamedPorts): Promise<ExpandedMention> {
  const { sources, cwd } = ports;
  const all = await sources.problems(file === undefined ? undefined : path.resolve(cwd, file));
  const given = await readable(all, ports);
  const lines = given.files.flatMap((one) => [one.path, ...one.lines.map((line) => `  ${line}`)]);
  const text = [...lines, ...leftOut(given.left)].join('\n');
  const what = file === undefined ? l10n.t('Problems') : l10n.t('Problems of {0}', file);
  return attached({ problems: file ?? 'workspace' }, what, text || 'No problems are reported.');
}

async function changes(ports: NamedPorts): Promise<ExpandedMention | undefined> {
  const { sources, cwd } = ports;
  if (sources.changes === undefined) return undefined;
  const found = await sources.changes(cwd);
  if (found === undefined) {
    throw new UserFacingError(l10n.t('The editor knows of no git repository in this folder.'));
  }
  const given = await readable(found.files, ports);
  const files = given.files.map(({ path: name, state, diff }) =>
    diff === undefined ? `${name}: ${state}` : `${name}: ${state}\n${diff}`,
  );
  const kept = given.left + found.left;
  const text = [
    ...files,
    ...(found.more === 0 ? [] : [`(${found.more} more files are changed)`]),
    ...(kept === 0 ? [] : [`(${kept} more files: a rule or setting keeps them back)`]),
  ].join('\n');
  const about = { git_changes: found.branch ?? 'no branch' };
  return attached(about, l10n.t('Git changes'), text || 'Nothing is changed.');
}

async function terminal({ sources }: NamedPorts): Promise<ExpandedMention | undefined> {
  if (sources.terminal === undefined) return undefined;
  const text = await sources.terminal();
  if (text === undefined || text.trim() === '') {
    throw new UserFacingError(l10n.t('Nothing is selected in the terminal.'), {
      next: l10n.t('Select what the agent should see, or take the mention out.'),
    });
  }
  return attached({ terminal: 'selection' }, l10n.t('Terminal selection'), text);
}

async function conversation(
  start: string,
  ports: NamedPorts,
): Promise<ExpandedMention | undefined> {
  const { sources, cwd, denials } = ports;
  if (sources.conversation === undefined) return undefined;
  const found = await sources.conversation(cwd, start);
  if (found === undefined) {
    throw new UserFacingError(l10n.t('The conversation {0} is not on the disk any more.', start));
  }
  const { file, title, firstPrompt, changedAt, lastPrompts, lastAnswer } = found;
  const rule = await (await denials())(file);
  if (rule !== undefined) {
    throw new UserFacingError(
      l10n.t('The conversation is not attached: the rule {0} forbids reading its file.', rule),
    );
  }
  const name = title ?? firstPrompt ?? start;
  const text = [
    `Another conversation of the person with an agent in this folder: ${name}`,
    `Last used: ${new Date(changedAt).toISOString()}`,
    `Whole, as JSON lines (often megabytes: search it, do not read it): ${file}`,
    ...(firstPrompt === undefined ? [] : [`It began with: ${firstPrompt}`]),
    ...lastPrompts.map((prompt) => `Later the person said: ${prompt}`),
    ...(lastAnswer === undefined ? [] : [`The agent's last answer:\n${lastAnswer}`]),
  ].join('\n');
  return attached({ conversation: name }, l10n.t('Conversation {0}', name), text);
}

interface Readable<T> {
  readonly files: readonly T[];
  /** How many a rule forbids reading. */
  readonly left: number;
}

async function readable<T extends { readonly file: string }>(
  all: readonly T[],
  { denials, cwd }: NamedPorts,
): Promise<Readable<T>> {
  const isDenied = await denials();
  const files: T[] = [];
  for (const one of all) {
    if ((await isDenied(path.resolve(cwd, one.file))) === undefined) files.push(one);
  }
  return { files, left: all.length - files.length };
}

function leftOut(count: number): readonly string[] {
  return count === 0 ? [] : [`(${count} more files are left out: a rule forbids reading them)`];
}

function attached(
  about: Readonly<Record<string, string>>,
  what: string,
  text: string,
): ExpandedMention {
  return { blocks: [attachedText(about, text)], parts: [shownPart(what, text)] };
}
