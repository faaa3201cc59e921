import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes a file as a whole: whoever reads it meanwhile, and a kill in the middle, meet the old content
 * or the new one. Of several that write at once the last one stands.
 *
 * @param file absolute; its folder is there
 * @param mode of a new file, as `open` takes it
 * @throws what writing throws; nothing is left beside the file then
 */
export async function replaceFile(
  file: string,
  content: Uint8Array | string,
  mode?: number,
): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, content, { mode });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}
