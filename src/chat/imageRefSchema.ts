import { enum as oneOf, maxLength, number, object, optional, string, uuid } from 'zod/mini';
import type { ImageRef } from './imageProtocol';

/** A picture's name is a file's name or what we call it. */
export const MAX_IMAGE_NAME = 300;

/** As it stands in a file of ours; an id becomes part of a path, so it is looked at closely. */
export const imageRefSchema = object({
  id: uuid(),
  name: string().check(maxLength(MAX_IMAGE_NAME)),
  mediaType: oneOf(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  bytes: number(),
  width: optional(number()),
  height: optional(number()),
}) satisfies { readonly _zod: { readonly output: ImageRef } };
