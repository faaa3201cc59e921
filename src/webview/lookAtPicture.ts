import * as l10n from '@vscode/l10n';
import {
  IMAGE_HEAD,
  type ImageType,
  imageTypeOf,
  MAX_IMAGE_BYTES,
  MAX_IMAGE_FILE,
  unreadableImage,
} from '../chat/imageProtocol';
import { encodings, fits, type PictureSize, scaledTo } from './pictureFit';

/** A picture that can be sent. */
export interface ReadyPicture extends PictureSize {
  readonly blob: Blob;
  readonly mediaType: ImageType;
  /** It was made smaller. */
  readonly isScaled: boolean;
}

/** Pixels of the longer side of what is drawn in the panel; twice that on a fine screen. */
const THUMB_SIDE = 320;

/**
 * Looks at a file by its bytes, and makes a picture that is too large for the model smaller.
 * @throws Error with what to tell the person
 */
export async function lookAtPicture(file: Blob, name: string): Promise<ReadyPicture> {
  if (file.size > MAX_IMAGE_FILE) throw new Error(tooLarge(name, file.size, MAX_IMAGE_FILE));
  const head = new Uint8Array(await file.slice(0, IMAGE_HEAD).arrayBuffer());
  const type = imageTypeOf(head);
  if (type === undefined) throw new Error(unreadableImage(name, head));
  // What the file says of itself may be wrong.
  const blob = new Blob([file], { type });
  const bitmap = await drawable(blob, name);
  try {
    const { width, height } = bitmap;
    if (fits(bitmap, blob.size)) return { blob, mediaType: type, width, height, isScaled: false };
    return await smaller(bitmap, type, name);
  } finally {
    bitmap.close();
  }
}

/** A small copy to be drawn. Rejects for what is no picture. */
export async function thumbOf(blob: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(blob);
  try {
    const size = scaledTo(bitmap, THUMB_SIDE);
    return await encode(bitmap, size, 'image/webp', 0.8);
  } finally {
    bitmap.close();
  }
}

async function smaller(bitmap: ImageBitmap, type: ImageType, name: string): Promise<ReadyPicture> {
  let bytes = 0;
  for (const { width, height, type: wanted, quality } of encodings(bitmap, type)) {
    const blob = await encode(bitmap, { width, height }, wanted, quality);
    bytes = blob.size;
    // A browser that cannot write the wanted kind writes another one.
    const head = new Uint8Array(await blob.slice(0, IMAGE_HEAD).arrayBuffer());
    const mediaType = imageTypeOf(head);
    if (mediaType !== undefined && bytes <= MAX_IMAGE_BYTES) {
      return { blob, mediaType, width, height, isScaled: true };
    }
  }
  throw new Error(tooLarge(name, bytes, MAX_IMAGE_BYTES));
}

async function drawable(blob: Blob, name: string): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(blob);
  } catch {
    throw new Error(l10n.t('{0} is damaged, or too large to be drawn.', name));
  }
}

function encode(
  bitmap: ImageBitmap,
  { width, height }: PictureSize,
  type: string,
  quality?: number,
): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('No canvas');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('Not drawn'))), type, quality);
  });
}

function tooLarge(name: string, bytes: number, most: number): string {
  return l10n.t(
    '{0} has {1}; a picture may have {2} at most.',
    name,
    megabytes(bytes),
    megabytes(most),
  );
}

function megabytes(bytes: number): string {
  return l10n.t('{0} MB', (bytes / 1_000_000).toFixed(1).replace(/\.0$/, ''));
}
