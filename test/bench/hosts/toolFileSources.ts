/** Of each tool file. */
export const LINES = 100;

/** How much stands in a line. */
export type Density = 'ordinary' | 'dense';

/**
 * A tool file of a hundred lines whose tool says its mark.
 * @param more a line's rest, of further options
 */
export function toolFileSource(density: Density, mark: string, more = ''): string {
  const lines = head(mark, more);
  if (density === 'dense') {
    while (lines.length < LINES) {
      const at = lines.length;
      lines.push(
        `function helper${at}(one: number, two?: string): string { return two ?? String(one); }`,
      );
    }
    return lines.join('\n');
  }
  for (let at = 0; lines.length < LINES; at += 1) {
    lines.push(...(BLOCKS[at % BLOCKS.length]?.(at) ?? []));
  }
  return lines.join('\n');
}

function head(mark: string, more: string): string[] {
  return [
    "import { defineTool, z } from 'patchbay';",
    'export default defineTool({',
    `  description: 'Says its mark.',${more}`,
    "  input: { text: z.string().optional().describe('What') },",
    `  run: ({ text }) => \`${mark}\${text ?? ''}\`,`,
    '});',
  ];
}

/**
 * As the sample tool files are written: one statement a line, some forty characters in it. Twice all
 * of them, and the head, are a hundred lines.
 */
const BLOCKS: readonly ((at: number) => readonly string[])[] = [
  (at) => [
    '',
    '/** The longest of these words without the space around it; shorter ones are left out. */',
    `function longestWord${at}(words: readonly string[], least = ${at}): string | undefined {`,
    '  let found: string | undefined;',
    "  for (const word of words.map((one) => one.trim()).filter((one) => one !== '')) {",
    '    if (word.length < least || word.length < (found?.length ?? 0)) continue;',
    "    found = word.toLowerCase().replace(/[.,;:!?]+$/, '');",
    '  }',
    '  return found;',
    '}',
  ],
  (at) => [
    '',
    `interface Owner${at} {`,
    '  readonly name: string;',
    '  readonly patterns: readonly RegExp[];',
    '}',
    `function ownersOf${at}(owners: readonly Owner${at}[], file: string): readonly string[] {`,
    '  const found = owners.filter(({ patterns }) => patterns.some((one) => one.test(file)));',
    '  if (found.length === 0) return [`nobody owns ${file}`];',
    '  return found.map(({ name }) => name.toLowerCase()).sort((a, b) => a.localeCompare(b));',
    '}',
  ],
  (at) => [
    '',
    `async function countLines${at}(read: () => Promise<string>): Promise<Map<string, number>> {`,
    '  const counts = new Map<string, number>();',
    '  try {',
    "    for (const line of (await read()).split('\\n')) {",
    '      const key = line.slice(0, 20).trimEnd().replaceAll("\\t", " ");',
    '      counts.set(key, (counts.get(key) ?? 0) + 1);',
    '    }',
    '  } catch (error) {',
    `    counts.set(\`${at}: \${error instanceof Error ? error.message : String(error)}\`, 1);`,
    '  }',
    '  return new Map([...counts].filter(([, count]) => count > 1));',
    '}',
  ],
  (at) => [
    '',
    `/** What a person reads of a state, and what it leads to; undefined for one that is not known. */`,
    `function describeState${at}(state: 'open' | 'done' | 'failed' | 'waiting', tries: number) {`,
    '  switch (state) {',
    "    case 'open':",
    "      return { text: `tried ${tries} times so far`, next: ['done', 'failed', 'waiting'] };",
    "    case 'failed':",
    "      return { text: tries > 1 ? 'failed again' : 'failed', next: [] as string[] };",
    "    case 'waiting':",
    "      return { text: 'waits for the person to decide', next: ['open', 'failed'] };",
    "    case 'done':",
    '      return { text: `done with the ${tries}. try`, next: [] as string[] };',
    '  }',
    '}',
  ],
];
