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

const HTML =
  'a|abbr|b|blockquote|br|center|code|dd|del|details|div|dl|dt|em|font|h[1-6]|hr|i|img|ins|kbd|li|ol|p|pre|s|samp|small|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|tt|u|ul';
/** Code and links first: nothing inside of them is taken for a tag. Other tags may be type arguments. */
const PIECES = new RegExp(
  [
    /(?<code>`+[^`]+`+)/u,
    /!\[[^\]]*\]\([^)]*\)/u,
    /\[(?<label>(?:`[^`]*`|[^\]`])*)\]\([^)]*\)/u,
    new RegExp(
      `</?(?:${HTML})(?:\\s+[\\w:-]+\\s*=\\s*(?:"[^"]*"|'[^']*'|[^\\s"'>]+))*\\s*/?>`,
      'u',
    ),
    /(?<space>&nbsp;)/u,
    /\\(?<escaped>[\\`*_{}[\]()#+\-.!<>|])/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'giu',
);

/** Links lose their target, pictures and HTML go, escapes are taken back; code stays as it is. */
function plainText(markdown: string): string {
  return markdown
    .replace(/^[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*$/gmu, '')
    .replace(PIECES, (...found: unknown[]) => {
      // The last argument of a pattern that has named groups.
      const groups = found.at(-1) as Readonly<Record<string, string | undefined>>;
      if (groups.label !== undefined) return plainText(groups.label);
      return groups.code ?? groups.escaped ?? (groups.space === undefined ? '' : ' ');
    })
    .trim();
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map((text) => text.trim()))].filter((text) => text !== '');
}
