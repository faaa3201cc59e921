import * as l10n from '@vscode/l10n';
import { cutText } from '../base/cutText';
import type { FormAgain } from '../base/formField';
import type { FormCard, LinkCard } from './askProtocol';
import { oneLine } from './boundedText';
import { readFormSchema } from './readFormSchema';
import { visibleText } from './visibleText';

/** What is known of whoever asks. */
export interface AskerFacts {
  readonly id: string;
  readonly server: string;
  /** In words; the server's name where there are none. */
  readonly title?: string | undefined;
  readonly toolUseId?: string | undefined;
  readonly message: string;
}

export interface FormFacts extends AskerFacts {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly order?: readonly string[] | undefined;
  /** Runs in this process, so that it could do what it likes anyway. */
  readonly trusted: boolean;
  readonly again?: FormAgain | undefined;
}

/** The longest message that is shown; a form is no place to read. */
const MESSAGE_LIMIT = 10_000;
const TITLE_LIMIT = 120;

/** @throws FormSchemaError where the schema has what no form can show */
export function createFormCard({ schema, order, trusted, again, ...asker }: FormFacts): FormCard {
  const fields = readFormSchema(schema, { order, trusted });
  if (again === undefined) return { kind: 'form', ...shownFacts(asker), fields };
  const reason = l10n.t('Your answer was not taken:\n{0}', again.problems.join('\n'));
  const message = `${asker.message}\n\n${reason}`;
  return { kind: 'form', ...shownFacts({ ...asker, message }), fields, draft: again.draft };
}

/** Only pages of the web are opened. The address as the browser reads it: nothing hides in that. */
export function createLinkCard({ url, ...asker }: AskerFacts & { readonly url: string }): LinkCard {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isWeb = parsed?.protocol === 'https:' || parsed?.protocol === 'http:';
  const address =
    parsed !== undefined && isWeb
      ? { url: parsed.href, host: parsed.host }
      : { url: cutText(visibleText(url), MESSAGE_LIMIT) };
  return { kind: 'link', ...shownFacts(asker), ...address };
}

function shownFacts({ id, server, title, toolUseId, message }: AskerFacts) {
  const shown = (text: string): string => oneLine(visibleText(text), TITLE_LIMIT);
  return {
    id,
    toolUseId,
    server: shown(server),
    title: shown(title ?? server),
    message: cutText(visibleText(message), MESSAGE_LIMIT).trim(),
  };
}
