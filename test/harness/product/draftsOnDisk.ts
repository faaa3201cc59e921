import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** What the extension's draft files below this folder hold, all together. */
export async function draftsOnDisk(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true });
  const files = entries.filter((entry) => path.basename(entry) === 'drafts.json');
  const texts = await Promise.all(
    files.map((file) => readFile(path.join(folder, file), 'utf8').catch(() => '')),
  );
  return texts.join('\n');
}
