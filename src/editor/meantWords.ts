/** Some models fill in what they do not mean: empty words are none. */
export function meant(words: string | undefined): string | undefined {
  return words?.trim() === '' ? undefined : words;
}
