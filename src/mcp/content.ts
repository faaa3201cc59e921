import { isRecord } from './wire';

type FieldCheck = (value: unknown) => boolean;
const text: FieldCheck = (value) => typeof value === 'string';
const optionalText: FieldCheck = (value) => value === undefined || typeof value === 'string';
const base64: FieldCheck = (value) => typeof value === 'string' && isBase64(value);
const optionalBase64: FieldCheck = (value) => value === undefined || base64(value);

const FIELDS = new Map<string, Readonly<Record<string, FieldCheck>>>([
  ['text', { text }],
  ['image', { data: base64, mimeType: text }],
  ['audio', { data: base64, mimeType: text }],
  ['resource_link', { uri: text, name: text, description: optionalText, mimeType: optionalText }],
]);
const RESOURCE = { uri: text, mimeType: optionalText, text: optionalText, blob: optionalBase64 };

/**
 * What is wrong with a list of content blocks, undefined when it is right. A block that the CLI
 * does not know makes the whole result an error there, with 4 KB of validator output.
 */
export function contentFault(blocks: readonly unknown[]): string | undefined {
  for (const [index, block] of blocks.entries()) {
    const fault = blockFault(block);
    if (fault !== undefined) return `content[${index}]${fault}`;
  }
  return undefined;
}

function blockFault(block: unknown): string | undefined {
  if (!isRecord(block)) return ' is not an object';
  const type = block.type;
  if (type === 'resource') {
    const resource = block.resource;
    if (!isRecord(resource)) return '.resource is not an object';
    const fault = resourceFault(resource);
    return fault === undefined ? undefined : `.resource${fault}`;
  }
  const fields = typeof type === 'string' ? FIELDS.get(type) : undefined;
  if (fields === undefined) {
    return `.type ${typeof type === 'string' ? JSON.stringify(type) : 'missing'} is not text, image, audio, resource or resource_link`;
  }
  return fieldFault(block, fields);
}

/** What is wrong with the contents of a resource, undefined when they are right. */
export function resourceFault(resource: Record<string, unknown>): string | undefined {
  const fault = fieldFault(resource, RESOURCE);
  if (fault !== undefined) return fault;
  const some = resource.text !== undefined || resource.blob !== undefined;
  return some ? undefined : ' has neither text nor blob';
}

function fieldFault(
  value: Record<string, unknown>,
  fields: Readonly<Record<string, FieldCheck>>,
): string | undefined {
  const bad = Object.entries(fields).find(([key, fits]) => !fits(value[key]));
  return bad === undefined ? undefined : `.${bad[0]} is missing or not what it should be`;
}

/** Strict alphabet; missing padding is forgiven. */
function isBase64(value: string): boolean {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(value) && value.replace(/=+$/, '').length % 4 !== 1;
}

/** base64; without Buffer in pieces, since a call takes only so many arguments. */
export function toBase64(bytes: Uint8Array): string {
  // Node's own takes a hundredth of the time, in which the extension host stands still.
  if (typeof Buffer === 'function') {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  }
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x6000) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 0x6000))));
  }
  return parts.join('');
}
