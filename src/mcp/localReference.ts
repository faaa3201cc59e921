import type { JsonObject, JsonValue } from './wire';

/** What a `$ref` means. Local references only; any other admits every value. */
export function resolveReference(ref: string, root: JsonObject): JsonValue {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return true;
  let node: JsonValue | undefined = root;
  for (const part of ref.slice(2).split('/')) {
    const key = decode(part).replace(/~1/g, '/').replace(/~0/g, '~');
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return true;
    node = Array.isArray(node) ? node[Number(key)] : node[key];
  }
  return node ?? true;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
