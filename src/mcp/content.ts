import { regexes } from 'zod/v4/core';
import { isRecord } from './wire';

type FieldCheck = (value: unknown) => boolean;
type Fields = readonly (readonly [key: string, fits: FieldCheck])[];

const text: FieldCheck = (value) => typeof value === 'string';
const optionalText = optional(text);
const base64: FieldCheck = (value) => typeof value === 'string' && isBase64(value);
const optionalRecord = optional(isRecord);

const MOMENT = regexes.datetime({ offset: true });
const ANNOTATIONS: Fields = [
  ['audience', optional(listOf((role) => role === 'user' || role === 'assistant'))],
  ['priority', optional((value) => typeof value === 'number' && value >= 0 && value <= 1)],
  ['lastModified', optional((value) => typeof value === 'string' && MOMENT.test(value))],
];
const ICON: Fields = [
  ['src', text],
  ['mimeType', optionalText],
  ['sizes', optional(listOf(text))],
  ['theme', optional((value) => value === 'light' || value === 'dark')],
];
const COMMON: Fields = [
  ['annotations', optional((value) => isRecordOf(value, ANNOTATIONS))],
  ['_meta', optionalRecord],
];
const FIELDS = new Map<string, Fields>([
  ['text', [['text', text], ...COMMON]],
  ['image', [['data', base64], ['mimeType', text], ...COMMON]],
  ['audio', [['data', base64], ['mimeType', text], ...COMMON]],
  ['resource', COMMON],
  [
    'resource_link',
    [
      ['uri', text],
      ['name', text],
      ['title', optionalText],
      ['description', optionalText],
      ['mimeType', optionalText],
      ['size', optional(Number.isFinite)],
      ['icons', optional(listOf((icon) => isRecordOf(icon, ICON)))],
      ...COMMON,
    ],
  ],
]);
const RESOURCE: Fields = [
  ['uri', text],
  ['mimeType', optionalText],
  ['text', optionalText],
  ['blob', optional(base64)],
  ['_meta', optionalRecord],
];

/**
 * What is wrong with a list of content blocks, which came through JSON; undefined when it is right.
 * A block that the CLI does not know makes the whole result an error there, with 4 KB of validator
 * output.
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
  const fields = typeof type === 'string' ? FIELDS.get(type) : undefined;
  if (fields === undefined) {
    return `.type ${typeof type === 'string' ? JSON.stringify(type) : 'missing'} is not text, image, audio, resource or resource_link`;
  }
  const fault = fieldFault(block, fields);
  if (fault !== undefined || type !== 'resource') return fault;
  const resource = block.resource;
  if (!isRecord(resource)) return '.resource is not an object';
  const inner = resourceFault(resource);
  return inner === undefined ? undefined : `.resource${inner}`;
}

/** What is wrong with the contents of a resource, undefined when they are right. */
export function resourceFault(resource: Record<string, unknown>): string | undefined {
  const fault = fieldFault(resource, RESOURCE);
  if (fault !== undefined) return fault;
  const some = resource.text !== undefined || resource.blob !== undefined;
  return some ? undefined : ' has neither text nor blob';
}

function fieldFault(value: Record<string, unknown>, fields: Fields): string | undefined {
  for (const [key, fits] of fields) {
    if (!fits(value[key])) return `.${key} is missing or not what it should be`;
  }
  return undefined;
}

function isRecordOf(value: unknown, fields: Fields): boolean {
  return isRecord(value) && fieldFault(value, fields) === undefined;
}

function optional(fits: FieldCheck): FieldCheck {
  return (value) => value === undefined || fits(value);
}

function listOf(fits: FieldCheck): FieldCheck {
  return (value) => Array.isArray(value) && value.every((one) => fits(one));
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
