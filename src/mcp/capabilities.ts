import { copyJson } from './results';
import { isRecord, type ServerCapabilities } from './wire';

/** What is declared of these is true or false, of all others an object. */
const HAVE_FLAGS = new Set(['tools', 'resources', 'prompts']);

/** What is of the wrong kind is left out; `true` was meant as an object. */
export function readCapabilities(given: Readonly<Record<string, unknown>>): ServerCapabilities {
  const read = (name: string, value: unknown): [string, object][] => {
    if (value === true) return [[name, {}]];
    if (!isRecord(value)) return [];
    const fits = (one: unknown): boolean =>
      HAVE_FLAGS.has(name) ? typeof one === 'boolean' : isRecord(one);
    return [[name, Object.fromEntries(Object.entries(value).filter(([, one]) => fits(one)))]];
  };
  return Object.fromEntries(Object.entries(given).flatMap(([name, value]) => read(name, value)));
}

/**
 * What an author declares besides: it adds to what is declared, and takes nothing of it away. For a
 * field of the wrong kind the CLI would mark the server as failed without a word.
 */
export function addCapabilities(declared: ServerCapabilities, more: unknown): ServerCapabilities {
  const all = new Map<string, object>(Object.entries(declared));
  for (const [name, value] of Object.entries(asJson(more))) {
    all.set(name, { ...all.get(name), ...value });
  }
  return Object.fromEntries(all);
}

function asJson(given: unknown): Record<string, object> {
  if (!isRecord(given)) return {};
  try {
    const copy = copyJson(given);
    return isRecord(copy) ? { ...readCapabilities(copy) } : {};
  } catch {
    // It contains itself.
    return {};
  }
}
