import type { ViewState } from '../../../src/chat/viewStateProtocol';
import { emptyState, text, tool } from './states';

/**
 * A long conversation, of turns that differ in height: `Question 7?`, and an answer that begins with
 * `Answer 7 `, with a list, code, a table or calls in some. Items are `u7` and `a7`.
 */
export function longTalk(turns: number): ViewState {
  return {
    ...emptyState(),
    title: 'A long talk',
    items: Array.from({ length: turns }, (_, n) => [
      { kind: 'user' as const, id: `u${n}`, text: `Question ${n}?` },
      { kind: 'assistant' as const, id: `a${n}`, blocks: blocksOf(n) },
    ]).flat(),
  };
}

function blocksOf(n: number) {
  const words = text(
    `x${n}`,
    `Answer ${n} ${'says some words. '.repeat(1 + ((n * 7) % 23))}${extra(n)}`.trimEnd(),
  );
  if (n % 5 !== 3) return [words];
  return [tool(`t${n}`, { summary: `file ${n}` }), words];
}

function extra(n: number): string {
  if (n % 4 === 1) return '\n\n- first\n- second\n- **third**';
  if (n % 7 === 2) return `\n\n\`\`\`ts\nconst value = ${n};\nexport default value;\n\`\`\``;
  if (n % 11 === 5) return `\n\n| file | uses |\n| --- | --- |\n| a.ts | ${n} |\n| b.ts | 2 |`;
  if (n % 13 === 6)
    return `\n\n${Array.from({ length: 20 }, (_, at) => `Line ${at}.`).join('\n\n')}`;
  return '';
}
