import { readFile } from 'node:fs/promises';
import path from 'node:path';

export interface OwnerRule {
  readonly pattern: string;
  readonly owner: string;
}

/** The rules of a CODEOWNERS file, of which the last that fits counts; none where there is no file. */
export async function readOwners(folder: string): Promise<readonly OwnerRule[]> {
  for (const file of ['CODEOWNERS', '.github/CODEOWNERS', 'docs/CODEOWNERS']) {
    const text = await readFile(path.join(folder, file), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    return text.split('\n').flatMap((line: string) => {
      const [pattern = '', owner] = line.replace(/#.*/, '').trim().split(/\s+/);
      return owner === undefined ? [] : [{ pattern, owner }];
    });
  }
  return [];
}

/** `*`, `*.ts`, `/src/` and `src/a.ts`; enough for most. */
export function ownerOf(rules: readonly OwnerRule[], file: string): string {
  const fits = ({ pattern }: OwnerRule): boolean => {
    if (pattern === '*') return true;
    if (pattern.startsWith('*')) return file.endsWith(pattern.slice(1));
    const plain = pattern.replace(/^\//, '');
    return file === plain || file.startsWith(plain.endsWith('/') ? plain : `${plain}/`);
  };
  return rules.findLast(fits)?.owner ?? 'nobody';
}
