import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../protocol/lazySchema';
import { oneLine } from './boundedText';
import { displayPath } from './displayPath';
import type { PermissionRequest } from './permissionRequest';
import { type FileForm, formWarnings } from './fileForm';
import { type PlannedFile, plannedWords } from './plannedWrites';
import { changedPath, editedPath } from './proposedEdit';
import { hintWords, type KnownTool, toolFileOf } from './toolHints';
import { urlWords } from './urlWords';
import type { FileDiff, PermissionCard } from './viewStateProtocol';
import { visibleText } from './visibleText';

/** Where the path of a call really leads. */
export interface CallPlace {
  /** Outside all folders of the workspace, links followed. */
  readonly isOutside: boolean;
  /** Set where a link is on the way: the place itself, as shown. */
  readonly leadsTo?: string | undefined;
}

export interface WordsOptions {
  readonly request: PermissionRequest;
  /** In words: `Store a value`. */
  readonly title: string;
  readonly folder: { readonly name: string; readonly path: string } | undefined;
  /** Undefined for a call without a path, and where it could not be looked up. */
  readonly place?: CallPlace | undefined;
  readonly diff?: FileDiff | undefined;
  /** Undefined where there is no such file, null where it was not looked up. */
  readonly currentText: string | undefined | null;
  /** Of a tool that runs in this process. */
  readonly known?: KnownTool | undefined;
  /** How the file of the call is written down. */
  readonly form?: FileForm | undefined;
  /** What a tool of this process says that the call would write. */
  readonly planned?: readonly PlannedFile[] | undefined;
}

export type PermissionWords = Pick<PermissionCard, 'what' | 'facts' | 'said'>;

/** Characters of a path or name inside a sentence. */
const NAME_LIMIT = 160;
/** Characters of the model's own words. */
const SAID_LIMIT = 300;

/** Says what a call will do, in plain words, each taken from its input and never from its description. */
export function permissionWords(options: WordsOptions): PermissionWords {
  const { request, place } = options;
  const { what, facts = [], said } = sentence(options);
  const all = [
    ...facts,
    ...(place?.leadsTo === undefined || request.decision_reason?.includes(place.leadsTo) === true
      ? []
      : [l10n.t('The path is a link that leads to {0}', short(place.leadsTo))]),
    ...(request.agent_id === undefined ? [] : [l10n.t('Asked by a sub-agent')]),
  ];
  return {
    what,
    ...(all.length > 0 ? { facts: all } : {}),
    ...(said === undefined || said.trim() === '' ? {} : { said: short(said, SAID_LIMIT) }),
  };
}

interface Sentence {
  readonly what: string;
  readonly facts?: readonly string[];
  readonly said?: string | undefined;
}

function sentence(options: WordsOptions): Sentence {
  const { request, title, known } = options;
  const { tool_name: name } = request;
  const edited = editedPath(name, request.input);
  if (edited !== undefined) {
    return { what: editWords(options, edited), facts: formWarnings(name, options.form) };
  }
  const changed = changedPath(name, request.input);
  if (changed !== undefined && options.diff) return { what: editWords(options, changed) };
  switch (name) {
    case 'Bash':
    case 'PowerShell':
    case 'Monitor':
      return commandWords(options);
    case 'Read':
      return { what: readWords(options) };
    case 'WebFetch':
      return fetchWords(field(request, 'url'));
    case 'WebSearch':
      return { what: l10n.t('Search the web') };
    case 'Task':
    case 'Agent':
      return { what: l10n.t('Start an agent'), said: field(request, 'description') };
    default:
      break;
  }
  if (known) {
    const what = l10n.t('Use “{0}” of the server {1}', short(known.title), short(known.server));
    const planned = plannedWords(options.planned ?? []);
    const file = toolFileOf(known);
    const facts = [
      ...(planned === undefined ? [] : [planned]),
      ...(file === undefined ? [] : [l10n.t('From {0} of this workspace', short(file))]),
      ...hintWords(known),
    ];
    return { what, facts };
  }
  if (!name.startsWith('mcp__')) return { what: l10n.t('Use the tool “{0}”', short(title)) };
  const facts = [l10n.t('From a server outside Patchbay, which knows nothing of what it does')];
  return { what: l10n.t('Use “{0}”', short(title)), facts };
}

function commandWords({ request, folder }: WordsOptions): Sentence {
  const { input } = request;
  const isBackground = isJsonObject(input) && input.run_in_background === true;
  const isBare = isJsonObject(input) && input.dangerouslyDisableSandbox === true;
  const where = folder === undefined ? undefined : short(folder.name);
  const what =
    where === undefined ? l10n.t('Run this command') : l10n.t('Run this command in {0}', where);
  return {
    what,
    facts: [
      ...(isBackground ? [l10n.t('In the background')] : []),
      ...(isBare ? [l10n.t('Without the sandbox')] : []),
    ],
    said: field(request, 'description'),
  };
}

function readWords({ request, folder, place }: WordsOptions): string {
  const path = field(request, 'file_path');
  if (path === undefined) return l10n.t('Read a file');
  if (place?.isOutside === true) return l10n.t('Read a file outside the workspace');
  return l10n.t('Read {0}', short(displayPath(path, folder?.path)));
}

function fetchWords(url: string | undefined): Sentence {
  const words = url === undefined ? undefined : urlWords(url);
  if (words) return { what: l10n.t('Fetch from {0}', short(words.host)), facts: words.facts };
  return { what: l10n.t('Fetch a page'), facts: [l10n.t('This is no valid address')] };
}

function editWords(options: WordsOptions, edited: string): string {
  const { request, folder, place, currentText, diff } = options;
  const path = short(displayPath(edited, folder?.path));
  const name = place?.isOutside === true ? l10n.t('{0}, outside the workspace', path) : path;
  if (request.tool_name === 'NotebookEdit') return cellWords(request, name);
  if (currentText === undefined) return l10n.t('Create {0}', name);
  if (currentText === null || diff === undefined) {
    return request.tool_name === 'Write' ? l10n.t('Write {0}', name) : l10n.t('Change {0}', name);
  }
  const { added, removed } = diff;
  if (added === 0 && removed === 0) return l10n.t('Write {0} with the text that it has', name);
  if (removed === 0) return l10n.t('Add {0} to {1}', lines(added), name);
  if (added === 0) return l10n.t('Remove {0} from {1}', lines(removed), name);
  return l10n.t('Change {0} of {1}', lines(Math.max(added, removed)), name);
}

function cellWords(request: PermissionRequest, name: string): string {
  switch (field(request, 'edit_mode')) {
    case 'insert':
      return l10n.t('Insert a cell into {0}', name);
    case 'delete':
      return l10n.t('Delete a cell of {0}', name);
    case undefined:
    default:
      return l10n.t('Change a cell of {0}', name);
  }
}

function lines(count: number): string {
  return count === 1 ? l10n.t('1 line') : l10n.t('{0} lines', count);
}

function field({ input }: PermissionRequest, key: string): string | undefined {
  const value = isJsonObject(input) ? input[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** One line, what hides in it made visible, cut. */
function short(text: string, limit = NAME_LIMIT): string {
  return oneLine(visibleText(oneLine(text, limit)), limit * 2);
}
