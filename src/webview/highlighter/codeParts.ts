/** What code is coloured by; each has a highlight of its own in the style sheet. */
export const CODE_KINDS = [
  'comment',
  'keyword',
  'string',
  'number',
  'type',
  'name',
  'added',
  'removed',
] as const;

export type CodeKind = (typeof CODE_KINDS)[number];

/** A part of a text, by UTF-16 units; `to` is not in it. */
export interface CodePart {
  readonly kind: CodeKind;
  readonly from: number;
  readonly to: number;
}

/** What the highlighter's bundle gives. Languages by any of their names, in any case. */
export interface Highlighter {
  /**
   * Makes the grammar of a language and of those inside it, where it is known, in steps of a few
   * milliseconds: all at once would hold up a frame.
   *
   * @param pause waited for before each step
   */
  readonly prepareLanguage: (language: string, pause: () => Promise<void>) => Promise<void>;
  /** The coloured parts of a code; none where the language was not prepared. */
  readonly findCodeParts: (code: string, language: string) => readonly CodePart[];
}

/** The first word of highlight.js's scopes, or the first two. Those that are not here keep the colour of the text. */
export const KIND_OF_SCOPE: ReadonlyMap<string, CodeKind> = new Map<string, CodeKind>([
  ...(['comment', 'quote'] as const).map((scope) => [scope, 'comment'] as const),
  ...(['keyword', 'literal', 'operator', 'selector-tag', 'doctag', 'template-tag'] as const).map(
    (scope) => [scope, 'keyword'] as const,
  ),
  ...(['string', 'regexp', 'char', 'link', 'code', 'attribute-value'] as const).map(
    (scope) => [scope, 'string'] as const,
  ),
  ...(['number', 'symbol', 'bullet'] as const).map((scope) => [scope, 'number'] as const),
  ...(['type', 'built_in', 'selector-class', 'selector-id', 'selector-pseudo'] as const).map(
    (scope) => [scope, 'type'] as const,
  ),
  ...(['title', 'name', 'attr', 'attribute', 'property', 'section', 'meta', 'tag'] as const).map(
    (scope) => [scope, 'name'] as const,
  ),
  ['title.class', 'type'],
  ['title.class_', 'type'],
  ['addition', 'added'],
  ['deletion', 'removed'],
]);
