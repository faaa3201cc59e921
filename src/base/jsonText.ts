import { cutText } from './cutText';

export interface JsonTextOptions {
  /** Writing stops soon after so many characters: the caller cuts what is above. */
  readonly limit?: number;
  /** Longer strings inside are cut, with an ellipsis. Property names are never cut. */
  readonly stringLimit?: number;
}

/** Deeper levels are written in one line: their indentation alone would be megabytes. */
const INDENTED_LEVELS = 32;

interface Level {
  readonly value: object;
  /** Undefined for an array. */
  readonly keys: readonly string[] | undefined;
  readonly size: number;
  next: number;
}

/**
 * What `JSON.stringify(value, undefined, 2)` gives for a value that was read from JSON, in time and
 * size linear in the value and at any depth: `stringify` throws at some thousand levels, and a few
 * kilobytes of brackets become a hundred megabytes of indentation before that.
 */
export function jsonText(root: unknown, options: JsonTextOptions = {}): string {
  const { limit = Infinity, stringLimit = Infinity } = options;
  const levels: Level[] = [];
  let text = openValue(root, levels, stringLimit);
  for (let level = levels.at(-1); level && text.length <= limit; level = levels.at(-1)) {
    if (level.next === level.size) {
      levels.pop();
      text += lineBreak(levels.length) + (level.keys ? '}' : ']');
      continue;
    }
    const at = level.next;
    level.next += 1;
    const key = level.keys?.[at];
    text += (at > 0 ? ',' : '') + lineBreak(levels.length);
    if (key !== undefined) text += `${JSON.stringify(key)}: `;
    // An own property of an array or object, as `keys` and `size` say.
    text += openValue(Reflect.get(level.value, key ?? at), levels, stringLimit);
  }
  return text;
}

/** A leaf as a whole; of an array or object the bracket, and the rest as a new level. */
function openValue(value: unknown, levels: Level[], stringLimit: number): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > stringLimit ? `${cutText(value, stringLimit)}…` : value);
  }
  if (typeof value !== 'object' || value === null) {
    return value === undefined ? 'null' : JSON.stringify(value);
  }
  const keys = Array.isArray(value) ? undefined : Object.keys(value);
  const size = keys?.length ?? (value as readonly unknown[]).length;
  if (size === 0) return keys ? '{}' : '[]';
  levels.push({ value, keys, size, next: 0 });
  return keys ? '{' : '[';
}

function lineBreak(depth: number): string {
  return depth > INDENTED_LEVELS ? '' : `\n${'  '.repeat(depth)}`;
}
