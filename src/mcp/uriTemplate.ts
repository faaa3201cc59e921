import { DefinitionError } from './definitionError';

/** A URI with places for variables, as far as MCP servers use RFC 6570. */
export interface UriTemplate {
  readonly template: string;
  /** In their order; empty for a fixed URI. */
  readonly variables: readonly string[];
  /** The decoded values when the URI fits; a variable of the query may be absent. */
  match(uri: string): Readonly<Record<string, string>> | undefined;
  expand(values: Readonly<Record<string, string>>): string;
}

interface Expression {
  readonly operator: string;
  readonly names: readonly string[];
}
type Part = string | Expression;

/** A place for one value of at least one character, or for the query of these names. */
interface Hole {
  readonly name: string;
  /** Characters that the value cannot have. */
  readonly stops: string;
  /** Takes as little as it can; else as much. */
  readonly isShort: boolean;
}
interface Query {
  readonly names: readonly string[];
  readonly mark: string;
}
type Token = string | Hole | Query;

const MAX_LENGTH = 2_048;
/** Of values that may hold everything: with more of them nobody could tell which one holds what. */
const MAX_GREEDY = 2;
/** What `.` of a regular expression does not take, of old. */
const LINE_ENDS = '\n\r\u2028\u2029';
const NAME = /^[A-Za-z0-9_]{1,64}$/;

/**
 * Understands `{a}`, `{a,b}`, `{+a}`, `{#a}`, `{.a}`, `{/a}`, `{?a,b}`, `{&a}`; a star is dropped.
 * @throws DefinitionError for what it does not understand, or what could be read in two ways
 */
export function parseUriTemplate(template: string): UriTemplate {
  const fault = (reason: string): DefinitionError =>
    new DefinitionError(`uri ${JSON.stringify(template.slice(0, 80))} ${reason}`);
  if (template === '' || template.length > MAX_LENGTH) {
    throw fault(`needs 1 to ${MAX_LENGTH} characters`);
  }
  const parts = split(template, fault);
  const variables = parts.flatMap((part) => (typeof part === 'string' ? [] : part.names));
  if (new Set(variables).size < variables.length) throw fault('names a variable twice');
  checkOrder(parts, fault);
  const tokens = parts.flatMap(tokensOf).filter((token) => token !== '');
  return {
    template,
    variables,
    match: (uri) => (uri.length > MAX_LENGTH ? undefined : read(uri, tokens)),
    expand: (values) => parts.map((part) => fill(part, values)).join(''),
  };
}

function split(template: string, fault: (reason: string) => Error): Part[] {
  const parts: Part[] = [];
  for (const piece of template.split(/(\{[^{}]*\})/u)) {
    if (piece === '') continue;
    if (!piece.startsWith('{')) {
      if (/[{}]/u.test(piece)) throw fault('has a brace that is not closed');
      parts.push(piece);
      continue;
    }
    const [, operator = '', list = ''] = /^\{([+#./?&]?)(.*)\}$/u.exec(piece) ?? [];
    const names = list.split(',').map((name) => name.replace(/\*$/u, ''));
    const odd = names.find((name) => !NAME.test(name));
    if (odd !== undefined) throw fault(`has ${JSON.stringify(piece)}, which is not understood`);
    parts.push({ operator, names });
  }
  return parts;
}

function checkOrder(parts: readonly Part[], fault: (reason: string) => Error): void {
  let greedy = 0;
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') continue;
    const next = parts[index + 1];
    const isQuery = part.operator === '?' || part.operator === '&';
    if (part.operator === '+' || part.operator === '#') greedy += part.names.length;
    if (isQuery && next !== undefined) throw fault('has something behind its query');
    if (typeof next === 'object' && (next.operator === '' || next.operator === '+')) {
      throw fault('has two variables with nothing between them');
    }
  }
  if (greedy > MAX_GREEDY) throw fault('has too many variables that may hold a slash');
}

function tokensOf(part: Part): readonly Token[] {
  if (typeof part === 'string') return [part];
  const { operator, names } = part;
  const holes = (before: string, stops: string, first = before): Token[] =>
    names.flatMap((name, at) => [
      at === 0 ? first : before,
      { name, stops, isShort: stops === LINE_ENDS },
    ]);
  switch (operator) {
    case '?':
    case '&':
      return [{ names, mark: operator }];
    case '+':
      return holes(',', LINE_ENDS, '');
    case '#':
      return holes(',', LINE_ENDS, '#');
    case '/':
      return holes('/', '/?#');
    case '.':
      return holes('.', '/?#.');
    default:
      return holes(',', '/?#&,', '');
  }
}

function read(uri: string, tokens: readonly Token[]): Readonly<Record<string, string>> | undefined {
  const [first] = tokens;
  if (typeof first === 'string' && !uri.startsWith(first)) return undefined;
  const fits = findFits(uri, tokens);
  if (fits[0]?.[0] !== 1) return undefined;
  const values: Record<string, string> = {};
  const set = (name: string, value: string): void => {
    Object.defineProperty(values, name, { value: decode(value), enumerable: true });
  };
  let start = 0;
  for (const [index, token] of tokens.entries()) {
    if (typeof token === 'string') {
      start += token.length;
    } else if ('names' in token) {
      readQuery(uri.slice(start + 1), token.names, set);
    } else {
      const end = endOf(uri, start, token, fits[index + 1]);
      set(token.name, uri.slice(start, end));
      start = end;
    }
  }
  return values;
}

/**
 * Where in the URI the tokens from each one on fit the whole rest. Found from the end, each place
 * once: trying the ways one after the other, as a regular expression does, takes longer than
 * anybody waits for a text of 2,000 dashes and a template with a few of them.
 */
function findFits(uri: string, tokens: readonly Token[]): readonly Uint8Array[] {
  const { length } = uri;
  let behind = new Uint8Array(length + 1);
  behind[length] = 1;
  const fits = [behind];
  for (const token of tokens.toReversed()) {
    const here = new Uint8Array(length + 1);
    if (typeof token === 'string') {
      for (let at = uri.indexOf(token); at !== -1; at = uri.indexOf(token, at + 1)) {
        here[at] = behind[at + token.length] ?? 0;
      }
    } else if ('names' in token) {
      here[length] = 1;
      const hash = uri.lastIndexOf('#');
      for (let at = hash + 1; at < length; at += 1) here[at] = uri[at] === token.mark ? 1 : 0;
    } else {
      let fitsFrom = 0;
      for (let at = length - 1; at >= 0; at -= 1) {
        if (token.stops.includes(uri.charAt(at))) fitsFrom = 0;
        else if (behind[at + 1] === 1) fitsFrom = 1;
        here[at] = fitsFrom;
      }
    }
    fits.unshift(here);
    behind = here;
  }
  return fits;
}

/** Where the value ends that starts here: at the first or the last place where the rest fits. */
function endOf(uri: string, start: number, hole: Hole, behind: Uint8Array | undefined): number {
  let end = start;
  for (let at = start; at < uri.length && !hole.stops.includes(uri.charAt(at)); at += 1) {
    if (behind?.[at + 1] !== 1) continue;
    end = at + 1;
    if (hole.isShort) break;
  }
  return end;
}

function readQuery(
  query: string,
  names: readonly string[],
  set: (name: string, value: string) => void,
): void {
  const seen = new Set<string>();
  for (const pair of query.split('&')) {
    const at = pair.indexOf('=');
    const name = at === -1 ? pair : pair.slice(0, at);
    if (!names.includes(name) || seen.has(name)) continue;
    seen.add(name);
    set(name, at === -1 ? '' : pair.slice(at + 1));
  }
}

function fill(part: Part, values: Readonly<Record<string, string>>): string {
  if (typeof part === 'string') return part;
  const { operator, names } = part;
  const given = names.filter((name) => Object.hasOwn(values, name));
  if (given.length === 0) return '';
  const whole = operator === '+' || operator === '#';
  const encode = (name: string): string =>
    whole ? encodeURI(values[name] ?? '') : encodeURIComponent(values[name] ?? '');
  const pair = (name: string): string => `${name}=${encode(name)}`;
  switch (operator) {
    case '?':
    case '&':
      return `${operator}${given.map(pair).join('&')}`;
    case '/':
    case '.':
      return given.map((name) => `${operator}${encode(name)}`).join('');
    default:
      return `${operator === '#' ? '#' : ''}${given.map(encode).join(',')}`;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
