/**
 * A text as it stands, inside markdown: what a tool, a server or a file says is never read as
 * markdown, HTML or a link. Line breaks stay.
 */
export function plainInMarkdown(text: string): string {
  return text
    .replace(/[\\`*_{}[\]()#+\-.!|~<>&:@$]/g, (char) => `&#${char.charCodeAt(0)};`)
    .replace(/\r\n?|\n/g, '  \n');
}

/** The same inside of a code span, which reads nothing but its end. */
export function codeInMarkdown(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const ticks = '`'.repeat(longestRun(line) + 1);
  return line === '' ? '' : `${ticks} ${line} ${ticks}`;
}

/** The same as a block of its own, in a language for the colours. */
export function blockInMarkdown(text: string, language = ''): string {
  const ticks = '`'.repeat(Math.max(2, longestRun(text)) + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
