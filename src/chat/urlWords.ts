import * as l10n from '@vscode/l10n';

/** Where an address leads, told so that no look-alike passes for another site. */
export interface UrlWords {
  /** As the network asks for it, other letters as punycode; with the port where one is given. */
  readonly host: string;
  /** What about it is easily misread. */
  readonly facts: readonly string[];
}

/** Undefined for a text that is no address with a host. */
export function urlWords(text: string): UrlWords | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.host === '') return undefined;
  const facts: string[] = [];
  if (url.hostname.split('.').some((label) => label.startsWith('xn--'))) {
    facts.push(l10n.t('The name has letters that can look like those of another'));
  }
  if (url.username !== '' || url.password !== '') {
    facts.push(l10n.t('What stands before the @ is not the site'));
  }
  if (url.protocol === 'http:') facts.push(l10n.t('Not encrypted'));
  return { host: url.host, facts };
}
