import { oneLine } from './resultBudget';

/** Some models fill in what they do not mean: empty words are none. */
export function meant(words: string | undefined): string | undefined {
  return words?.trim() === '' ? undefined : words;
}

/** Whether a name is the one that a result told: there it stood on one line, and perhaps cut. */
export function isToldAs(name: string, told: string): boolean {
  const whole = oneLine(name, Infinity).toLowerCase();
  const words = oneLine(told, Infinity).toLowerCase();
  const isCut = words.length > 1 && words.endsWith('…');
  return isCut ? whole.startsWith(words.slice(0, -1)) : whole === words;
}
