import hljs from 'highlight.js/lib/core';
import type { Emitter } from 'highlight.js';
import { LANGUAGES } from './languages';
import { type CodePart, type Highlighter, KIND_OF_SCOPE } from './codeParts';

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(LANGUAGES).flatMap(([name, { aliases = [] }]) =>
    [name, ...aliases].map((one) => [one, name] as const),
  ),
);

/** See {@link Highlighter}. */
export const prepareLanguage: Highlighter['prepareLanguage'] = async (language, pause) => {
  const name = NAMES.get(language.toLowerCase());
  const known = name === undefined ? undefined : LANGUAGES[name];
  if (name === undefined || known === undefined || hljs.getLanguage(name) !== undefined) return;
  await pause();
  const { default: define } = await known.load();
  hljs.registerLanguage(name, define);
  await pause();
  // Compiles it.
  hljs.highlight('', { language: name });
  for (const inside of known.inside ?? []) await prepareLanguage(inside, pause);
};

/** Notes where a scope begins and ends, in place of making HTML of it. */
class PartsEmitter implements Emitter {
  readonly parts: CodePart[] = [];
  #at = 0;
  readonly #open: { readonly scope: string; readonly from: number }[] = [];

  get length(): number {
    return this.#at;
  }

  addText(text: string): void {
    this.#at += text.length;
  }

  startScope(scope: string): void {
    this.#open.push({ scope, from: this.#at });
  }

  endScope(): void {
    const scope = this.#open.pop();
    if (scope === undefined || scope.from === this.#at) return;
    const [name = '', more] = scope.scope.split('.');
    const kind = KIND_OF_SCOPE.get(`${name}.${more}`) ?? KIND_OF_SCOPE.get(name);
    if (kind !== undefined) this.parts.push({ kind, from: scope.from, to: this.#at });
  }

  // It calls them by both names.
  openNode(scope: string): void {
    this.startScope(scope);
  }

  closeNode(): void {
    this.endScope();
  }

  /** Of a language inside another, such as a script in a page. */
  __addSublanguage(emitter: PartsEmitter): void {
    for (const { kind, from, to } of emitter.parts)
      this.parts.push({ kind, from: from + this.#at, to: to + this.#at });
    this.#at += emitter.length;
  }

  finalize(): void {
    while (this.#open.length > 0) this.endScope();
  }

  toHTML(): string {
    return '';
  }
}

hljs.configure({ __emitter: PartsEmitter });

/** See {@link Highlighter}. */
export const findCodeParts: Highlighter['findCodeParts'] = (code, language) => {
  const name = NAMES.get(language.toLowerCase());
  if (name === undefined || hljs.getLanguage(name) === undefined) return [];
  const { _emitter: emitter } = hljs.highlight(code, { language: name, ignoreIllegals: true });
  return emitter instanceof PartsEmitter && emitter.length === code.length ? emitter.parts : [];
};
