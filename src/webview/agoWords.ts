import * as l10n from '@vscode/l10n';

const UNITS = [
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
] as const;

/**
 * How long ago, in the editor's language: `5 minutes ago`, `yesterday`; of more than a week the day.
 * @param at milliseconds since 1970, as `now`
 */
export function agoWords(
  at: number,
  now: number,
  language = document.documentElement.lang,
): string {
  const passed = Math.max(0, now - at);
  if (passed < 60_000) return l10n.t('just now');
  const locale = localeOf(language);
  if (passed >= 7 * 86_400_000) {
    return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(at);
  }
  const [unit, size] = [...UNITS].reverse().find(([, each]) => passed >= each) ?? UNITS[0];
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return words.format(-Math.floor(passed / size), unit);
}

/** One that nobody knows is the browser's own. */
function localeOf(language: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(language)[0];
  } catch {
    return undefined;
  }
}
