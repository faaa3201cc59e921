import { type ImageType, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from '../chat/imageProtocol';

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** One way to write a picture anew. */
export interface Encoding extends PictureSize {
  readonly type: ImageType;
  /** From 0 to 1; absent for a kind that loses nothing. */
  readonly quality?: number;
}

/** Whether a picture goes as it is. */
export function fits({ width, height }: PictureSize, bytes: number): boolean {
  return Math.max(width, height) <= MAX_IMAGE_SIDE && bytes <= MAX_IMAGE_BYTES;
}

/** Longest sides, tried one after the other until the bytes are few enough. */
const SIDES = [MAX_IMAGE_SIDE, 1568, 1024];

/**
 * The ways to make a picture small enough, the best first. What may have text in it, or holes, stays
 * without loss as long as it can.
 */
export function encodings(size: PictureSize, type: ImageType): readonly Encoding[] {
  const kinds: readonly Pick<Encoding, 'type' | 'quality'>[] =
    type === 'image/jpeg'
      ? [{ type: 'image/jpeg', quality: 0.85 }]
      : [{ type: 'image/png' }, { type: 'image/webp', quality: 0.85 }];
  return SIDES.flatMap((side) => {
    const scaled = scaledTo(size, side);
    // Written once more without loss, and of the same size, it has as many bytes.
    const isSame = scaled.width === size.width && type === 'image/png';
    const worth = kinds.filter((kind) => !isSame || kind.quality !== undefined);
    return worth.map((kind) => ({ ...scaled, ...kind }));
  });
}

/** The size with which the longer side is at most this; never larger, never nothing. */
export function scaledTo({ width, height }: PictureSize, side: number): PictureSize {
  const factor = Math.min(1, side / Math.max(width, height));
  const scaled = (length: number) => Math.max(1, Math.round(length * factor));
  return { width: scaled(width), height: scaled(height) };
}
