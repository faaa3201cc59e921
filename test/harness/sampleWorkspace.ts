import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { existsSync } from 'node:fs';
import { inRoot } from './paths';

/** Copies the sample workspace to `folder`, unless that holds something already. Returns `folder`. */
export async function sampleWorkspace(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) return folder;
  const sample = inRoot('test/fixtures/sample');
  if (existsSync(sample)) await cp(sample, folder, { recursive: true });
  else
    await writeFile(path.join(folder, 'sample.ts'), "export const n: number = 'not a number';\n");
  return folder;
}
