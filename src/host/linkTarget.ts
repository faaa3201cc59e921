/** What a link in the transcript means. The model wrote it, so it is untrusted text. */
export type LinkTarget =
  | { readonly kind: 'external'; readonly url: string }
  /** `line` and `column` count from 1. `path` is as written: absolute or relative. */
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly line?: number;
      readonly column?: number;
    }
  | { readonly kind: 'refused'; readonly scheme: string };

const EXTERNAL = new Set(['http', 'https', 'mailto']);
/** Never the name of a file with a line number, such as `Makefile:3`. */
const NEVER_A_FILE = new Set(['command', 'javascript', 'vbscript', 'data', 'blob', 'about', 'tel']);

/** Reads the `href` of a link. Pure: whether the file exists is not asked here. */
export function parseLink(href: string): LinkTarget {
  // Control characters could make a log or a dialog show something else than what is opened.
  // eslint-disable-next-line no-control-regex
  const text = href.replace(/[\u0000-\u001f\u007f]/g, '').trim();
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return parsePath(text);
  if (EXTERNAL.has(scheme)) return { kind: 'external', url: text };
  if (scheme === 'file') return parseFileUrl(text);
  // Markdown writes a backslash as %5C.
  const isDrive = /^[a-z]:(?:[\\/]|%5C)/i.test(text);
  const isPlace = /^[^:]+:\d+(?::\d+)?(?:-\d+)?$/.test(text) && !NEVER_A_FILE.has(scheme);
  return isDrive || isPlace ? parsePath(text) : { kind: 'refused', scheme };
}

function parseFileUrl(text: string): LinkTarget {
  const rest = text.slice('file:'.length).replace(/^\/\/(localhost)?(?=\/)/, '');
  // With a host it is a network share: opening one hands the person's credentials to it.
  if (rest.startsWith('//')) return { kind: 'refused', scheme: 'file' };
  return parsePath(rest.replace(/^\/(?=[a-z]:)/i, ''));
}

/** `path`, `path:12`, `path:12:5`, `path:12-20`, `path#L12`, `path#L12-L20`, `path#12`. */
function parsePath(text: string): LinkTarget {
  const match =
    /^(.*?)(?:#L?(\d+)(?:[C:](\d+))?(?:-L?\d+(?:C\d+)?)?|:(\d+)(?::(\d+))?(?:-\d+(?::\d+)?)?)?$/i.exec(
      text,
    );
  const path = decode(match?.[1] ?? text);
  // eslint-disable-next-line no-control-regex
  if (path === '' || path.startsWith('#') || /[\u0000-\u001f]/.test(path))
    return { kind: 'refused', scheme: '' };
  if (/^[\\/]{2}/.test(path)) return { kind: 'refused', scheme: 'file' };
  const line = number(match?.[2] ?? match?.[4]);
  const column = number(match?.[3] ?? match?.[5]);
  return { kind: 'file', path, ...(line && { line }), ...(column && { column }) };
}

function number(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

// Markdown writes a space as %20; a name that really holds a percent sign stays as it is.
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
