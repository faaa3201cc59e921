import * as l10n from '@vscode/l10n';
import { cutText } from '../base/cutText';
import { jsonText } from '../base/jsonText';
import { isJsonObject } from '../protocol/lazySchema';
import { displayPath } from './displayPath';
import type { PermissionRequest } from './permissionRequest';
import { formatBytes } from './toolResult';
import type { PermissionCard } from './viewStateProtocol';
import { visibleText } from './visibleText';

/** Longer bodies are cut in the middle: both ends of what is asked stay in sight. */
export const BODY_LIMIT = 100_000;

/** Characters of one text inside an input that is shown as JSON. */
const STRING_LIMIT = 20_000;

export type PermissionBody = Pick<PermissionCard, 'body' | 'bodyKind' | 'isCut'>;

/** Which field of a tool's input is the thing itself. */
const BODY_FIELDS: ReadonlyMap<string, readonly [field: string, kind: PermissionBody['bodyKind']]> =
  new Map([
    ['Bash', ['command', 'command']],
    ['PowerShell', ['command', 'command']],
    ['Monitor', ['command', 'command']],
    ['Read', ['file_path', 'path']],
    ['WebFetch', ['url', 'url']],
    ['WebSearch', ['query', 'command']],
    ['ExitPlanMode', ['plan', 'command']],
  ]);

/** The thing itself, with what hides in it made visible. Cut first: an input may be megabytes. */
export function permissionBody(
  { tool_name: name, input }: PermissionRequest,
  folder: string | undefined,
): PermissionBody {
  const entry = BODY_FIELDS.get(name);
  const text = entry && isJsonObject(input) ? input[entry[0]] : undefined;
  if (entry && typeof text === 'string') {
    const body = entry[1] === 'path' ? displayPath(text, folder) : text;
    const isCut = body.length > BODY_LIMIT;
    return { body: shown(body), bodyKind: entry[1], ...(isCut ? { isCut } : {}) };
  }
  const whole = inputText(input);
  return { body: whole.text, bodyKind: 'json', ...(whole.isCut ? { isCut: true } : {}) };
}

/** All of it, for an editor; of an input that is no single text its JSON. */
export function wholeBody({ tool_name: name, input }: PermissionRequest): string {
  const field = BODY_FIELDS.get(name)?.[0];
  const text = field !== undefined && isJsonObject(input) ? input[field] : undefined;
  return visibleText(typeof text === 'string' ? text : jsonText(input));
}

/** Cut in the middle where it is too long to be read. */
export function boundBody(body: string): string {
  if (body.length <= BODY_LIMIT) return body;
  const half = BODY_LIMIT / 2;
  const left = body.length - BODY_LIMIT;
  const middle = l10n.t('… {0} characters are not shown …', left);
  return `${cutText(body, half)}\n${middle}\n${body.slice(-half)}`;
}

function shown(text: string): string {
  return visibleText(boundBody(text));
}

function inputText(input: unknown): { readonly text: string; readonly isCut: boolean } {
  const { size, longest, isWhole } = measure(input);
  const json = jsonText(input, { limit: BODY_LIMIT, stringLimit: STRING_LIMIT });
  if (isWhole && longest <= STRING_LIMIT && json.length <= BODY_LIMIT) {
    return { text: visibleText(json), isCut: false };
  }
  const note = isWhole
    ? l10n.t('… cut: the whole input has about {0} …', formatBytes(size))
    : l10n.t('… cut: the whole input has more than {0} …', formatBytes(size));
  return { text: `${visibleText(cutText(json, BODY_LIMIT))}\n${note}`, isCut: true };
}

/** So many values are counted; more are never shown. */
const VALUE_LIMIT = 100_000;

interface InputSize {
  /** Characters of all that was counted. */
  readonly size: number;
  /** Of the longest text. */
  readonly longest: number;
  readonly isWhole: boolean;
}

/** Measures a value that was read from JSON, at any depth. */
function measure(root: unknown): InputSize {
  const rest: unknown[] = [root];
  let size = 0;
  let longest = 0;
  for (let count = 0; rest.length > 0 && count < VALUE_LIMIT; count += 1) {
    const value = rest.pop();
    if (typeof value === 'string') {
      size += value.length + 3;
      longest = Math.max(longest, value.length);
    } else if (Array.isArray(value)) {
      size += 2;
      for (const inner of value.slice(0, VALUE_LIMIT)) rest.push(inner);
    } else if (typeof value === 'object' && value !== null) {
      size += 2;
      for (const key of Object.keys(value).slice(0, VALUE_LIMIT)) {
        size += key.length + 3;
        rest.push(Reflect.get(value, key));
      }
    } else size += 6;
  }
  return { size, longest, isWhole: rest.length === 0 };
}
