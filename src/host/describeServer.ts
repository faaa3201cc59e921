import { visibleText } from '../chat/visibleText';
import { maskSecrets } from '../base/maskSecrets';
import { isJsonObject } from '../protocol/lazySchema';

/**
 * A server's entry as the person reads it before it may start: the whole of it, a line for each
 * field, with what cannot be seen made visible. Variables stand as they were written.
 */
export function describeServer(value: unknown): string {
  if (!isJsonObject(value)) return visibleText(JSON.stringify(value));
  const { type, command, args, url, ...rest } = value;
  const list: readonly unknown[] = Array.isArray(args) ? args : [args];
  const words = [command, ...list];
  const line = words.filter((word) => word !== undefined).map(quoted);
  const lines = [
    ...(line.length > 0 ? [line.join(' ')] : []),
    ...(url === undefined ? [] : [quoted(url)]),
    ...fieldsOf({ ...rest, ...(type === undefined || type === 'stdio' ? {} : { type }) }),
  ];
  return visibleText(lines.join('\n'));
}

/** One line for a list: the program or the address, without what may be a secret. */
export function briefServer({ command, args, url }: Readonly<Record<string, unknown>>): string {
  return maskSecrets(describeServer({ command, args, url }));
}

function fieldsOf(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields).flatMap(([field, value]) =>
    isJsonObject(value)
      ? Object.entries(value).map(([key, item]) => `${field} ${key}=${quoted(item)}`)
      : [`${field}: ${quoted(value)}`],
  );
}

/** Quotes what would not be one word in a shell, so that the ends of arguments can be seen. */
function quoted(value: unknown): string {
  return typeof value === 'string' && /^[\w@%+=:,./\\${}-]+$/.test(value)
    ? value
    : JSON.stringify(value);
}
