import * as l10n from '@vscode/l10n';

/** How the text of a file is written down. */
export interface FileForm {
  /** As the editor names it: `utf8`, `windows1252`; empty for one that is not known, and not UTF-8. */
  readonly encoding: string;
  readonly hasCrlf: boolean;
}

/**
 * What a tool of the CLI would do to a file's form. Facts, CLI 2.1.332: it writes UTF-8 only, or
 * UTF-16 behind a byte-order mark, and refuses bytes that are neither; Edit keeps CRLF line ends,
 * Write makes them LF.
 */
export function formWarnings(toolName: string, form: FileForm | undefined): readonly string[] {
  if (form === undefined) return [];
  const { encoding, hasCrlf } = form;
  const isFit = /^utf-?(?:8|16)/i.test(encoding);
  const named = encoding === '' ? l10n.t('another encoding than UTF-8') : encoding;
  const losses = [
    ...(isFit ? [] : [l10n.t('The file is in {0}, and this tool writes UTF-8', named)]),
    ...(hasCrlf && toolName === 'Write' ? [l10n.t('CRLF line ends of the file become LF')] : []),
  ];
  return losses.length === 0 ? [] : [...losses, l10n.t('The editor’s own tool “edit” keeps that')];
}
