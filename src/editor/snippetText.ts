const FIELD = /\$\{(\w+)/uy;
const BARE = /\$(?:(\w+)|\{(\w+)\})/uy;
/** What the snippet is put around: without it that text would be lost. */
const SELECTED = 'TM_SELECTED_TEXT';
/** The first choice, and those behind it. */
const CHOICE = /\|((?:[^\\,|]|\\.)*)(?:,(?:[^\\|]|\\.)*)?\|\}/suy;
const TRANSFORM = /\/(?:[^\\}$]|\\.|\$\{[^}]*\}|\$)*\}/suy;

/**
 * What a snippet of the editor puts in where nobody fills it in: what stands there at first.
 * @param selected the text in whose place it comes
 */
export function snippetText(snippet: string, selected = ''): string {
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(snippet);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const valueOf = (name?: string): string => (name === SELECTED ? selected : '');
  const field = (): string => {
    const bare = take(BARE);
    if (bare) return valueOf(bare[1] ?? bare[2]);
    const start = at;
    const named = take(FIELD);
    if (named) {
      const value = valueOf(named[1]);
      const choice = take(CHOICE);
      if (choice) return (choice[1] ?? '').replace(/\\(.)/gsu, '$1');
      if (take(TRANSFORM)) return value;
      if (snippet[at] === ':') {
        at += 1;
        const otherwise = until('}');
        return value === '' ? otherwise : value;
      }
    }
    at = start + 1;
    return '$';
  };
  const until = (end: string): string => {
    let text = '';
    while (at < snippet.length) {
      if (snippet[at] === '$') text += field();
      else {
        if (snippet[at] === '\\' && /[$}\\]/u.test(snippet[at + 1] ?? '')) at += 1;
        else if (snippet[at] === end) break;
        text += snippet[at] ?? '';
        at += 1;
      }
    }
    at += end.length;
    return text;
  };
  return until('');
}
