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

const MAX_LENGTH = 2_048;
/** Of values that may hold everything: more than two make matching slow for a long wrong text. */
const MAX_GREEDY = 2;
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
  const pattern = new RegExp(`^${parts.map(source).join('')}$`, 'u');
  return {
    template,
    variables,
    match: (uri) => (uri.length > MAX_LENGTH ? undefined : read(pattern.exec(uri), parts)),
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

function source(part: Part): string {
  if (typeof part === 'string') return part.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
  const { operator, names } = part;
  switch (operator) {
    case '?':
      return String.raw`(?:\?([^#]*))?`;
    case '&':
      return String.raw`((?:&[^#]*)?)`;
    case '+':
      return names.map(() => '(.+?)').join(',');
    case '#':
      return `#${names.map(() => '(.+?)').join(',')}`;
    case '/':
      return names.map(() => String.raw`\/([^\/?#]+)`).join('');
    case '.':
      return names.map(() => String.raw`\.([^\/?#.]+)`).join('');
    default:
      return names.map(() => String.raw`([^\/?#&,]+)`).join(',');
  }
}

function read(
  found: RegExpExecArray | null,
  parts: readonly Part[],
): Readonly<Record<string, string>> | undefined {
  if (found === null) return undefined;
  const values: Record<string, string> = {};
  const set = (name: string, value: string): void => {
    Object.defineProperty(values, name, { value: decode(value), enumerable: true });
  };
  let group = 1;
  for (const part of parts) {
    if (typeof part === 'string') continue;
    if (part.operator === '?' || part.operator === '&') {
      readQuery(found[group] ?? '', part.names, set);
      group += 1;
      continue;
    }
    for (const name of part.names) {
      set(name, found[group] ?? '');
      group += 1;
    }
  }
  return values;
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
