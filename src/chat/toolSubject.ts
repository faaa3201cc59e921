import * as l10n from '@vscode/l10n';
import { ellipsize } from '../base/cutText';
import { displayPath } from './displayPath';
import { pathHref } from './markdownLinks';
import { ToolFields } from './toolFields';
import { SUBJECT_LIMIT, type ToolSubject } from './toolPartsProtocol';
import { visibleText } from './visibleText';

type Reader = (input: ToolFields, folder: string | undefined) => ToolSubject | undefined;

const file =
  (key: string): Reader =>
  (input, folder) =>
    subject('file', displayPath(input.text(key), folder), { href: pathHref(input.text(key)) });

const command: Reader = (input) =>
  subject('command', input.text('command'), { detail: input.text('description') });

const search: Reader = (input, folder) => {
  const path = input.text('path');
  const where = [
    ...(path === '' ? [] : [l10n.t('in {0}', displayPath(path, folder))]),
    ...[input.text('glob'), input.text('type')].filter((one) => one !== ''),
  ];
  return subject('pattern', input.text('pattern'), { detail: where.join(', ') });
};

function readFile(input: ToolFields, folder: string | undefined): ToolSubject | undefined {
  const path = input.text('file_path');
  const from = input.count('offset');
  const limit = input.count('limit');
  const pages = input.text('pages');
  return subject('file', displayPath(path, folder), {
    href: from === undefined || from === 0 ? pathHref(path) : `${pathHref(path)}:${from}`,
    detail:
      pages !== ''
        ? l10n.t('pages {0}', pages)
        : from === undefined && limit === undefined
          ? ''
          : lineRange(from ?? 1, limit),
  });
}

function lineRange(from: number, count: number | undefined): string {
  const start = Math.max(1, from);
  return count === undefined
    ? l10n.t('from line {0}', start)
    : l10n.t('lines {0}–{1}', start, start + Math.max(1, count) - 1);
}

/** A `Map`, since `constructor` may be a tool's name. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['Bash', command],
  ['PowerShell', command],
  ['Monitor', command],
  ['Read', readFile],
  ['Edit', file('file_path')],
  ['Write', file('file_path')],
  ['NotebookEdit', file('notebook_path')],
  ['LS', file('path')],
  ['Grep', search],
  ['Glob', search],
  ['WebFetch', (input) => subject('url', input.text('url'), { href: input.text('url') })],
  ['WebSearch', (input) => subject('pattern', input.text('query'), {})],
]);

/** What a call is about, whole, from its input; undefined for tools that are not in the table. */
export function toolSubject(
  name: string,
  input: unknown,
  folder: string | undefined,
): ToolSubject | undefined {
  return READERS.get(name)?.(new ToolFields(input), folder);
}

/** The subject of a call that has ended: what was read turns out only then. */
export function endedSubject(
  name: string,
  subject: ToolSubject | undefined,
  data: unknown,
): ToolSubject | undefined {
  if (name !== 'Read' || !subject) return subject;
  const read = new ToolFields(data).inner('file');
  const [start, count, total] = ['startLine', 'numLines', 'totalLines'].map((key) =>
    read.count(key),
  );
  if (start === undefined || count === undefined || total === undefined) return subject;
  // All of it needs no word.
  if (start <= 1 && count >= total) return subject;
  return {
    ...subject,
    detail: l10n.t('lines {0}–{1} of {2}', start, start + Math.max(1, count) - 1, total),
  };
}

function subject(
  kind: ToolSubject['kind'],
  text: string,
  more: { readonly href?: string; readonly detail?: string },
): ToolSubject | undefined {
  if (text.trim() === '') return undefined;
  const { href = '', detail = '' } = more;
  return {
    kind,
    text: ellipsize(visibleText(text), SUBJECT_LIMIT),
    ...(href === '' ? {} : { href }),
    ...(detail === '' ? {} : { detail: ellipsize(visibleText(detail), 300) }),
  };
}
