import { cutText } from '../base/cutText';
import { firstLine } from './boundedText';
import { visibleText } from './visibleText';

const NAME_LIMIT = 60;

/** What the plan is about: its first line that says something, without the marks of a heading. */
export function planTitle(text: string): string {
  return visibleText(firstLine(text.replace(/^[\s#]+/, '')));
}

/** A file's name for the plan: letters and digits of its title. */
export function planFileName(text: string): string {
  const words = planTitle(text)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  const name = cutText(words, NAME_LIMIT).replace(/-+$/, '');
  if (name === '') return 'plan.md';
  return /^plan\b/u.test(name) ? `${name}.md` : `plan-${name}.md`;
}
