import { isRecord, type JsonObject, type JsonValue } from './wire';

/** What a `$ref` means. Local references only; any other admits every value. */
export function resolveReference(ref: string, root: JsonObject): JsonValue {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return anchorsOf(root).get(ref) ?? true;
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

const anchors = new WeakMap<JsonObject, ReadonlyMap<string, JsonObject>>();

/** The parts of a schema that have a name, by `#name`. */
function anchorsOf(root: JsonObject): ReadonlyMap<string, JsonObject> {
  const known = anchors.get(root);
  if (known !== undefined) return known;
  const found = new Map<string, JsonObject>();
  const look = (part: JsonValue | undefined): void => {
    if (Array.isArray(part)) part.forEach((one) => look(one));
    if (!isRecord(part)) return;
    if (typeof part.$anchor === 'string') found.set(`#${part.$anchor}`, part);
    Object.values(part).forEach((one) => look(one));
  };
  look(root);
  anchors.set(root, found);
  return found;
}
