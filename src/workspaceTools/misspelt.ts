import * as l10n from '@vscode/l10n';
import { isRecord } from '../mcp/wire';
import type { Exported } from './patchbayModule';

const COMMON = ['name', 'title', 'description', 'meta', 'timeout', 'isolation'];
const FIELDS: Readonly<Record<Exported['kind'], readonly string[]>> = {
  tool: [
    ...COMMON,
    ...['input', 'output', 'annotations', 'alwaysLoad', 'searchHint', 'maxResultChars'],
    ...['requiresUserInteraction', 'progressExtends', 'run'],
  ],
  prompt: [...COMMON, 'arguments', 'complete', 'run'],
  resource: [...COMMON, 'uri', 'mimeType', 'read', 'list', 'complete', 'watch'],
};
const HINTS = ['title', 'readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

/**
 * Fields that count for nothing and look as if they were to, one line each. What else an author puts
 * into a definition is theirs: its handlers are methods of it.
 */
export function misspeltFields({ kind, options }: Exported): readonly string[] {
  const given = Object.entries(options);
  const lines = given.flatMap(([name, value]) => {
    if (FIELDS[kind].includes(name) || typeof value === 'function') return [];
    const meant = FIELDS[kind].find((field) => !(field in options) && isNear(name, field));
    return meant === undefined
      ? []
      : [l10n.t("There is no field '{0}', so it counts for nothing. Is it '{1}'?", name, meant)];
  });
  const annotations: unknown = kind === 'tool' ? Reflect.get(options, 'annotations') : undefined;
  const odd = Object.keys(isRecord(annotations) ? annotations : {}).filter(
    (hint) => !HINTS.includes(hint),
  );
  return [
    ...lines,
    ...odd.map((hint) =>
      l10n.t(
        "annotations has no '{0}', so it counts for nothing. It has {1}.",
        hint,
        HINTS.join(', '),
      ),
    ),
  ];
}

/** But for upper case, `_` and `-`, and one letter. */
function isNear(given: string, field: string): boolean {
  const [a, b] = [plain(given), plain(field)];
  if (a.length < 4 || !b.startsWith(a.slice(0, 1))) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const restOf = (text: string, from: number): string => text.slice(at + from);
  return (
    restOf(a, 1) === restOf(b, 1) || restOf(a, 1) === restOf(b, 0) || restOf(a, 0) === restOf(b, 1)
  );
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}
