/** What a link in the model's text may be. The host checks again before it opens anything. */
export type LinkKind = 'web' | 'path' | 'refused';

const WEB = new Set(['http', 'https', 'mailto']);

/**
 * Judges a link by its scheme. A place in a file (`src/a.ts:12`, `C:\a.ts`, `file:` too) is a path;
 * every scheme that is not named here is refused, `command:` and `javascript:` among them.
 */
export function linkKind(href: string): LinkKind {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(href) ?? [];
  if (scheme.length <= 1) return 'path';
  const name = scheme.toLowerCase();
  if (WEB.has(name)) return 'web';
  if (name === 'file') return 'path';
  // `a.ts:12:3` has the form of a scheme, but a file's name in front and only lines behind.
  return scheme.includes('.') && /^\d+(?:[:-]\d+)*$/.test(rest) ? 'path' : 'refused';
}

/**
 * What stands in `href`. The host opens every link after a check of its own, so this only has to be
 * harmless and readable back: what looks like a scheme but is a path is written as one.
 */
export function linkTarget(href: string): string {
  if (linkKind(href) !== 'path') return href;
  if (/^[a-z]:/i.test(href)) return `file:///${href.replace(/\\|%5C/gi, '/')}`;
  return /^[a-z][a-z0-9+.-]*:\d/i.test(href) ? `./${href}` : href;
}

/** A path as a link that is read as just that path: `100%25.md` and `log:12` may be names of files. */
export function pathHref(path: string): string {
  const drive = /^[a-z]:(?=[\\/])/i.exec(path)?.[0] ?? '';
  return drive + path.slice(drive.length).replace(/[%#:]/g, encodeURIComponent);
}
