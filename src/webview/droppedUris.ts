/** The part of a `DataTransfer` that tells what is dropped. */
export interface DropData {
  readonly types: readonly string[];
  getData(type: string): string;
}

/** As the editor names its files and folders; then as everybody does. */
const LISTS = ['application/vnd.code.uri-list', 'text/uri-list'];
/** A JSON list of URIs, of older parts of the editor. */
const RESOURCES = 'resourceurls';
const FILES = 'Files';

/** Whether a drag may bring files, or names of files. What it is, is told only when it is dropped. */
export function mayBringFiles({ types }: Pick<DropData, 'types'>): boolean {
  return [...types].some((type) => type === FILES || isList(type));
}

/** The files and folders that are named; links into the web are not among them. */
export function droppedUris(data: DropData): readonly string[] {
  for (const type of data.types) {
    if (!isList(type)) continue;
    const text = data.getData(type);
    const all = type.toLowerCase() === RESOURCES ? fromJson(text) : text.split(/\r?\n/);
    const uris = all.map((line) => line.trim()).filter(isOfAFile);
    if (uris.length > 0) return [...new Set(uris)];
  }
  return [];
}

function isList(type: string): boolean {
  const lower = type.toLowerCase();
  return lower === RESOURCES || LISTS.includes(lower);
}

function isOfAFile(line: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]+:/i.test(line) &&
    !/^(?:https?|data|blob|javascript|mailto|vscode-webview):/i.test(line)
  );
}

function fromJson(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
