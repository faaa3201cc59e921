/** As text boxes and patterns know them: an editor may write all line ends of a document otherwise. */
export function withPlainEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
