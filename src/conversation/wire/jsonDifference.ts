import { cutText } from '../../base/cutText';

const MAX_SHOWN = 120;

/**
 * The first place in which two JSON values differ, in words; undefined where they are the same. The
 * order of fields says nothing.
 */
export function jsonDifference(was: unknown, is: unknown, path = ''): string | undefined {
  if (Object.is(was, is)) return undefined;
  if (Array.isArray(was) && Array.isArray(is)) {
    const length = Math.max(was.length, is.length);
    return firstOf(length, (at) => jsonDifference(was[at], is[at], `${path}[${at}]`));
  }
  if (isObject(was) && isObject(is)) {
    const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])];
    return firstOf(fields.length, (at) => {
      const field = fields[at] ?? '';
      const inner = path === '' ? field : `${path}.${field}`;
      return jsonDifference(own(was, field), own(is, field), inner);
    });
  }
  return `${path === '' ? 'it' : path} was ${shown(was)}, is ${shown(is)}`;
}

function firstOf(
  count: number,
  differenceAt: (at: number) => string | undefined,
): string | undefined {
  for (let at = 0; at < count; at += 1) {
    const difference = differenceAt(at);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function own(value: object, field: string): unknown {
  return Object.hasOwn(value, field) ? Reflect.get(value, field) : undefined;
}

function shown(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${cutText(text, MAX_SHOWN)}…` : text;
}
