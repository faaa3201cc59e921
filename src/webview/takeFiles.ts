import * as l10n from '@vscode/l10n';
import type { AttachmentsModel, NewFile } from './attachmentsModel';

/** What Chromium calls a picture that was copied from a page or a screen. */
const NO_NAME = 'image.png';

/**
 * Takes the pictures of what was pasted. False where it is text to be pasted as such: what is copied
 * from a table or a text program has a picture of itself beside it.
 */
export function takePasted(data: DataTransfer | null, attachments: AttachmentsModel): boolean {
  const files = [...(data?.files ?? [])];
  if (files.length === 0) return false;
  const words = data?.getData('text/plain') ?? '';
  if (words !== '' && !namesPictures(words, files)) return false;
  takeFiles(files, attachments);
  return true;
}

/** What a file manager puts beside pictures that were copied in it: names or paths, one in each line. */
function namesPictures(words: string, files: readonly File[]): boolean {
  const given = new Set(files.map(({ name }) => name));
  const lines = words.trim().split(/\s*[\r\n]+\s*/u);
  return files.every(isPicture) && lines.every((line) => given.has(nameOf(line)));
}

function nameOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  if (!path.startsWith('file:')) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Attaches pictures; of other files only their bytes are known, and that is said. */
export function takeFiles(files: readonly File[], attachments: AttachmentsModel): void {
  attachments.dismissProblems();
  const pictures = files.filter((file) => isPicture(file));
  if (pictures.length > 0) attachments.add(pictures.map(newFile));
  const others = files.filter((file) => !isPicture(file));
  if (others.length > 0) attachments.tell(pathUnknown(others.map(({ name }) => name)));
}

/** By what it says of itself; its bytes are looked at later. An empty type is often HEIC. */
function isPicture({ type, name }: File): boolean {
  return (
    type.startsWith('image/') || /\.(?:png|jpe?g|gif|webp|hei[cf]|avif|tiff?|bmp)$/i.test(name)
  );
}

function newFile(file: File): NewFile {
  return { name: file.name === NO_NAME || file.name === '' ? undefined : file.name, blob: file };
}

function pathUnknown(names: readonly string[]): string {
  return l10n.t(
    '{0}: the panel is not told where this lies. Drop it from the explorer with Shift held, or mention it with @.',
    names.join(', '),
  );
}
