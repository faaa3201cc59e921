import { oneLine } from './resultBudget';

/** What a hover says, as its parts in markdown; from several providers maybe. */
export type HoverParts = readonly string[];

const SIGNATURE_LIMIT = 400;
const DOC_LIMIT = 300;
const FENCE = /^[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^[ \t]*\1[^\n]*$/gmu;

/** At most three lines: signatures (what stands in code blocks), then the doc; equal ones once. */
export function formatHover(parts: HoverParts): readonly string[] {
  const codes: string[] = [];
  const docs: string[] = [];
  for (const part of parts) {
    const doc = part.replace(FENCE, (_, _fence, code: string) => {
      codes.push(code);
      return '\n';
    });
    docs.push(plainText(doc));
  }
  const signatures = unique(codes.map((code) => oneLine(code, SIGNATURE_LIMIT)));
  const text = oneLine(unique(docs).join(' '), DOC_LIMIT);
  return [...signatures.slice(0, 2), ...(text === '' ? [] : [text])];
}

/** Links lose their target, pictures and HTML go, escapes are taken back. */
function plainText(markdown: string): string {
  return markdown
    .replace(/!\[[^\]]*\]\([^)]*\)/gu, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replace(/<\/?[a-z][^>]*>/giu, '')
    .replace(/^[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*$/gmu, '')
    .replace(/&nbsp;/gu, ' ')
    .replace(/\\([\\`*_{}[\]()#+\-.!<>|])/gu, '$1')
    .trim();
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map((text) => text.trim()))].filter((text) => text !== '');
}
