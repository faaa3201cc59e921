/** A place in a file that a text names. */
export interface FilePlace {
  readonly start: number;
  readonly end: number;
  /** `src/a.ts:12:3`, as a link of the transcript is written. */
  readonly href: string;
}

/** One part of a path. Brackets are in the names of routes; blanks would take in the words before. */
const PART = '[\\p{L}\\p{N}_@.+~$\\[\\]%=-]';
/** A folder; those of routes stand in round brackets: `app/(shop)/page.tsx`. */
const FOLDER = `(?:${PART}{1,100}|\\(${PART}{1,98}\\))`;
/**
 * A file with an extension, and behind it where in it: `:12`, `:12:3`, `:12-20`, `(12,3)`, `#L12`,
 * `#L12-L20`. Each repetition is bounded, so that no text makes it slow.
 */
const PLACE = new RegExp(
  '(?=[:(#]L?\\d)' +
    `(?<=(?<![\\p{L}\\p{N}_/\\\\.:@~$%=+)-])((?:file://)?(?:[A-Za-z]:(?=[\\\\/]))?[\\\\/]{0,2}(?:${FOLDER}[\\\\/]){0,30}` +
    `${PART}{0,100}\\.([A-Za-z][A-Za-z0-9]{0,9})))` +
    '(?::(\\d{1,7})(?::(\\d{1,6}))?(?:-\\d{1,7})?|\\((\\d{1,7}),(\\d{1,6})\\)|#L(\\d{1,7})(?:-L?\\d{1,7})?)' +
    '(?![\\p{L}\\p{N}_/])',
  'gu',
);

/** `example.com:443` is a machine, not a file. */
const DOMAINS = new Set(['com', 'org', 'net', 'io', 'dev', 'app', 'local', 'invalid', 'test']);

/** The places in files that the text names, in order. A file alone, without a line, is none. */
export function findFilePlaces(text: string): FilePlace[] {
  if (!/[:(#]L?\d/.test(text)) return [];
  let last = 0;
  return [...text.matchAll(PLACE)].flatMap((match) => {
    const [
      behindPath,
      path = '',
      extension = '',
      line,
      column,
      bracketLine,
      bracketColumn,
      hashLine,
    ] = match;
    const isBare = !/[\\/]/.test(path);
    if (isBare && DOMAINS.has(extension.toLowerCase())) return [];
    const start = match.index - path.length;
    if (start < last) return [];
    last = match.index + behindPath.length;
    const at = line ?? bracketLine ?? hashLine ?? '1';
    const behind = column ?? bracketColumn;
    const href = `${path}:${at}${behind === undefined ? '' : `:${behind}`}`;
    return [{ start, end: last, href }];
  });
}

const WHOLE_LINE = new RegExp(
  `^((?:[A-Za-z]:(?=[\\\\/]))?[\\\\/]{0,2}(?:${FOLDER}[\\\\/]){0,30}${PART}{0,100}\\.[A-Za-z][A-Za-z0-9]{0,9})\\r?$`,
  'u',
);
const NUMBERED = /^([ \t]*)(\d{1,7})(?::(\d{1,6}))?(?=[:\s])/;

/**
 * The places in the output of a tool: as {@link findFilePlaces}, and in lists, where a file has a line
 * of its own and each line below it begins with a place in it.
 */
export function findListedPlaces(text: string): FilePlace[] {
  const places = findFilePlaces(text);
  const taken = new Set(places.map(({ start }) => start));
  let file: string | undefined;
  let from = 0;
  for (const line of text.split('\n')) {
    const start = from;
    from += line.length + 1;
    const path = WHOLE_LINE.exec(line)?.[1];
    const numbered = file === undefined ? null : NUMBERED.exec(line);
    if (path !== undefined) {
      file = path;
      const isPath = /[\\/]/.test(path) || NUMBERED.test(text.slice(from, from + 40));
      if (isPath) places.push({ start, end: start + path.length, href: path });
    } else if (numbered && file !== undefined) {
      const [all, indent = '', number = '', column] = numbered;
      const at = start + indent.length;
      const href = `${file}:${number}${column === undefined ? '' : `:${column}`}`;
      if (!taken.has(at)) places.push({ start: at, end: start + all.length, href });
    } else if (line.trim() === '' || !/^[ \t]/.test(line)) {
      file = undefined;
    }
  }
  let end = 0;
  return places
    .sort((a, b) => a.start - b.start)
    .filter((place) => {
      const isApart = place.start >= end;
      if (isApart) end = place.end;
      return isApart;
    });
}
